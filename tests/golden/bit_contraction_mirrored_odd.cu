// int32(sum(uint64(popcount(x0 & x1))))
// ... shared/types.cu: u32, u64
// ... shared/helpers.cu: shuffle, wait_for_earlier_kernels, copy_async_by_first_cache, copy_async_part_by_first_cache, commit_copies, wait_copies, load_tile, multiply_tile_b1
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: u32x4, write
// ... shared/heads.cu: layout, kiln_sum_of_bit_and_popcount_i32_axes3_contraction128x128_mirrored
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    // ... as in bit_contraction_mirrored
    const int column_in_tile = warp_column + lane / 8 * 8 + lane % 4 * 2 + lane / 4 % 2;
    #pragma unroll
    for (int i = 0; i < 8; ++i) {
        #pragma unroll
        for (int j = 0; j < 2; ++j) {
            const int column = first_column + column_in_tile + j * 32;
            // ... as in bit_contraction_mirrored
            const int came = shuffle(is_upper ? sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2] : sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2 + 1], other_lane);
            const int low = is_upper ? came : sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2];
            const int high = is_upper ? sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2 + 1] : came;
            const int came2 = shuffle(is_upper ? sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2 + 4] : sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2 + 5], other_lane);
            const int low2 = is_upper ? came2 : sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2 + 4];
            const int high2 = is_upper ? sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2 + 5] : came2;
            const int came3 = shuffle(is_upper ? sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2 + 8] : sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2 + 9], other_lane);
            const int low3 = is_upper ? came3 : sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2 + 8];
            const int high3 = is_upper ? sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2 + 9] : came3;
            const int came4 = shuffle(is_upper ? sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2 + 12] : sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2 + 13], other_lane);
            const int low4 = is_upper ? came4 : sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2 + 12];
            const int high4 = is_upper ? sums[i / 2 * 32 + j * 4 * 4 + i % 2 * 2 + 13] : came4;
            // ... as in bit_contraction_mirrored
            const int came5 = shuffle(is_upper2 ? low : low2, other_lane2);
            const int low5 = is_upper2 ? came5 : low;
            const int high5 = is_upper2 ? low2 : came5;
            const int came6 = shuffle(is_upper2 ? high : high2, other_lane2);
            const int low6 = is_upper2 ? came6 : high;
            const int high6 = is_upper2 ? high2 : came6;
            const int came7 = shuffle(is_upper2 ? low3 : low4, other_lane2);
            const int low7 = is_upper2 ? came7 : low3;
            const int high7 = is_upper2 ? low4 : came7;
            const int came8 = shuffle(is_upper2 ? high3 : high4, other_lane2);
            const int low8 = is_upper2 ? came8 : high3;
            const int high8 = is_upper2 ? high4 : came8;
            const int other_lane3 = lane ^ 16;
            const bool is_upper3 = lane / 16 % 2 == 1;
            const int came9 = shuffle(is_upper3 ? low5 : low7, other_lane3);
            const int low9 = is_upper3 ? came9 : low5;
            const int high9 = is_upper3 ? low7 : came9;
            const int came10 = shuffle(is_upper3 ? low6 : low8, other_lane3);
            const int low10 = is_upper3 ? came10 : low6;
            const int high10 = is_upper3 ? low8 : came10;
            const int came11 = shuffle(is_upper3 ? high5 : high7, other_lane3);
            const int low11 = is_upper3 ? came11 : high5;
            const int high11 = is_upper3 ? high7 : came11;
            const int came12 = shuffle(is_upper3 ? high6 : high8, other_lane3);
            const int low12 = is_upper3 ? came12 : high6;
            const int high12 = is_upper3 ? high8 : came12;
            const int row = first_row + warp_row + i * 8;
            accumulators part;
            part.s0 = static_cast<u64>(low9);
            const int one = finish_0(part.s0, int(at.word[3]));
            if (row < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row) * int(at.word[2]) + column] = one;
            const int row2 = first_row + warp_row + (i * 8 + 1);
            accumulators part2;
            part2.s0 = static_cast<u64>(low10);
            const int one2 = finish_0(part2.s0, int(at.word[3]));
            if (row2 < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row2) * int(at.word[2]) + column] = one2;
            const int row3 = first_row + warp_row + (i * 8 + 2);
            accumulators part3;
            part3.s0 = static_cast<u64>(low11);
            const int one3 = finish_0(part3.s0, int(at.word[3]));
            if (row3 < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row3) * int(at.word[2]) + column] = one3;
            const int row4 = first_row + warp_row + (i * 8 + 3);
            accumulators part4;
            part4.s0 = static_cast<u64>(low12);
            const int one4 = finish_0(part4.s0, int(at.word[3]));
            if (row4 < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row4) * int(at.word[2]) + column] = one4;
            const int row5 = first_row + warp_row + (i * 8 + 4);
            accumulators part5;
            part5.s0 = static_cast<u64>(high9);
            const int one5 = finish_0(part5.s0, int(at.word[3]));
            if (row5 < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row5) * int(at.word[2]) + column] = one5;
            const int row6 = first_row + warp_row + (i * 8 + 5);
            accumulators part6;
            part6.s0 = static_cast<u64>(high10);
            const int one6 = finish_0(part6.s0, int(at.word[3]));
            if (row6 < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row6) * int(at.word[2]) + column] = one6;
            const int row7 = first_row + warp_row + (i * 8 + 6);
            accumulators part7;
            part7.s0 = static_cast<u64>(high11);
            const int one7 = finish_0(part7.s0, int(at.word[3]));
            if (row7 < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row7) * int(at.word[2]) + column] = one7;
            const int row8 = first_row + warp_row + (i * 8 + 7);
            accumulators part8;
            part8.s0 = static_cast<u64>(high12);
            const int one8 = finish_0(part8.s0, int(at.word[3]));
            if (row8 < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row8) * int(at.word[2]) + column] = one8;
        }
    }
    if (first_row < first_column) {
        const int turned_column = warp_row + lane / 2 % 2 * 16 + lane % 2 * 8 + lane / 4;
        #pragma unroll
        for (int j = 0; j < 8; ++j) {
            #pragma unroll
            for (int i = 0; i < 2; ++i) {
                const int column = first_row + turned_column + i * 32;
                const int other_lane = lane ^ 1;
                const bool is_upper = lane / 1 % 2 == 1;
                const int came = shuffle(is_upper ? sums[i * 2 * 32 + j * 4] : sums[i * 2 * 32 + j * 4 + 2], other_lane);
                const int low = is_upper ? came : sums[i * 2 * 32 + j * 4];
                const int high = is_upper ? sums[i * 2 * 32 + j * 4 + 2] : came;
                const int came2 = shuffle(is_upper ? sums[i * 2 * 32 + j * 4 + 1] : sums[i * 2 * 32 + j * 4 + 3], other_lane);
                const int low2 = is_upper ? came2 : sums[i * 2 * 32 + j * 4 + 1];
                const int high2 = is_upper ? sums[i * 2 * 32 + j * 4 + 3] : came2;
                const int came3 = shuffle(is_upper ? sums[i * 2 * 32 + j * 4 + 32] : sums[i * 2 * 32 + j * 4 + 34], other_lane);
                const int low3 = is_upper ? came3 : sums[i * 2 * 32 + j * 4 + 32];
                const int high3 = is_upper ? sums[i * 2 * 32 + j * 4 + 34] : came3;
                const int came4 = shuffle(is_upper ? sums[i * 2 * 32 + j * 4 + 33] : sums[i * 2 * 32 + j * 4 + 35], other_lane);
                const int low4 = is_upper ? came4 : sums[i * 2 * 32 + j * 4 + 33];
                const int high4 = is_upper ? sums[i * 2 * 32 + j * 4 + 35] : came4;
                const int other_lane2 = lane ^ 2;
                const bool is_upper2 = lane / 2 % 2 == 1;
                const int came5 = shuffle(is_upper2 ? low : low3, other_lane2);
                const int low5 = is_upper2 ? came5 : low;
                const int high5 = is_upper2 ? low3 : came5;
                const int came6 = shuffle(is_upper2 ? low2 : low4, other_lane2);
                const int low6 = is_upper2 ? came6 : low2;
                const int high6 = is_upper2 ? low4 : came6;
                const int came7 = shuffle(is_upper2 ? high : high3, other_lane2);
                const int low7 = is_upper2 ? came7 : high;
                const int high7 = is_upper2 ? high3 : came7;
                const int came8 = shuffle(is_upper2 ? high2 : high4, other_lane2);
                const int low8 = is_upper2 ? came8 : high2;
                const int high8 = is_upper2 ? high4 : came8;
                const int row = first_column + warp_column + j * 8;
                accumulators part;
                part.s0 = static_cast<u64>(low5);
                const int one = finish_0(part.s0, int(at.word[3]));
                if (row < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row) * int(at.word[2]) + column] = one;
                const int row2 = first_column + warp_column + (j * 8 + 1);
                accumulators part2;
                part2.s0 = static_cast<u64>(low6);
                const int one2 = finish_0(part2.s0, int(at.word[3]));
                if (row2 < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row2) * int(at.word[2]) + column] = one2;
                const int row3 = first_column + warp_column + (j * 8 + 2);
                accumulators part3;
                part3.s0 = static_cast<u64>(low7);
                const int one3 = finish_0(part3.s0, int(at.word[3]));
                if (row3 < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row3) * int(at.word[2]) + column] = one3;
                const int row4 = first_column + warp_column + (j * 8 + 3);
                accumulators part4;
                part4.s0 = static_cast<u64>(low8);
                const int one4 = finish_0(part4.s0, int(at.word[3]));
                if (row4 < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row4) * int(at.word[2]) + column] = one4;
                const int row5 = first_column + warp_column + (j * 8 + 4);
                accumulators part5;
                part5.s0 = static_cast<u64>(high5);
                const int one5 = finish_0(part5.s0, int(at.word[3]));
                if (row5 < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row5) * int(at.word[2]) + column] = one5;
                const int row6 = first_column + warp_column + (j * 8 + 5);
                accumulators part6;
                part6.s0 = static_cast<u64>(high6);
                const int one6 = finish_0(part6.s0, int(at.word[3]));
                if (row6 < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row6) * int(at.word[2]) + column] = one6;
                const int row7 = first_column + warp_column + (j * 8 + 6);
                accumulators part7;
                part7.s0 = static_cast<u64>(high7);
                const int one7 = finish_0(part7.s0, int(at.word[3]));
                if (row7 < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row7) * int(at.word[2]) + column] = one7;
                const int row8 = first_column + warp_column + (j * 8 + 7);
                accumulators part8;
                part8.s0 = static_cast<u64>(high8);
                const int one8 = finish_0(part8.s0, int(at.word[3]));
                if (row8 < int(at.word[1]) && column < int(at.word[2])) y0[static_cast<unsigned int>(row8) * int(at.word[2]) + column] = one8;
            }
        }
    }
}
