// log(sum(exp(x0 - where(isfinite(max(x0)), max(x0), 0.0)))) + where(isfinite(max(x0)), max(x0), 0.0)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: block_exp_f64, block_log_f64
// ... shared/accumulators.host.cc: max_of, sum_of, finish_0, finish_1, identity_0, rows_0, identity_1, rows_1
// ... shared/moves.host.cc: spread_rows_of_8
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: row_1, element_1_0, row_2_1
// ... shared/heads.host.cc: kiln_max_isfinite_where_sub_exp_sum_log_add_f64_axes2_persistent

    // ... as in log_softmax_in_tiles
    alignas(64) double all_0[512];
    alignas(64) double rows_t0[512];
    alignas(64) double rows_t2[512];
    alignas(64) double piece_t4[1024];
    alignas(64) double all_1[512];
    alignas(64) double rows_t5[512];
    alignas(64) double rows_t7[512];
    // ... as in log_softmax_in_tiles
        rows_0(all_0, x0 + linear, rows, extent, library);
        #pragma GCC ivdep
        for (i64 k = 0; k < rows; ++k) {
            rows_t0[k] = finish_0(all_0[k], extent);
            double t2;
            row_1(rows_t0[k], t2, library);
            rows_t2[k] = t2;
        }
        alignas(64) double many_t2[1040];
        spread_rows_of_8(library, many_t2, rows_t2, rows, extent, 1);
        // ... as in reshaped
            alignas(64) double buffer[256];
            #pragma GCC ivdep
            for (i64 j = 0; j < count2; ++j) element_1_0(x0[linear + (strip + j)], many_t2[strip + j], buffer[j], library);
            block_exp_f64(library, buffer, piece_t4 + strip, count2);
        }
        rows_1(all_1, piece_t4, rows, extent, library);
        #pragma GCC ivdep
        for (i64 k = 0; k < rows; ++k) rows_t5[k] = finish_1(all_1[k], extent);
        // ... as in log_softmax_in_tiles
            alignas(64) double buffer[256];
            block_log_f64(library, rows_t5 + strip, buffer, count2);
            #pragma GCC ivdep
            for (i64 j = 0; j < count2; ++j) row_2_1(rows_t2[strip + j], buffer[j], rows_t7[strip + j], library);
        }
        #pragma GCC ivdep
        for (i64 k = 0; k < rows; ++k) y0[first + k] = rows_t7[k];
    }
}
