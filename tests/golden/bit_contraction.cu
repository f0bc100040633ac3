// int32(sum(uint64(popcount(x0 & x1))))
// ... shared/types.cu: u32, u64
// ... shared/helpers.cu: shuffle, wait_for_earlier_kernels, copy_async, copy_async_part, commit_copies, wait_copies, load_tile, multiply_tile_b1
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: u32x2, write, i32x4, store
// ... shared/heads.cu: layout, kiln_sum_of_bit_and_popcount_i32_axes3_contraction128x128
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    // ... as in finished_product_of_floats
    u32* const shared_x0 = reinterpret_cast<u32*>(dynamic_shared + 0);
    u32* const shared_x1 = reinterpret_cast<u32*>(dynamic_shared + 40960);
    // ... as in tensor_contraction_turned
    u32 a[32];
    const int a_of_warp = (warp_row + lane / 8 % 2 * 8 + lane % 8) * 20 + lane / 8 / 2 * 4;
    u32 b[32];
    const int b_of_warp = (warp_column + lane / 8 / 2 * 8 + lane % 8) * 20 + lane / 8 % 2 * 4;
    int sums[128];
    // ... as in tensor_contraction_groups
    const int in_line_of_x0 = thread % 8 * 2;
    // ... as in tensor_contraction
    const int in_line_of_x1 = thread % 8 * 2;
    // ... as in tensor_contraction_groups
    for (int u = 0; u < 8; ++u) places_of_x1[u] = next_at_x1 + least_index(first_column + (line_of_x1 + u * 16), int(at.word[2]) - 1) * int(at.word[13]);
    #pragma unroll
    for (int s = 0; s < 3; ++s) {
        const int k = s * 16;
        if (k + 16 <= int(at.word[3])) {
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                copy_async<8>(shared_x0 + (s * 2560 + ((line_of_x0 + u * 16) * 20 + in_line_of_x0)), x0 + places_of_x0[u]);
            }
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                copy_async<8>(shared_x1 + (s * 2560 + ((line_of_x1 + u * 16) * 20 + in_line_of_x1)), x1 + places_of_x1[u]);
            }
        } else {
            const int left = int(at.word[3]) - (k + in_line_of_x0);
            if (left > 0) {
                #pragma unroll
                for (int u = 0; u < 8; ++u) {
                    copy_async_part<8>(shared_x0 + (s * 2560 + ((line_of_x0 + u * 16) * 20 + in_line_of_x0)), x0 + places_of_x0[u], least_index(left, 2));
                }
            } else {
                #pragma unroll
                for (int u = 0; u < 8; ++u) write(shared_x0 + (s * 2560 + ((line_of_x0 + u * 16) * 20 + in_line_of_x0)), u32x2{});
            }
            const int left2 = int(at.word[3]) - (k + in_line_of_x1);
            if (left2 > 0) {
                #pragma unroll
                for (int u = 0; u < 8; ++u) {
                    copy_async_part<8>(shared_x1 + (s * 2560 + ((line_of_x1 + u * 16) * 20 + in_line_of_x1)), x1 + places_of_x1[u], least_index(left2, 2));
                }
            } else {
                #pragma unroll
                for (int u = 0; u < 8; ++u) write(shared_x1 + (s * 2560 + ((line_of_x1 + u * 16) * 20 + in_line_of_x1)), u32x2{});
            }
        }
        #pragma unroll
        for (int u = 0; u < 8; ++u) places_of_x0[u] = places_of_x0[u] + 1 * 16;
        #pragma unroll
        for (int u = 0; u < 8; ++u) places_of_x1[u] = places_of_x1[u] + 1 * 16;
        // ... as in tensor_contraction_turned
        load_tile<4, false>(a + i * 4, shared_x0 + (a_of_warp + stage * 2560 + i * 320));
    }
    #pragma unroll
    for (int j = 0; j < 4; ++j) {
        load_tile<4, false>(b + j * 4, shared_x1 + (b_of_warp + stage * 2560 + j * 320));
    }
    int filled = 3;
    #pragma unroll 1
    for (int next = 0; next < int(at.word[3]); next += 16) {
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            load_tile<4, false>(a + (i * 4 + 16), shared_x0 + (a_of_warp + stage * 2560 + 8 + i * 320));
        }
        #pragma unroll
        for (int j = 0; j < 4; ++j) {
            load_tile<4, false>(b + (j * 4 + 16), shared_x1 + (b_of_warp + stage * 2560 + 8 + j * 320));
        }
        const int k = next + 48;
        if (k + 16 <= int(at.word[3])) {
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                copy_async<8>(shared_x0 + (filled * 2560 + ((line_of_x0 + u * 16) * 20 + in_line_of_x0)), x0 + places_of_x0[u]);
            }
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                copy_async<8>(shared_x1 + (filled * 2560 + ((line_of_x1 + u * 16) * 20 + in_line_of_x1)), x1 + places_of_x1[u]);
            }
        } else {
            const int left = int(at.word[3]) - (k + in_line_of_x0);
            if (left > 0) {
                #pragma unroll
                for (int u = 0; u < 8; ++u) {
                    copy_async_part<8>(shared_x0 + (filled * 2560 + ((line_of_x0 + u * 16) * 20 + in_line_of_x0)), x0 + places_of_x0[u], least_index(left, 2));
                }
            } else {
                #pragma unroll
                for (int u = 0; u < 8; ++u) write(shared_x0 + (filled * 2560 + ((line_of_x0 + u * 16) * 20 + in_line_of_x0)), u32x2{});
            }
            const int left2 = int(at.word[3]) - (k + in_line_of_x1);
            if (left2 > 0) {
                #pragma unroll
                for (int u = 0; u < 8; ++u) {
                    copy_async_part<8>(shared_x1 + (filled * 2560 + ((line_of_x1 + u * 16) * 20 + in_line_of_x1)), x1 + places_of_x1[u], least_index(left2, 2));
                }
            } else {
                #pragma unroll
                for (int u = 0; u < 8; ++u) write(shared_x1 + (filled * 2560 + ((line_of_x1 + u * 16) * 20 + in_line_of_x1)), u32x2{});
            }
        }
        #pragma unroll
        for (int u = 0; u < 8; ++u) places_of_x0[u] = places_of_x0[u] + 1 * 16;
        #pragma unroll
        for (int u = 0; u < 8; ++u) places_of_x1[u] = places_of_x1[u] + 1 * 16;
        // ... as in tensor_contraction_turned
                multiply_tile_b1(sums + (i * 32 + j * 4), a + i * 4, b + j * 2);
            // ... as in tensor_contraction_turned
            load_tile<4, false>(a + i * 4, shared_x0 + (a_of_warp + stage * 2560 + i * 320));
        }
        #pragma unroll
        for (int j = 0; j < 4; ++j) {
            load_tile<4, false>(b + j * 4, shared_x1 + (b_of_warp + stage * 2560 + j * 320));
        }
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                multiply_tile_b1(sums + (i * 32 + j * 4), a + (i * 4 + 16), b + (j * 2 + 16));
            }
        }
    }
    const bool is_odd = lane % 2 == 1;
    const int neighbour = lane ^ 1;
    // ... as in tensor_contraction
    const int column_in_tile = warp_column + lane % 2 * 8 + lane % 4 / 2 * 4;
    // ... as in tensor_contraction
        #pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int column = first_column + column_in_tile + j * 16;
            i32x4 four;
            #pragma unroll
            for (int k = 0; k < 2; ++k) {
                const int in_near = sums[i / 2 * 32 + j * 2 * 4 + i % 2 * 2 + k];
                const int in_far = sums[i / 2 * 32 + j * 2 * 4 + i % 2 * 2 + 4 + k];
                const int came = shuffle(is_odd ? in_near : in_far, neighbour);
                accumulators part;
                part.s0 = static_cast<u64>(is_odd ? came : in_near);
                four.v[k] = finish_0(part.s0, int(at.word[3]));
                accumulators part2;
                part2.s0 = static_cast<u64>(is_odd ? in_far : came);
                four.v[k + 2] = finish_0(part2.s0, int(at.word[3]));
            }
            if (row < int(at.word[1]) && column < int(at.word[2])) store(y0 + (static_cast<unsigned int>(row) * int(at.word[2]) + column), four);
        }
    }
}
