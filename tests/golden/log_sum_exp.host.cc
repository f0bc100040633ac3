// log(sum(exp(x0 - where(isfinite(max(x0)), max(x0), 0.0)))) + where(isfinite(max(x0)), max(x0), 0.0)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: exp_f64, log_f64
// ... shared/accumulators.host.cc: max_of, sum_of, finish_0, finish_1, identity_0, run_0, identity_1, combine_1
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: row_1, element_1, row_2
// ... shared/heads.host.cc: kiln_max_isfinite_where_sub_exp_sum_log_add_f64_axes2_persistent

    const i64 reduced = at[2];
    // ... as in softmax
        double all_0 = identity_0();
        // ... as in softmax
        const double t0 = finish_0(all_0, reduced);
        double t2;
        row_1(t0, t2, library);
        double all_1 = identity_1();
        // ... as in softmax
            alignas(64) double lanes_1[16];
            // ... as in layer_norm
                    double t4;
                    element_1(x0[row + (first + lane)], t2, t4, library);
                    lanes_1[lane] = combine_1(lanes_1[lane], t4);
                }
            }
            for (i64 i = whole; i < piece_end; ++i) {
                double t4;
                element_1(x0[row + i], t2, t4, library);
                lanes_1[i - whole] = combine_1(lanes_1[i - whole], t4);
            // ... as in layer_norm
        const double t5 = finish_1(all_1, reduced);
        double t7;
        row_2(t2, t5, t7, library);
        y0[value] = t7;
        p0 = p0 + 1;
    }
}
