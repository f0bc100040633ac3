// log(sum(exp(x0 - where(isfinite(max(x0)), max(x0), 0.0)))) + where(isfinite(max(x0)), max(x0), 0.0)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: log_f64, block_exp_f64
// ... shared/accumulators.host.cc: max_of, sum_of, finish_0, finish_1, identity_0, run_0, identity_1, run_1
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: row_1, element_1_0, row_2
// ... shared/heads.host.cc: kiln_max_isfinite_where_sub_exp_sum_log_add_f64_axes2_persistent

    const i64 reduced = at[2];
    alignas(64) double piece_t4[2048];
    // ... as in softmax
        double all_0 = identity_0();
        // ... as in softmax
        const double t0 = finish_0(all_0, reduced);
        double t2;
        row_1(t0, t2, library);
        double all_1 = identity_1();
        // ... as in softmax
                alignas(64) double buffer[256];
                #pragma GCC ivdep
                for (i64 j = 0; j < count; ++j) element_1_0(x0[row + (strip + j)], t2, buffer[j], library);
                block_exp_f64(library, buffer, piece_t4 + (strip - piece), count);
            }
            all_1 = run_1(all_1, piece_t4, piece_end - piece, piece, library);
        }
        const double t5 = finish_1(all_1, reduced);
        double t7;
        row_2(t2, t5, t7, library);
        y0[value] = t7;
        p0 = p0 + 1;
    }
}
