// int32(sum(uint64(popcount(x0 & x1))))
// ... shared/types.cu: u32, u64
// ... shared/helpers.cu: shuffle, wait_for_earlier_kernels, copy_async_by_first_cache, copy_async_part_by_first_cache, commit_copies, wait_copies, load_tile, multiply_tile_b1
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: u32x4, write, i32x4, store
// ... shared/heads.cu: layout, kiln_sum_of_bit_and_popcount_i32_axes3_contraction128x128_mirrored
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    // ... as in bit_contraction_of_lines
    const unsigned int rectangle_row = first_of_rows + among % together;
    const unsigned int rectangle_column = among / together;
    const unsigned int tiles = (static_cast<unsigned int>(int(at.word[2])) + 127) / 128;
    const unsigned int moved = at.word[7] - tiles;
    const bool is_row_itself = rectangle_row + moved <= rectangle_column;
    const unsigned int tile_row = is_row_itself ? rectangle_row : tiles - moved - rectangle_row;
    const unsigned int tile_column = is_row_itself ? rectangle_column - moved : tile_row + rectangle_column;
    const int first_column = tile_column * 128;
    // ... as in bit_contraction_of_lines
    if (first_row < first_column) {
        const int row_of_lane = lane / 4;
        const int turned_row = warp_column + lane % 4 * 2 + row_of_lane % 2;
        const int turned_column = warp_row + row_of_lane / 2 % 2 * 8 + row_of_lane / 4 * 4;
        #pragma unroll
        for (int j = 0; j < 8; ++j) {
            const int row = first_column + turned_row + j * 8;
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int column = first_row + turned_column + i * 16;
                const int other_lane = lane ^ 4;
                const bool is_upper = lane / 4 % 2 == 1;
                const int came = shuffle(is_upper ? sums[i * 32 + j * 4] : sums[i * 32 + j * 4 + 1], other_lane);
                const int low = is_upper ? came : sums[i * 32 + j * 4];
                const int high = is_upper ? sums[i * 32 + j * 4 + 1] : came;
                const int came2 = shuffle(is_upper ? sums[i * 32 + j * 4 + 2] : sums[i * 32 + j * 4 + 3], other_lane);
                const int low2 = is_upper ? came2 : sums[i * 32 + j * 4 + 2];
                const int high2 = is_upper ? sums[i * 32 + j * 4 + 3] : came2;
                const int other_lane2 = lane ^ 8;
                const bool is_upper2 = lane / 8 % 2 == 1;
                const int came3 = shuffle(is_upper2 ? low : low2, other_lane2);
                const int low3 = is_upper2 ? came3 : low;
                const int high3 = is_upper2 ? low2 : came3;
                const int came4 = shuffle(is_upper2 ? high : high2, other_lane2);
                const int low4 = is_upper2 ? came4 : high;
                const int high4 = is_upper2 ? high2 : came4;
                i32x4 four;
                accumulators part;
                part.s0 = static_cast<u64>(low3);
                four.v[0] = finish_0(part.s0, int(at.word[3]));
                accumulators part2;
                part2.s0 = static_cast<u64>(low4);
                four.v[1] = finish_0(part2.s0, int(at.word[3]));
                accumulators part3;
                part3.s0 = static_cast<u64>(high3);
                four.v[2] = finish_0(part3.s0, int(at.word[3]));
                accumulators part4;
                part4.s0 = static_cast<u64>(high4);
                four.v[3] = finish_0(part4.s0, int(at.word[3]));
                // ... as in bit_contraction
}
