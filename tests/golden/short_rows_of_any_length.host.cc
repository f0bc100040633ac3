// exp((x0 * x1) + x2)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: block_exp_f32
// ... shared/moves.host.cc: spread_rows_of_4
// ... shared/indices.host.cc: clamp_index, least_index
// ... shared/bodies.host.cc: body_0
// ... shared/heads.host.cc: kiln_mul_add_exp_f32_axes3

    const i64 extent = at[3];
    // ... as in short_rows_turned
    // ... as in short_rows
    // ... as in reshaped
        i64 p1 = first_row % at[2];
        const i64 rest0 = first_row / at[2];
        i64 p0 = rest0;
        for (i64 row = 0; row < rows;) {
            i64 run = least_index(rows - row, at[2] - p1);
            const i64 at_x1 = p0;
            spread_rows_of_4(library, many_x1 + row * extent, x1 + at_x1, run, extent, 0);
            for (i64 i = 0; i < extent; ++i) {
                for (i64 j = 0; j < run; ++j) {
                    const i64 x2_0 = clamp_index(at[8] + i, at[7]);
                    const i64 at_x2 = p0 * at[9] + (p1 + j) * at[10] + x2_0;
                    many_x2[(row + j) * extent + i] = x2[at_x2];
                }
            }
            p1 = p1 + run;
            if (p1 == at[2]) {
                p1 = 0;
                p0 = p0 + 1;
            }
            // ... as in reshaped
            alignas(64) float buffer[256];
            #pragma GCC ivdep
            for (i64 j = 0; j < count2; ++j) body_0(x0[first + (strip + j)], many_x1[skipped + (strip + j)], many_x2[skipped + (strip + j)], buffer[j], library);
            block_exp_f32(library, buffer, y0 + (first + strip), count2);
        }
    }
}
