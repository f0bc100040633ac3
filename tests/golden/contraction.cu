// sum(x0 * x1)
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, store
// ... shared/heads.cu: layout, kiln_sum_of_mul_f32_axes3_contraction32x64
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    __shared__ __align__(16) float shared_x0[2304];
    __shared__ __align__(16) float shared_x1[4352];
    __shared__ accumulators exchanged[2048];
    // ... as in contiguous
    const unsigned int tile_row = divide(block, at.word[8]);
    const unsigned int outer = divide(tile_row, at.word[10]);
    const int first_column = (block - tile_row * at.word[7]) * 64;
    const int first_row = (tile_row - outer * at.word[9]) * 32;
    const unsigned int reduced = static_cast<unsigned int>(int(at.word[2]));
    const int lane = thread / 32;
    const int of_tile = thread % 32;
    const int thread_row = of_tile / 8 * 8;
    const int thread_column = of_tile % 8 * 4;
    accumulators part[64];
    #pragma unroll
    for (int v = 0; v < 64; ++v) part[v] = identity();
    f32x4 v_x0[2];
    float next_x0[4];
    const int deep_of_x0 = thread % 8 + thread / 256 * 8;
    const int across_x0 = thread / 8 % 32;
    const int row = least_index(first_row + across_x0, int(at.word[1]) - 1);
    const int at_x0 = row * int(at.word[12]) + deep_of_x0;
    int next_at_x0 = at_x0;
    f32x4 v_x1[2];
    float next_x1[8];
    const int deep_of_x1 = thread / 64;
    const int across_x1 = thread / 1 % 64;
    const int column = least_index(first_column + across_x1, int(at.word[3]) - 1);
    const int at_x1 = deep_of_x1 * int(at.word[13]) + column;
    int next_at_x1 = at_x1;
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int n = deep_of_x0 + u * 8;
        if (n < reduced) next_x0[u] = x0[next_at_x0 + u * 8];
    }
    next_at_x0 = next_at_x0 + 1 * 32;
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int n = deep_of_x1 + u * 4;
        if (n < reduced) next_x1[u] = x1[next_at_x1 + u * 4 * int(at.word[13])];
    }
    next_at_x1 = next_at_x1 + int(at.word[13]) * 32;
    int stage = 0;
    #pragma unroll
    for (int u = 0; u < 4; ++u) shared_x0[(stage * 32 + (deep_of_x0 + u * 8)) * 36 + across_x0] = next_x0[u];
    #pragma unroll
    for (int u = 0; u < 8; ++u) shared_x1[(stage * 32 + (deep_of_x1 + u * 4)) * 68 + across_x1] = next_x1[u];
    __syncthreads();
    #pragma unroll 1
    for (unsigned int next = 0; next < reduced; next += 32) {
        const unsigned int following = next + 32;
        if (following < reduced) {
            #pragma unroll
            for (int u = 0; u < 4; ++u) {
                const unsigned int n = following + (deep_of_x0 + u * 8);
                if (n < reduced) next_x0[u] = x0[next_at_x0 + u * 8];
            }
            next_at_x0 = next_at_x0 + 1 * 32;
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                const unsigned int n = following + (deep_of_x1 + u * 4);
                if (n < reduced) next_x1[u] = x1[next_at_x1 + u * 4 * int(at.word[13])];
            }
            next_at_x1 = next_at_x1 + int(at.word[13]) * 32;
        }
        const int depth = least_index(reduced - next, 32);
        if (depth == 32) {
            #pragma unroll 4
            for (int round = 0; round < 4; ++round) {
                const int deep = lane + round * 8;
                #pragma unroll
                for (int v = 0; v < 2; ++v) v_x0[v] = reinterpret_cast<const f32x4&>(shared_x0[(stage * 32 + deep) * 36 + (thread_row + v * 4)]);
                #pragma unroll
                for (int v = 0; v < 2; ++v) v_x1[v] = reinterpret_cast<const f32x4&>(shared_x1[(stage * 32 + deep) * 68 + (thread_column + v * 4 / 4 * 32 + v * 4 % 4)]);
                #pragma unroll
                for (int r = 0; r < 8; ++r) {
                    #pragma unroll
                    for (int c = 0; c < 8; ++c) {
                        float one_y0;
                        body(v_x0[r / 4].v[r % 4], v_x1[c / 4].v[c % 4], one_y0);
                        // ... as in rows
                        part[r * 8 + c] = combine(part[r * 8 + c], one);
                    }
                }
            }
        } else {
            #pragma unroll 1
            for (int deep = lane; deep < depth; deep += 8) {
                #pragma unroll
                for (int v = 0; v < 2; ++v) v_x0[v] = reinterpret_cast<const f32x4&>(shared_x0[(stage * 32 + deep) * 36 + (thread_row + v * 4)]);
                #pragma unroll
                for (int v = 0; v < 2; ++v) v_x1[v] = reinterpret_cast<const f32x4&>(shared_x1[(stage * 32 + deep) * 68 + (thread_column + v * 4 / 4 * 32 + v * 4 % 4)]);
                #pragma unroll
                for (int r = 0; r < 8; ++r) {
                    #pragma unroll
                    for (int c = 0; c < 8; ++c) {
                        float one_y0;
                        body(v_x0[r / 4].v[r % 4], v_x1[c / 4].v[c % 4], one_y0);
                        // ... as in rows
                        part[r * 8 + c] = combine(part[r * 8 + c], one);
                    }
                }
            }
        }
        stage = stage ^ 1;
        if (following < reduced) {
            #pragma unroll
            for (int u = 0; u < 4; ++u) shared_x0[(stage * 32 + (deep_of_x0 + u * 8)) * 36 + across_x0] = next_x0[u];
            #pragma unroll
            for (int u = 0; u < 8; ++u) shared_x1[(stage * 32 + (deep_of_x1 + u * 4)) * 68 + across_x1] = next_x1[u];
        }
        __syncthreads();
    }
    #pragma unroll
    for (int first = 0; first < 64; first += 16) {
        // ... as in columns
            const int threads = apart * 32;
            if (lane >= apart && lane < apart * 2) {
                #pragma unroll
                for (int v = 0; v < 16; ++v) exchanged[v * threads + thread - threads] = part[first + v];
            }
            __syncthreads();
            if (lane < apart) {
                #pragma unroll
                for (int v = 0; v < 16; ++v) part[first + v] = combine(part[first + v], exchanged[v * threads + thread]);
            }
            __syncthreads();
        }
    }
    if (lane == 0) {
        #pragma unroll
        for (int r = 0; r < 8; ++r) {
            const int row2 = first_row + (thread_row + r);
            if (row2 < int(at.word[1])) {
                #pragma unroll
                for (int g = 0; g < 2; ++g) {
                    const int column2 = first_column + (thread_column + g * 4 / 4 * 32 + g * 4 % 4);
                    const unsigned int value = static_cast<unsigned int>(row2) * int(at.word[3]) + column2;
                    const int left = int(at.word[3]) - column2;
                    f32x4 v_y0;
                    #pragma unroll
                    for (int k = 0; k < 4; ++k) v_y0.v[k] = finish_0(part[r * 8 + g * 4 + k].s0, reduced);
                    if (left >= 4 && reinterpret_cast<unsigned long long>(y0 + value) % 16 == 0) {
                        store(y0 + value, v_y0);
                    } else {
                        #pragma unroll
                        for (int k = 0; k < 4; ++k) {
                            if (k < left) y0[value + k] = v_y0.v[k];
                        }
                    }
                }
            }
        }
    }
}
