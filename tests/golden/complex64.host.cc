// x0 * s0
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: rounded, store_nontemporal, complex, c64, complex_of, complex_mul
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_mul_c64

    // ... as in contiguous
        for (i64 i = next; i < stop; ++i) body(x0[i], s0, y0[i]);
        // ... as in contiguous
            alignas(64) c64 line_y0[16];
            // ... as in contiguous
                body(x0[i], s0, line_y0[j]);
            }
            store_nontemporal(y0 + first_of_line, line_y0, 128);
        }
        next = lines_end;
        stop = end;
    }
}
