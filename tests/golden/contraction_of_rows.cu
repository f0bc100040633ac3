// sum((x0 - x1) * (x0 - x1))
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, store
// ... shared/heads.cu: layout, kiln_sum_of_sub_mul_f32_axes3_contraction32x32
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    __shared__ __align__(16) float shared_x0[576];
    __shared__ __align__(16) float shared_x1[576];
    // ... as in contraction
    const int first_column = (block - tile_row * at.word[7]) * 32;
    // ... as in contraction
    const unsigned int reduced = static_cast<unsigned int>(int(at.word[3]));
    const int lane = thread / 64;
    const int of_tile = thread % 64;
    const int thread_row = of_tile / 8 * 4;
    // ... as in contraction
    f32x4 v_x0[1];
    float next_x0[4];
    const int deep_of_x0 = thread % 2 + thread / 64 * 2;
    const int across_x0 = thread / 2 % 32;
    // ... as in contraction
    f32x4 v_x1[1];
    float next_x1[4];
    const int deep_of_x1 = thread % 2 + thread / 64 * 2;
    const int across_x1 = thread / 2 % 32;
    const int column = least_index(first_column + across_x1, int(at.word[2]) - 1);
    const int at_x1 = column * int(at.word[13]) + deep_of_x1;
    // ... as in contraction
        const unsigned int n = deep_of_x0 + u * 2;
        if (n < reduced) next_x0[u] = x0[next_at_x0 + u * 2];
    }
    next_at_x0 = next_at_x0 + 1 * 8;
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int n = deep_of_x1 + u * 2;
        if (n < reduced) next_x1[u] = x1[next_at_x1 + u * 2];
    }
    next_at_x1 = next_at_x1 + 1 * 8;
    int stage = 0;
    #pragma unroll
    for (int u = 0; u < 4; ++u) shared_x0[(stage * 8 + (deep_of_x0 + u * 2)) * 36 + across_x0] = next_x0[u];
    #pragma unroll
    for (int u = 0; u < 4; ++u) shared_x1[(stage * 8 + (deep_of_x1 + u * 2)) * 36 + across_x1] = next_x1[u];
    __syncthreads();
    #pragma unroll 1
    for (unsigned int next = 0; next < reduced; next += 8) {
        const unsigned int following = next + 8;
        // ... as in contraction
                const unsigned int n = following + (deep_of_x0 + u * 2);
                if (n < reduced) next_x0[u] = x0[next_at_x0 + u * 2];
            }
            next_at_x0 = next_at_x0 + 1 * 8;
            #pragma unroll
            for (int u = 0; u < 4; ++u) {
                const unsigned int n = following + (deep_of_x1 + u * 2);
                if (n < reduced) next_x1[u] = x1[next_at_x1 + u * 2];
            }
            next_at_x1 = next_at_x1 + 1 * 8;
        }
        const int depth = least_index(reduced - next, 8);
        #pragma unroll 1
        for (int vector = 0; vector < depth; vector += 4) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int deep = vector + k;
                if (deep < depth) {
                    v_x0[0] = reinterpret_cast<const f32x4&>(shared_x0[(stage * 8 + deep) * 36 + thread_row]);
                    v_x1[0] = reinterpret_cast<const f32x4&>(shared_x1[(stage * 8 + deep) * 36 + thread_column]);
                    #pragma unroll
                    for (int r = 0; r < 4; ++r) {
                        #pragma unroll
                        for (int c = 0; c < 4; ++c) {
                            // ... as in contraction
                            part[k * 16 + r * 4 + c] = combine(part[k * 16 + r * 4 + c], one);
                        }
                    // ... as in contraction
            for (int u = 0; u < 4; ++u) shared_x0[(stage * 8 + (deep_of_x0 + u * 2)) * 36 + across_x0] = next_x0[u];
            #pragma unroll
            for (int u = 0; u < 4; ++u) shared_x1[(stage * 8 + (deep_of_x1 + u * 2)) * 36 + across_x1] = next_x1[u];
        }
        __syncthreads();
    }
    #pragma unroll
    for (int v = 0; v < 16; ++v) part[v] = combine(combine(part[v], part[v + 16]), combine(part[v + 32], part[v + 48]));
    if (lane == 0) {
        #pragma unroll
        for (int r = 0; r < 4; ++r) {
            // ... as in contraction
                const int column2 = first_column + thread_column;
                const unsigned int value = static_cast<unsigned int>(row2) * int(at.word[2]) + column2;
                const int left = int(at.word[2]) - column2;
                f32x4 v_y0;
                #pragma unroll
                for (int k = 0; k < 4; ++k) v_y0.v[k] = finish_0(part[r * 4 + k].s0, reduced);
                // ... as in contraction
