// sum((x0 - x1) * (x0 - x1))
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, store
// ... shared/heads.cu: layout, kiln_sum_of_sub_mul_f32_axes3_contraction32x32
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    __shared__ __align__(16) float shared_x0[288];
    __shared__ __align__(16) float shared_x1[288];
    // ... as in contraction
    const int first_column = (block - tile_row * at.word[7]) * 32;
    // ... as in contraction
    const unsigned int reduced = static_cast<unsigned int>(int(at.word[3]));
    const int lane = thread / 64;
    const int of_tile = thread % 64;
    const int thread_row = of_tile / 8 * 4;
    // ... as in contraction
    accumulators part[16];
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
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int n = deep_of_x1 + u * 2;
        if (n < reduced) next_x1[u] = x1[next_at_x1 + u * 2];
    }
    #pragma unroll
    for (int u = 0; u < 4; ++u) shared_x0[(deep_of_x0 + u * 2) * 36 + across_x0] = next_x0[u];
    #pragma unroll
    for (int u = 0; u < 4; ++u) shared_x1[(deep_of_x1 + u * 2) * 36 + across_x1] = next_x1[u];
    __syncthreads();
    #pragma unroll
    for (int v = 0; v < 16; ++v) part[v] = identity();
    #pragma unroll
    for (int item = 0; item < 2; ++item) {
        const int deep = item * 4;
        v_x0[0] = reinterpret_cast<const f32x4&>(shared_x0[deep * 36 + thread_row]);
        v_x1[0] = reinterpret_cast<const f32x4&>(shared_x1[deep * 36 + thread_column]);
        #pragma unroll
        for (int r = 0; r < 4; ++r) {
            #pragma unroll
            for (int c = 0; c < 4; ++c) {
                // ... as in contraction
                part[r * 4 + c] = combine(part[r * 4 + c], one);
            }
        }
    }
    accumulators other[16];
    #pragma unroll
    for (int v = 0; v < 16; ++v) other[v] = identity();
    #pragma unroll
    for (int item = 0; item < 2; ++item) {
        const int deep = item * 4 + 1;
        v_x0[0] = reinterpret_cast<const f32x4&>(shared_x0[deep * 36 + thread_row]);
        v_x1[0] = reinterpret_cast<const f32x4&>(shared_x1[deep * 36 + thread_column]);
        #pragma unroll
        for (int r = 0; r < 4; ++r) {
            #pragma unroll
            for (int c = 0; c < 4; ++c) {
                // ... as in contraction
                other[r * 4 + c] = combine(other[r * 4 + c], one);
            }
        }
    }
    #pragma unroll
    for (int v = 0; v < 16; ++v) part[v] = combine(part[v], other[v]);
    accumulators other2[16];
    #pragma unroll
    for (int v = 0; v < 16; ++v) other2[v] = identity();
    #pragma unroll
    for (int item = 0; item < 2; ++item) {
        const int deep = item * 4 + 2;
        v_x0[0] = reinterpret_cast<const f32x4&>(shared_x0[deep * 36 + thread_row]);
        v_x1[0] = reinterpret_cast<const f32x4&>(shared_x1[deep * 36 + thread_column]);
        #pragma unroll
        for (int r = 0; r < 4; ++r) {
            #pragma unroll
            for (int c = 0; c < 4; ++c) {
                // ... as in contraction
                other2[r * 4 + c] = combine(other2[r * 4 + c], one);
            }
        }
    }
    accumulators other3[16];
    #pragma unroll
    for (int v = 0; v < 16; ++v) other3[v] = identity();
    #pragma unroll
    for (int item = 0; item < 2; ++item) {
        const int deep = item * 4 + 3;
        v_x0[0] = reinterpret_cast<const f32x4&>(shared_x0[deep * 36 + thread_row]);
        v_x1[0] = reinterpret_cast<const f32x4&>(shared_x1[deep * 36 + thread_column]);
        #pragma unroll
        for (int r = 0; r < 4; ++r) {
            #pragma unroll
            for (int c = 0; c < 4; ++c) {
                // ... as in contraction
                other3[r * 4 + c] = combine(other3[r * 4 + c], one);
            }
        }
    }
    #pragma unroll
    for (int v = 0; v < 16; ++v) other2[v] = combine(other2[v], other3[v]);
    #pragma unroll
    for (int v = 0; v < 16; ++v) part[v] = combine(part[v], other2[v]);
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
