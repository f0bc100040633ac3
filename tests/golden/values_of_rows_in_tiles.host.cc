// sum(x0 * x1)
// ... shared/types.host.cc: i64
// ... shared/accumulators.host.cc: sum_of, finish_0, identity_0, combine_0
// ... shared/moves.host.cc: turn_rows_of_4
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: element
// ... shared/heads.host.cc: kiln_sum_of_mul_f32_axes3_tiles

    // ... as in values_in_tiles
    alignas(64) float all_y0[128];
    const i64 columns = at[2];
    const i64 reduced = at[3];
    const i64 rows = at[1];
    // ... as in values_in_tiles
        // ... as in values_side_by_side
    // ... as in values_in_tiles
        turn_rows_of_4(library, turned_x1, x1 + block * at[8], at[8], count, reduced, 32);
        for (i64 k = 0; k < reduced; ++k) {
            const i64 at_x1 = block * at[8] + k;
            const i64 to = k * 32;
            for (i64 j = count; j < 32; ++j) turned_x1[to + j] = turned_x1[to];
        // ... as in values_in_tiles
            for (i64 j = 0; j < 128; ++j) all_y0[j] = identity_0();
            // ... as in softmax
                const i64 filled = least_index(piece_end - piece, 16);
                for (i64 lane = 0; lane < filled; ++lane) {
                    // ... as in values_in_tiles
                    for (i64 k = piece + lane; k < piece_end; k += 16) {
                        const float of_row = x0[at_x0_0 + k];
                        #pragma GCC ivdep
                        for (i64 j = 0; j < 32; ++j) {
                            float t;
                            element(of_row, turned_x1[k * 32 + j], t);
                            // ... as in values_in_tiles
                        const float of_row2 = x0[at_x0_1 + k];
                        #pragma GCC ivdep
                        for (i64 j = 0; j < 32; ++j) {
                            float t;
                            element(of_row2, turned_x1[k * 32 + j], t);
                            // ... as in values_in_tiles
                        const float of_row3 = x0[at_x0_2 + k];
                        #pragma GCC ivdep
                        for (i64 j = 0; j < 32; ++j) {
                            float t;
                            element(of_row3, turned_x1[k * 32 + j], t);
                            // ... as in values_in_tiles
                        const float of_row4 = x0[at_x0_3 + k];
                        #pragma GCC ivdep
                        for (i64 j = 0; j < 32; ++j) {
                            float t;
                            element(of_row4, turned_x1[k * 32 + j], t);
                            // ... as in values_in_tiles
                    const i64 to = lane * 128;
                    // ... as in values_in_tiles
                // ... as in values_side_by_side
                        const i64 to = lane * 128;
                        const i64 of = (lane + apart) * 128;
                        // ... as in values_in_tiles
                }
                const i64 to = 0;
                const i64 of = 0;
                #pragma GCC ivdep
                for (i64 j = 0; j < 128; ++j) all_y0[to + j] = combine_0(all_y0[to + j], parts_y0[of + j]);
            }
            #pragma GCC ivdep
            for (i64 j = 0; j < 128; ++j) parts_y0[j] = all_y0[j];
            // ... as in values_in_tiles
