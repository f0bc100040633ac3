// sum(x0 * x1)
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, store
// ... shared/heads.cu: layout, kiln_sum_of_mul_f32_axes3_contraction32x32
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    // ... as in contraction
    __shared__ __align__(16) float shared_x1[2304];
    // ... as in contraction
    // ... as in contraction_of_rows
    // ... as in contraction
    f32x4 v_x0[1];
    float next_x0[2];
    // ... as in contraction
    f32x4 v_x1[1];
    float next_x1[2];
    const int deep_of_x1 = thread % 8 + thread / 256 * 8;
    const int across_x1 = thread / 8 % 32;
    // ... as in contraction_of_rows
    for (int u = 0; u < 2; ++u) {
        const unsigned int n = deep_of_x0 + u * 16;
        if (n < reduced) next_x0[u] = x0[next_at_x0 + u * 16];
    }
    next_at_x0 = next_at_x0 + 1 * 32;
    #pragma unroll
    for (int u = 0; u < 2; ++u) {
        const unsigned int n = deep_of_x1 + u * 16;
        if (n < reduced) next_x1[u] = x1[next_at_x1 + u * 16];
    }
    next_at_x1 = next_at_x1 + 1 * 32;
    int stage = 0;
    #pragma unroll
    for (int u = 0; u < 2; ++u) shared_x0[(stage * 32 + (deep_of_x0 + u * 16)) * 36 + across_x0] = next_x0[u];
    #pragma unroll
    for (int u = 0; u < 2; ++u) shared_x1[(stage * 32 + (deep_of_x1 + u * 16)) * 36 + across_x1] = next_x1[u];
    // ... as in contraction
            for (int u = 0; u < 2; ++u) {
                const unsigned int n = following + (deep_of_x0 + u * 16);
                if (n < reduced) next_x0[u] = x0[next_at_x0 + u * 16];
            }
            next_at_x0 = next_at_x0 + 1 * 32;
            #pragma unroll
            for (int u = 0; u < 2; ++u) {
                const unsigned int n = following + (deep_of_x1 + u * 16);
                if (n < reduced) next_x1[u] = x1[next_at_x1 + u * 16];
            }
            next_at_x1 = next_at_x1 + 1 * 32;
        // ... as in contraction
        #pragma unroll 1
        for (int vector = lane * 4; vector < depth; vector += 32) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int deep = vector + k;
                if (deep < depth) {
                    v_x0[0] = reinterpret_cast<const f32x4&>(shared_x0[(stage * 32 + deep) * 36 + thread_row]);
                    v_x1[0] = reinterpret_cast<const f32x4&>(shared_x1[(stage * 32 + deep) * 36 + thread_column]);
                    // ... as in contraction_of_rows
                            part[k * 16 + (r * 4 + c)] = combine(part[k * 16 + (r * 4 + c)], one);
                        }
                    // ... as in contraction
            for (int u = 0; u < 2; ++u) shared_x0[(stage * 32 + (deep_of_x0 + u * 16)) * 36 + across_x0] = next_x0[u];
            #pragma unroll
            for (int u = 0; u < 2; ++u) shared_x1[(stage * 32 + (deep_of_x1 + u * 16)) * 36 + across_x1] = next_x1[u];
        }
        __syncthreads();
    }
    #pragma unroll
    for (int v = 0; v < 16; ++v) part[v] = combine(combine(part[v], part[v + 16]), combine(part[v + 32], part[v + 48]));
    #pragma unroll
    for (int first = 0; first < 16; first += 8) {
        // ... as in columns
            const int threads = apart * 64;
            if (lane >= apart && lane < apart * 2) {
                #pragma unroll
                for (int v = 0; v < 8; ++v) exchanged[v * threads + thread - threads] = part[first + v];
            }
            __syncthreads();
            if (lane < apart) {
                #pragma unroll
                for (int v = 0; v < 8; ++v) part[first + v] = combine(part[first + v], exchanged[v * threads + thread]);
            }
            __syncthreads();
        }
    }
    // ... as in contraction_of_rows
