// x0 * variance(x0)
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: store_nontemporal, moments, moments_of_none, count_of_moments, product_lost, squares_about_mean, squares_of_moments, variance_of_moments
// ... shared/accumulators.host.cc: finish_0, identity_0, run_0
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: element_1
// ... shared/heads.host.cc: kiln_variance_mul_f32_axes2_persistent

    const i64 reduced = at[2];
    // ... as in softmax
        moments all_0 = identity_0();
        // ... as in softmax
            for (i64 i = next; i < stop; ++i) element_1(x0[row + i], t0, y0[row + i]);
            // ... as in softmax
                alignas(64) float line_t1[16];
                // ... as in contiguous
                    element_1(x0[row + i], t0, line_t1[j]);
                }
                store_nontemporal(y0 + (row + first_of_line), line_t1, 64);
            }
            next = lines_end;
            stop = reduced;
        }
        p0 = p0 + 1;
    }
}
