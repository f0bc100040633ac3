// log(sum(exp(x0 - where(isfinite(max(x0)), max(x0), 0.0)))) + where(isfinite(max(x0)), max(x0), 0.0)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: exp_f64, log_f64
// ... shared/accumulators.host.cc: max_of, sum_of, finish_0, finish_1, identity_0, run_0, identity_1, run_1
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: phase1
// ... shared/heads.host.cc: kiln_max_isfinite_where_sub_exp_sum_log_add_f64_axes2_persistent

    const i64 reduced = 1 * at[2];
    alignas(64) double piece_t4[2048];
    // ... as in softmax
        const double t0 = finish_0(all_0, reduced);
        const bool t1 = t0 - t0 == double(0);
        const double t2 = t1 ? t0 : 0.0;
        // ... as in softmax
            for (i64 i = piece; i < piece_end; ++i) phase1(x0[row + i], t2, piece_t4[i - piece], library);
            all_1 = run_1(all_1, piece_t4, piece_end - piece, piece);
        }
        const double t5 = finish_1(all_1, reduced);
        const double t6 = log_f64(library, t5);
        const double t7 = t6 + t2;
        y0[value] = t7;
        ++p0;
    }
}
