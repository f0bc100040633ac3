// dot(x0 * x1)
// ... shared/types.host.cc: i64
// ... shared/accumulators.host.cc: dot_of, finish_0, identity_0, combine_0
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_dot_of_mul_f32_axes2_side_by_side

    (void)library;
    // ... as in values_side_by_side
    alignas(64) float all_y0[128];
    const i64 columns = at[1];
    const i64 count = at[2];
    // ... as in values_side_by_side
                #pragma GCC ivdep
                for (i64 i = begin_of_row; i < end_of_row; ++i) all_y0[i - block] = identity_0();
                for (i64 piece = 0; piece < count; piece += 2048) {
                    const i64 piece_end = least_index(piece + 2048, count);
                    // ... as in values_of_rows_in_tiles
                    for (i64 k = piece; k < piece + filled; ++k) {
                        const i64 lane = k % 16;
                        const i64 at_x0 = k * at[5];
                        const i64 at_x1 = k;
                        const float x1_of_row = x1[at_x1];
                        // ... as in values_side_by_side
                            body(x0[at_x0 + i], x1_of_row, of_y0);
                            // ... as in values_side_by_side
                    for (i64 k = piece + 16; k < piece_end; ++k) {
                        const i64 lane = k % 16;
                        const i64 at_x0 = k * at[5];
                        const i64 at_x1 = k;
                        const float x1_of_row = x1[at_x1];
                        // ... as in values_side_by_side
                            body(x0[at_x0 + i], x1_of_row, of_y0);
                            // ... as in values_side_by_side
                    for (i64 i = begin_of_row; i < end_of_row; ++i) all_y0[i - block] = combine_0(all_y0[i - block], lanes_y0[i - block]);
                }
                #pragma GCC ivdep
                for (i64 i = begin_of_row; i < end_of_row; ++i) y0[first_value + i] = finish_0(combine_0(identity_0(), all_y0[i - block]), count);
            }
        }
    }
}
