// mean((x0 - x1) * (x0 - x1))
// ... shared/types.host.cc: i64
// ... shared/accumulators.host.cc: mean_of, finish_0, identity_0, combine_0
// ... shared/moves.host.cc: turn_rows_of_4
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_mean_of_sub_mul_f32_axes3_side_by_side

    alignas(64) float lanes_y0[2048];
    const i64 columns = at[2];
    const i64 count = at[3];
    const i64 room = count * 128;
    // ... as in softmax
    float* const turned_x1 = reinterpret_cast<float*>(memory + room * 0);
    const i64 first_row = begin / columns;
    const i64 last_row = (end - 1) / columns;
    const i64 first_column = begin - first_row * columns;
    const i64 last_column = end - last_row * columns;
    const i64 first_block = last_row > first_row ? 0 : first_column / 128 * 128;
    const i64 end_of_blocks = last_row > first_row ? columns : last_column;
    for (i64 block = first_block; block < end_of_blocks; block += 128) {
        const i64 block_end = least_index(block + 128, columns);
        turn_rows_of_4(library, turned_x1, x1 + block * at[8], at[8], block_end - block, count, 128);
        i64 p0 = first_row;
        for (i64 row = first_row; row < last_row + 1; ++row) {
            const i64 begin_of_row = row == first_row ? first_column > block ? first_column : block : block;
            const i64 end_of_row = row == last_row ? least_index(block_end, last_column) : block_end;
            if (begin_of_row < end_of_row) {
                const i64 first_value = row * columns;
                const i64 filled = least_index(count, 16);
                for (i64 k = 0; k < filled; ++k) {
                    const i64 lane = k % 16;
                    const i64 at_x0 = p0 * at[7] + k;
                    const float x0_of_row = x0[at_x0];
                    #pragma GCC ivdep
                    for (i64 i = begin_of_row; i < end_of_row; ++i) {
                        float of_y0;
                        body(x0_of_row, turned_x1[k * 128 + (i - block)], of_y0);
                        float one_y0 = identity_0();
                        one_y0 = of_y0;
                        lanes_y0[lane * 128 + (i - block)] = one_y0;
                    }
                }
                for (i64 k = 16; k < count; ++k) {
                    const i64 lane = k % 16;
                    const i64 at_x0 = p0 * at[7] + k;
                    const float x0_of_row = x0[at_x0];
                    #pragma GCC ivdep
                    for (i64 i = begin_of_row; i < end_of_row; ++i) {
                        float of_y0;
                        body(x0_of_row, turned_x1[k * 128 + (i - block)], of_y0);
                        float one_y0 = identity_0();
                        one_y0 = of_y0;
                        lanes_y0[lane * 128 + (i - block)] = combine_0(lanes_y0[lane * 128 + (i - block)], one_y0);
                    }
                }
                for (int apart = 8; apart > 0; apart /= 2) {
                    for (i64 lane = 0; lane < least_index(filled - apart, apart); ++lane) {
                        #pragma GCC ivdep
                        for (i64 i = begin_of_row; i < end_of_row; ++i) lanes_y0[lane * 128 + (i - block)] = combine_0(lanes_y0[lane * 128 + (i - block)], lanes_y0[(lane + apart) * 128 + (i - block)]);
                    }
                }
                #pragma GCC ivdep
                for (i64 i = begin_of_row; i < end_of_row; ++i) y0[first_value + i] = finish_0(combine_0(identity_0(), lanes_y0[i - block]), count);
            }
            p0 = p0 + 1;
        }
    }
}
