// exp(x0 - max(x0)) / sum(exp(x0 - max(x0)))
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: block_exp_f32
// ... shared/accumulators.host.cc: max_of, sum_of, finish_0, finish_1, identity_0, run_0, identity_1, run_1
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: element_0, element_1_0, element_2
// ... shared/heads.host.cc: kiln_max_sub_exp_sum_div_f32_axes3_persistent

    const i64 reduced = at[2] * at[3];
    // ... as in softmax
    alignas(64) float piece_x0[2048];
    // ... as in softmax
            i64 p2 = piece % at[3];
            const i64 rest1 = piece / at[3];
            i64 p1 = rest1;
            for (i64 first = piece; first < piece_end;) {
                const i64 row_begin = p2;
                const i64 row_end = least_index(at[3], p2 + (piece_end - first));
                const i64 line = first - row_begin;
                const i64 linear = row + line;
                const i64 at_x0 = p0 * at[7] + p1 * at[8];
                #pragma GCC ivdep
                for (i64 i = row_begin; i < row_end; ++i) element_0(x0[at_x0 + i * at[9]], piece_x0[line + i - piece], library);
                // ... as in strided
            }
            all_0 = run_0(all_0, piece_x0, piece_end - piece, piece, library);
        // ... as in softmax
            i64 p2 = piece % at[3];
            const i64 rest1 = piece / at[3];
            i64 p1 = rest1;
            for (i64 first = piece; first < piece_end;) {
                const i64 row_begin = p2;
                const i64 row_end = least_index(at[3], p2 + (piece_end - first));
                const i64 line = first - row_begin;
                const i64 linear = row + line;
                // ... as in strided
                    for (i64 j = 0; j < count; ++j) element_1_0(x0[at_x0 + (strip + j) * at[9]], t0, buffer[j], library);
                    block_exp_f32(library, buffer, row_t2 + (line + strip), count);
                // ... as in strided
            // ... as in softmax
        i64 p2 = 0 % at[3];
        const i64 rest1 = 0 / at[3];
        i64 p1 = rest1;
        for (i64 first = 0; first < reduced;) {
            const i64 row_begin = p2;
            const i64 row_end = least_index(at[3], p2 + (reduced - first));
            const i64 line = first - row_begin;
            const i64 linear = row + line;
            #pragma GCC ivdep
            for (i64 i = row_begin; i < row_end; ++i) element_2(row_t2[line + i], t3, y0[row + (line + i)], library);
            // ... as in strided
        }
        p0 = p0 + 1;
    }
}
