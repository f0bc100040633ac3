// bfloat16(dot(float32(x0) * float32(x1)))
// ... shared/helpers.cu: bits_of, float_of, rounded, wait_for_earlier_kernels, copy_async, copy_async_part, commit_copies, wait_copies, publish_copies, lines_of_group, multiply_lines_bf16, multiply_group_bf16, wait_products, bf16, f32_from_bf16, bf16_from_f32
// ... shared/accumulators.cu: dot_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: bf16x8, store, write, bf16x2
// ... shared/heads.cu: layout, kiln_dot_of_cast2_mul_bf16_axes3_contraction128x256
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    extern __shared__ __align__(1024) unsigned char dynamic_shared[];
    // ... as in tensor_contraction_turned
    bf16* const shared_x1 = reinterpret_cast<bf16*>(dynamic_shared + 65536);
    // ... as in tensor_contraction
    const int first_column = among / together * 256;
    // ... as in tensor_contraction
    const int warp_row = warp / 1 * 16;
    const int warp_column = warp % 1 * 256;
    // ... as in tensor_contraction_turned
    // ... as in tensor_contraction
    const int place_of_x0 = line_of_x0 * 64 + ((in_line_of_x0 % 64 / 8) ^ (line_of_x0 % 8)) * 8 + in_line_of_x0 % 64 % 8;
    // ... as in tensor_contraction
    int places_of_x0[4];
    #pragma unroll
    for (int u = 0; u < 4; ++u) places_of_x0[u] = next_at_x0 + least_index(first_row + (line_of_x0 + u * 32), int(at.word[1]) - 1) * int(at.word[12]);
    // ... as in tensor_contraction
    const int place_of_x1 = line_of_x1 * 64 + ((in_line_of_x1 % 64 / 8) ^ (line_of_x1 % 8)) * 8 + in_line_of_x1 % 64 % 8;
    // ... as in tensor_contraction_turned
    int places_of_x1[8];
    #pragma unroll
    for (int u = 0; u < 8; ++u) places_of_x1[u] = next_at_x1 + least_index(first_column + (line_of_x1 + u * 32), int(at.word[3]) - 1) * int(at.word[13]);
    // ... as in tensor_contraction
            for (int u = 0; u < 4; ++u) {
                copy_async<16>(shared_x0 + (s * 8192 + (place_of_x0 + u * 2048)), x0 + places_of_x0[u]);
            }
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                copy_async<16>(shared_x1 + (s * 16384 + (place_of_x1 + u * 2048)), x1 + places_of_x1[u]);
            // ... as in tensor_contraction
                for (int u = 0; u < 4; ++u) {
                    copy_async_part<16>(shared_x0 + (s * 8192 + (place_of_x0 + u * 2048)), x0 + places_of_x0[u], least_index(left, 8));
                }
            } else {
                #pragma unroll
                for (int u = 0; u < 4; ++u) write(shared_x0 + (s * 8192 + (place_of_x0 + u * 2048)), bf16x8{});
            // ... as in tensor_contraction_turned
                for (int u = 0; u < 8; ++u) {
                    copy_async_part<16>(shared_x1 + (s * 16384 + (place_of_x1 + u * 2048)), x1 + places_of_x1[u], least_index(left2, 8));
                }
            } else {
                #pragma unroll
                for (int u = 0; u < 8; ++u) write(shared_x1 + (s * 16384 + (place_of_x1 + u * 2048)), bf16x8{});
            }
        }
        #pragma unroll
        for (int u = 0; u < 4; ++u) places_of_x0[u] = places_of_x0[u] + 1 * 64;
        #pragma unroll
        for (int u = 0; u < 8; ++u) places_of_x1[u] = places_of_x1[u] + 1 * 64;
        commit_copies();
    }
    int stage = 0;
    int filled = 2;
    const int group = thread / 128;
    // ... as in tensor_contraction
        wait_copies<1>();
        publish_copies();
        __syncthreads();
        multiply_group_bf16<false, false>(sums, shared_x0 + (stage * 8192 + group * 4096), shared_x1 + stage * 16384);
        // ... as in tensor_contraction
            for (int u = 0; u < 4; ++u) {
                copy_async<16>(shared_x0 + (filled * 8192 + (place_of_x0 + u * 2048)), x0 + places_of_x0[u]);
            }
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                copy_async<16>(shared_x1 + (filled * 16384 + (place_of_x1 + u * 2048)), x1 + places_of_x1[u]);
            // ... as in tensor_contraction
                for (int u = 0; u < 4; ++u) {
                    copy_async_part<16>(shared_x0 + (filled * 8192 + (place_of_x0 + u * 2048)), x0 + places_of_x0[u], least_index(left, 8));
                }
            } else {
                #pragma unroll
                for (int u = 0; u < 4; ++u) write(shared_x0 + (filled * 8192 + (place_of_x0 + u * 2048)), bf16x8{});
            // ... as in tensor_contraction_turned
                for (int u = 0; u < 8; ++u) {
                    copy_async_part<16>(shared_x1 + (filled * 16384 + (place_of_x1 + u * 2048)), x1 + places_of_x1[u], least_index(left2, 8));
                }
            } else {
                #pragma unroll
                for (int u = 0; u < 8; ++u) write(shared_x1 + (filled * 16384 + (place_of_x1 + u * 2048)), bf16x8{});
            }
        }
        #pragma unroll
        for (int u = 0; u < 4; ++u) places_of_x0[u] = places_of_x0[u] + 1 * 64;
        #pragma unroll
        for (int u = 0; u < 8; ++u) places_of_x1[u] = places_of_x1[u] + 1 * 64;
        commit_copies();
        wait_products<1>();
        // ... as in tensor_contraction_turned
    }
    wait_products<0>();
    const int among_eight = lane / 4;
    const int place_of_thread = (warp_row + among_eight) * 64 + lane % 4 * 2;
    wait_copies<0>();
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < 2; ++i) {
        #pragma unroll
        for (int j = 0; j < 32; ++j) {
            bf16x2 rounded;
            // ... as in tensor_contraction
                part.s0 = sums[i / 2 * 128 + j * 4 + i % 2 * 2 + k];
                rounded.v[k] = finish_0(part.s0, int(at.word[2]));
            }
            write(shared_x0 + (place_of_thread + i * 512 + j / 8 * 8192 + (among_eight ^ (j % 8)) * 8), rounded);
        }
    }
    __syncthreads();
    const int first_of_thread = thread % 32 * 8;
    const int row_of_thread = thread / 32;
    const int column = first_column + first_of_thread;
    if (column < int(at.word[3])) {
        #pragma unroll 4
        for (int down = 0; down < 128; down += 8) {
            const int in_tile = row_of_thread + down;
            const int row = first_row + in_tile;
            if (row < int(at.word[1])) {
                const bf16x8 sums_of_row = reinterpret_cast<const bf16x8&>(shared_x0[first_of_thread / 64 * 8192 + (in_tile * 64 + ((first_of_thread % 64 / 8) ^ (in_tile % 8)) * 8 + first_of_thread % 64 % 8)]);
                // ... as in tensor_contraction
                bf16x8 values;
                #pragma unroll
                for (int k = 0; k < 8; ++k) values.v[k] = sums_of_row.v[k];
                if (int(at.word[3]) - column >= 8 && reinterpret_cast<unsigned long long>(y0 + value) % 16 == 0) {
                    store(y0 + value, values);
                } else {
                    #pragma unroll
                    for (int k = 0; k < 8; ++k) {
                        if (k < int(at.word[3]) - column) y0[value + k] = values.v[k];
                    }
                }
            }
        }
    }
}
