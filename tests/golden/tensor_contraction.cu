// float16(dot(float32(x0) * float32(x1)))
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, copy_async_part, commit_copies, wait_copies, load_tile, multiply_tile_f16, f16, bits16_of, f32_from_f16, f16_from_f32
// ... shared/accumulators.cu: dot_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f16x2, store, f16x8, write
// ... shared/heads.cu: layout, kiln_dot_of_cast2_mul_f16_axes3_contraction128x64
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    // ... as in finished_product_of_floats
    f16* const shared_x0 = reinterpret_cast<f16*>(dynamic_shared + 0);
    f16* const shared_x1 = reinterpret_cast<f16*>(dynamic_shared + 55296);
    // ... as in contiguous
    const unsigned int all_rows = divide(block, at.word[8]);
    const unsigned int outer = divide(all_rows, at.word[10]);
    const unsigned int first_of_rows = (all_rows - outer * at.word[9]) / 8 * 8;
    const unsigned int together = least_index(at.word[9] - first_of_rows, 8);
    const unsigned int among = block - (outer * at.word[9] + first_of_rows) * at.word[7];
    const unsigned int tile_row = first_of_rows + among % together;
    const int first_column = among / together * 64;
    const int first_row = tile_row * 128;
    const int lane = thread % 32;
    const int warp = thread / 32;
    const int warp_row = warp / 2 * 64;
    const int warp_column = warp % 2 * 32;
    f16x2 a[32];
    const int a_of_warp = (warp_row + lane / 8 % 2 * 8 + lane % 8) * 72 + lane / 8 / 2 * 8;
    f16x2 b[16];
    const int b_of_warp = (lane / 8 % 2 * 8 + lane % 8) * 72 + (warp_column + lane / 8 / 2 * 8);
    float sums[64];
    #pragma unroll
    for (int v = 0; v < 64; ++v) sums[v] = 0;
    const int line_of_x0 = thread / 8;
    const int in_line_of_x0 = thread % 8 * 8;
    const int along = in_line_of_x0;
    const int at_x0 = along;
    int next_at_x0 = at_x0;
    int places_of_x0[8];
    #pragma unroll
    for (int u = 0; u < 8; ++u) places_of_x0[u] = next_at_x0 + least_index(first_row + (line_of_x0 + u * 16), int(at.word[1]) - 1) * int(at.word[12]);
    const int line_of_x1 = thread / 8;
    const int in_line_of_x1 = thread % 8 * 8;
    const int beside = least_index(first_column + in_line_of_x1, (int(at.word[3]) - 1) / 8 * 8);
    const int along2 = line_of_x1;
    const int at_x1 = along2 * int(at.word[13]) + beside;
    int next_at_x1 = at_x1;
    int places_of_x1[4];
    #pragma unroll
    for (int u = 0; u < 4; ++u) places_of_x1[u] = next_at_x1 + int(at.word[13]) * (u * 16);
    #pragma unroll
    for (int s = 0; s < 2; ++s) {
        const int k = s * 64;
        if (k + 64 <= int(at.word[2])) {
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                copy_async<16>(shared_x0 + (s * 9216 + ((line_of_x0 + u * 16) * 72 + in_line_of_x0)), x0 + places_of_x0[u]);
            }
            #pragma unroll
            for (int u = 0; u < 4; ++u) {
                copy_async<16>(shared_x1 + (s * 4608 + ((line_of_x1 + u * 16) * 72 + in_line_of_x1)), x1 + places_of_x1[u]);
            }
        } else {
            const int left = int(at.word[2]) - (k + in_line_of_x0);
            if (left > 0) {
                #pragma unroll
                for (int u = 0; u < 8; ++u) {
                    copy_async_part<16>(shared_x0 + (s * 9216 + ((line_of_x0 + u * 16) * 72 + in_line_of_x0)), x0 + places_of_x0[u], least_index(left, 8));
                }
            } else {
                #pragma unroll
                for (int u = 0; u < 8; ++u) write(shared_x0 + (s * 9216 + ((line_of_x0 + u * 16) * 72 + in_line_of_x0)), f16x8{});
            }
            #pragma unroll
            for (int u = 0; u < 4; ++u) {
                if (k + (line_of_x1 + u * 16) < int(at.word[2])) {
                    copy_async<16>(shared_x1 + (s * 4608 + ((line_of_x1 + u * 16) * 72 + in_line_of_x1)), x1 + places_of_x1[u]);
                } else {
                    write(shared_x1 + (s * 4608 + ((line_of_x1 + u * 16) * 72 + in_line_of_x1)), f16x8{});
                }
            }
        }
        #pragma unroll
        for (int u = 0; u < 8; ++u) places_of_x0[u] = places_of_x0[u] + 1 * 64;
        #pragma unroll
        for (int u = 0; u < 4; ++u) places_of_x1[u] = places_of_x1[u] + int(at.word[13]) * 64;
        commit_copies();
    }
    wait_copies<1>();
    __syncthreads();
    int stage = 0;
    #pragma unroll
    for (int i = 0; i < 4; ++i) {
        load_tile<4, false>(a + i * 4, shared_x0 + (a_of_warp + stage * 9216 + i * 1152));
    }
    #pragma unroll
    for (int j = 0; j < 2; ++j) {
        load_tile<4, true>(b + j * 4, shared_x1 + (b_of_warp + stage * 4608 + j * 16));
    }
    int filled = 2;
    #pragma unroll 1
    for (int next = 0; next < int(at.word[2]); next += 64) {
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            load_tile<4, false>(a + (i * 4 + 16), shared_x0 + (a_of_warp + stage * 9216 + 16 + i * 1152));
        }
        #pragma unroll
        for (int j = 0; j < 2; ++j) {
            load_tile<4, true>(b + (j * 4 + 8), shared_x1 + (b_of_warp + stage * 4608 + 1152 + j * 16));
        }
        const int k = next + 128;
        if (k + 64 <= int(at.word[2])) {
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                copy_async<16>(shared_x0 + (filled * 9216 + ((line_of_x0 + u * 16) * 72 + in_line_of_x0)), x0 + places_of_x0[u]);
            }
            #pragma unroll
            for (int u = 0; u < 4; ++u) {
                copy_async<16>(shared_x1 + (filled * 4608 + ((line_of_x1 + u * 16) * 72 + in_line_of_x1)), x1 + places_of_x1[u]);
            }
        } else {
            const int left = int(at.word[2]) - (k + in_line_of_x0);
            if (left > 0) {
                #pragma unroll
                for (int u = 0; u < 8; ++u) {
                    copy_async_part<16>(shared_x0 + (filled * 9216 + ((line_of_x0 + u * 16) * 72 + in_line_of_x0)), x0 + places_of_x0[u], least_index(left, 8));
                }
            } else {
                #pragma unroll
                for (int u = 0; u < 8; ++u) write(shared_x0 + (filled * 9216 + ((line_of_x0 + u * 16) * 72 + in_line_of_x0)), f16x8{});
            }
            #pragma unroll
            for (int u = 0; u < 4; ++u) {
                if (k + (line_of_x1 + u * 16) < int(at.word[2])) {
                    copy_async<16>(shared_x1 + (filled * 4608 + ((line_of_x1 + u * 16) * 72 + in_line_of_x1)), x1 + places_of_x1[u]);
                } else {
                    write(shared_x1 + (filled * 4608 + ((line_of_x1 + u * 16) * 72 + in_line_of_x1)), f16x8{});
                }
            }
        }
        #pragma unroll
        for (int u = 0; u < 8; ++u) places_of_x0[u] = places_of_x0[u] + 1 * 64;
        #pragma unroll
        for (int u = 0; u < 4; ++u) places_of_x1[u] = places_of_x1[u] + int(at.word[13]) * 64;
        commit_copies();
        filled = filled + 1;
        if (filled == 3) filled = 0;
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            #pragma unroll
            for (int j = 0; j < 4; ++j) {
                multiply_tile_f16(sums + (i * 16 + j * 4), a + i * 4, b + j * 2);
            }
        }
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            load_tile<4, false>(a + i * 4, shared_x0 + (a_of_warp + stage * 9216 + 32 + i * 1152));
        }
        #pragma unroll
        for (int j = 0; j < 2; ++j) {
            load_tile<4, true>(b + j * 4, shared_x1 + (b_of_warp + stage * 4608 + 2304 + j * 16));
        }
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            #pragma unroll
            for (int j = 0; j < 4; ++j) {
                multiply_tile_f16(sums + (i * 16 + j * 4), a + (i * 4 + 16), b + (j * 2 + 8));
            }
        }
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            load_tile<4, false>(a + (i * 4 + 16), shared_x0 + (a_of_warp + stage * 9216 + 48 + i * 1152));
        }
        #pragma unroll
        for (int j = 0; j < 2; ++j) {
            load_tile<4, true>(b + (j * 4 + 8), shared_x1 + (b_of_warp + stage * 4608 + 3456 + j * 16));
        }
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            #pragma unroll
            for (int j = 0; j < 4; ++j) {
                multiply_tile_f16(sums + (i * 16 + j * 4), a + i * 4, b + j * 2);
            }
        }
        wait_copies<1>();
        __syncthreads();
        stage = stage + 1;
        if (stage == 3) stage = 0;
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            load_tile<4, false>(a + i * 4, shared_x0 + (a_of_warp + stage * 9216 + i * 1152));
        }
        #pragma unroll
        for (int j = 0; j < 2; ++j) {
            load_tile<4, true>(b + j * 4, shared_x1 + (b_of_warp + stage * 4608 + j * 16));
        }
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            #pragma unroll
            for (int j = 0; j < 4; ++j) {
                multiply_tile_f16(sums + (i * 16 + j * 4), a + (i * 4 + 16), b + (j * 2 + 8));
            }
        }
    }
    const int row_in_tile = warp_row + lane / 4;
    const int column_in_tile = warp_column + lane % 4 * 2;
    #pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int row = first_row + row_in_tile + i * 8;
        if (row < int(at.word[1])) {
            #pragma unroll
            for (int j = 0; j < 4; ++j) {
                const int column = first_column + column_in_tile + j * 8;
                const unsigned int value = static_cast<unsigned int>(row) * int(at.word[3]) + column;
                f16x2 pair;
                #pragma unroll
                for (int k = 0; k < 2; ++k) {
                    accumulators part;
                    part.s0 = sums[i / 2 * 16 + j * 4 + i % 2 * 2 + k];
                    pair.v[k] = finish_0(part.s0, int(at.word[2]));
                }
                if (int(at.word[3]) - column >= 2 && reinterpret_cast<unsigned long long>(y0 + value) % 4 == 0) {
                    store(y0 + value, pair);
                } else {
                    #pragma unroll
                    for (int k = 0; k < 2; ++k) {
                        if (k < int(at.word[3]) - column) y0[value + k] = pair.v[k];
                    }
                }
            }
        }
    }
}
