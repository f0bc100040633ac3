// ((((((((((((s0 * x0) + s1) * x0) + s2) * x0) + s3) * x0) + s4) * x0) + s5) * x0) + s6) * x0
// ... shared/types.host.cc: i64
// ... shared/users.host.cc: __clang__
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_mul7_add6_f32

    // ... as in contiguous
    i64 stop = least_index(end, (begin + 63) / 64 * 64);
    for (i64 next = begin; next < end;) {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], s0, s1, s2, s3, s4, s5, s6, y0[i]);
        // ... as in several_outputs
            alignas(64) float line_y0[64];
            // ... as in several_outputs
                body(x0[i], s0, s1, s2, s3, s4, s5, s6, line_y0[j]);
            }
            if (nontemporal) {
                // ... as in integers
            } else {
                #pragma GCC ivdep
                for (int j = 0; j < 64; ++j) y0[first_of_line + j] = line_y0[j];
            }
        }
        next = lines_end;
        stop = end;
    }
}
