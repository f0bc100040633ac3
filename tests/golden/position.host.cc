// where(index0 >= index1, x0, s0)
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_ge_where_f32_axes2

    // ... as in contiguous
    // ... as in broadcast
        const i64 at_index0 = p0;
        const i64 at_index1 = 0;
        // ... as in transposed
            for (i64 i = next; i < stop; ++i) body(index0 + (at_index0 + i * 0), index1 + (at_index1 + i), x0[row + i], s0, y0[row + i]);
            // ... as in transposed
                    body(index0 + (at_index0 + i * 0), index1 + (at_index1 + i), x0[row + i], s0, line_y0[j]);
                // ... as in transposed
        // ... as in broadcast
