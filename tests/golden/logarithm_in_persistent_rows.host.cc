// x0 - logsumexp(x0)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: exp_f32, exp_f64, log_f32, log_f64
// ... shared/helpers.host.cc: LIBRARY_exp, LIBRARY_log, float_of, double_of, store_nontemporal, infinity_like, exponentials, exponentials_of_none, above_anchor, log_of_exponentials
// ... shared/accumulators.host.cc: finish_0, identity_0, run_0
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: element_1
// ... shared/heads.host.cc: kiln_logsumexp_sub_f32_axes2_persistent

    // ... as in variance_in_persistent_rows
        exponentials<float> all_0 = identity_0();
        // ... as in softmax
        const float t0 = finish_0(all_0, reduced, library);
        // ... as in softmax
            for (i64 i = next; i < stop; ++i) element_1(x0[row + i], t0, y0[row + i], library);
            // ... as in variance_in_persistent_rows
                    element_1(x0[row + i], t0, line_t1[j], library);
                // ... as in variance_in_persistent_rows
