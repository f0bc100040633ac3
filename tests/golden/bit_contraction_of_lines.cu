// int32(sum(uint64(popcount(x0 & x1))))
// ... shared/types.cu: u32, u64
// ... shared/helpers.cu: shuffle, wait_for_earlier_kernels, copy_async_by_first_cache, copy_async_part_by_first_cache, commit_copies, wait_copies, load_tile, multiply_tile_b1
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: u32x4, write, i32x4, store
// ... shared/heads.cu: layout, kiln_sum_of_bit_and_popcount_i32_axes3_contraction128x128
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    // ... as in bit_contraction
    u32* const shared_x1 = reinterpret_cast<u32*>(dynamic_shared + 55296);
    // ... as in bit_contraction
    const int a_of_warp = (warp_row + lane / 8 % 2 * 8 + lane % 8) * 36 + lane / 8 / 2 * 4;
    u32 b[32];
    const int b_of_warp = (warp_column + lane / 8 / 2 * 8 + lane % 8) * 36 + lane / 8 % 2 * 4;
    // ... as in bit_contraction
    const int in_line_of_x0 = thread % 8 * 4;
    // ... as in tensor_contraction
    const int in_line_of_x1 = thread % 8 * 4;
    // ... as in bit_contraction
    for (int s = 0; s < 2; ++s) {
        const int k = s * 32;
        if (k + 32 <= int(at.word[3])) {
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                copy_async_by_first_cache(shared_x0 + (s * 4608 + ((line_of_x0 + u * 16) * 36 + in_line_of_x0)), x0 + places_of_x0[u]);
            }
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                copy_async_by_first_cache(shared_x1 + (s * 4608 + ((line_of_x1 + u * 16) * 36 + in_line_of_x1)), x1 + places_of_x1[u]);
            // ... as in bit_contraction
                    copy_async_part_by_first_cache(shared_x0 + (s * 4608 + ((line_of_x0 + u * 16) * 36 + in_line_of_x0)), x0 + places_of_x0[u], least_index(left, 4));
                }
            } else {
                #pragma unroll
                for (int u = 0; u < 8; ++u) write(shared_x0 + (s * 4608 + ((line_of_x0 + u * 16) * 36 + in_line_of_x0)), u32x4{});
            // ... as in bit_contraction
                    copy_async_part_by_first_cache(shared_x1 + (s * 4608 + ((line_of_x1 + u * 16) * 36 + in_line_of_x1)), x1 + places_of_x1[u], least_index(left2, 4));
                }
            } else {
                #pragma unroll
                for (int u = 0; u < 8; ++u) write(shared_x1 + (s * 4608 + ((line_of_x1 + u * 16) * 36 + in_line_of_x1)), u32x4{});
            }
        }
        #pragma unroll
        for (int u = 0; u < 8; ++u) places_of_x0[u] = places_of_x0[u] + 1 * 32;
        #pragma unroll
        for (int u = 0; u < 8; ++u) places_of_x1[u] = places_of_x1[u] + 1 * 32;
        // ... as in tensor_contraction
        load_tile<4, false>(a + i * 4, shared_x0 + (a_of_warp + stage * 4608 + i * 576));
    }
    #pragma unroll
    for (int j = 0; j < 4; ++j) {
        load_tile<4, false>(b + j * 4, shared_x1 + (b_of_warp + stage * 4608 + j * 576));
    }
    int filled = 2;
    #pragma unroll 1
    for (int next = 0; next < int(at.word[3]); next += 32) {
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            load_tile<4, false>(a + (i * 4 + 16), shared_x0 + (a_of_warp + stage * 4608 + 8 + i * 576));
        }
        #pragma unroll
        for (int j = 0; j < 4; ++j) {
            load_tile<4, false>(b + (j * 4 + 16), shared_x1 + (b_of_warp + stage * 4608 + 8 + j * 576));
        }
        const int k = next + 64;
        if (k + 32 <= int(at.word[3])) {
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                copy_async_by_first_cache(shared_x0 + (filled * 4608 + ((line_of_x0 + u * 16) * 36 + in_line_of_x0)), x0 + places_of_x0[u]);
            }
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                copy_async_by_first_cache(shared_x1 + (filled * 4608 + ((line_of_x1 + u * 16) * 36 + in_line_of_x1)), x1 + places_of_x1[u]);
            // ... as in bit_contraction
                    copy_async_part_by_first_cache(shared_x0 + (filled * 4608 + ((line_of_x0 + u * 16) * 36 + in_line_of_x0)), x0 + places_of_x0[u], least_index(left, 4));
                }
            } else {
                #pragma unroll
                for (int u = 0; u < 8; ++u) write(shared_x0 + (filled * 4608 + ((line_of_x0 + u * 16) * 36 + in_line_of_x0)), u32x4{});
            // ... as in bit_contraction
                    copy_async_part_by_first_cache(shared_x1 + (filled * 4608 + ((line_of_x1 + u * 16) * 36 + in_line_of_x1)), x1 + places_of_x1[u], least_index(left2, 4));
                }
            } else {
                #pragma unroll
                for (int u = 0; u < 8; ++u) write(shared_x1 + (filled * 4608 + ((line_of_x1 + u * 16) * 36 + in_line_of_x1)), u32x4{});
            }
        }
        #pragma unroll
        for (int u = 0; u < 8; ++u) places_of_x0[u] = places_of_x0[u] + 1 * 32;
        #pragma unroll
        for (int u = 0; u < 8; ++u) places_of_x1[u] = places_of_x1[u] + 1 * 32;
        // ... as in tensor_contraction
            // ... as in bit_contraction
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            load_tile<4, false>(a + i * 4, shared_x0 + (a_of_warp + stage * 4608 + 16 + i * 576));
        }
        #pragma unroll
        for (int j = 0; j < 4; ++j) {
            load_tile<4, false>(b + j * 4, shared_x1 + (b_of_warp + stage * 4608 + 16 + j * 576));
        // ... as in bit_contraction
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            load_tile<4, false>(a + (i * 4 + 16), shared_x0 + (a_of_warp + stage * 4608 + 24 + i * 576));
        }
        #pragma unroll
        for (int j = 0; j < 4; ++j) {
            load_tile<4, false>(b + (j * 4 + 16), shared_x1 + (b_of_warp + stage * 4608 + 24 + j * 576));
        }
        // ... as in bit_contraction
        // ... as in tensor_contraction
            load_tile<4, false>(a + i * 4, shared_x0 + (a_of_warp + stage * 4608 + i * 576));
        }
        #pragma unroll
        for (int j = 0; j < 4; ++j) {
            load_tile<4, false>(b + j * 4, shared_x1 + (b_of_warp + stage * 4608 + j * 576));
        // ... as in bit_contraction
