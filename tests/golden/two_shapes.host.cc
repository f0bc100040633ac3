// x0 * x1, x1 + x1
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_mul_add_f32_axes2

    // ... as in several_outputs
    // ... as in broadcast
        // ... as in transposed
            for (i64 i = next; i < stop; ++i) body(x0[row + i], x1[at_x1 + i], y0[row + i], y1[row + i]);
            // ... as in transposed
                alignas(64) float line_y1[16];
                // ... as in contiguous
                    body(x0[row + i], x1[at_x1 + i], line_y0[j], line_y1[j]);
                // ... as in transposed
                store_nontemporal(y1 + (row + first_of_line), line_y1, 64);
            }
            next = lines_end;
            stop = row_end;
        // ... as in broadcast
