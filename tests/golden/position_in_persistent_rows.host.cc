// x0 * float32(argmax(x0))
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/accumulators.host.cc: found_f32, argmax_of, argmax_next, finish_0, identity_0, run_0
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: row_1, element_1
// ... shared/heads.host.cc: kiln_argmax_cast_mul_f32_axes2_persistent

    // ... as in variance_in_persistent_rows
        found_f32 all_0 = identity_0();
        // ... as in softmax
        const i64 t0 = finish_0(all_0, reduced);
        float t1;
        row_1(t0, t1);
        // ... as in softmax
            for (i64 i = next; i < stop; ++i) element_1(x0[row + i], t1, y0[row + i]);
            // ... as in softmax
                alignas(64) float line_t2[16];
                // ... as in contiguous
                    element_1(x0[row + i], t1, line_t2[j]);
                }
                store_nontemporal(y0 + (row + first_of_line), line_t2, 64);
            }
            next = lines_end;
            stop = reduced;
        }
        p0 = p0 + 1;
    }
}
