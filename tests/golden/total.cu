// max(x0)
// ... shared/types.cu: u32
// ... shared/accumulators.cu: max_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_max_f32_v4_axes1
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body
// ... shared/block_reduce.cu: further_on, block_reduce, is_last_of

    // ... as in rows
    const unsigned int splits = at.word[3];
    const unsigned int group = divide(blockIdx.x, at.word[4]);
    const unsigned int split = blockIdx.x - group * splits;
    const int lane = threadIdx.x % 256;
    const unsigned int kept = at.word[5];
    const unsigned int reduced = at.word[6];
    const bool is_there = group * 1 + threadIdx.x / 256 < kept;
    const unsigned int value = is_there ? group * 1 + threadIdx.x / 256 : kept - 1;
    const unsigned int begin = split * static_cast<unsigned int>(at.word[7]);
    const unsigned int end = split + 1 == splits ? reduced : begin + static_cast<unsigned int>(at.word[7]);
    // ... as in rows
    for (unsigned int next = begin + lane * 4; next < end; next += 2048) {
        f32x4 v_x0[2];
        #pragma unroll
        for (int u = 0; u < 2; ++u) {
            const unsigned int first = next + u * 1024;
            if (first + 4 <= end) {
                const int p0 = first;
                const unsigned int i = static_cast<unsigned int>(p0);
                v_x0[u] = load_f32x4(x0 + i);
            }
        }
        #pragma unroll
        for (int u = 0; u < 2; ++u) {
            const unsigned int first = next + u * 1024;
            if (first + 4 <= end) {
                const int p0 = first;
                const unsigned int i = static_cast<unsigned int>(p0);
                // ... as in rows
    if (begin + vectors * 4 < end && lane == vectors % 256) {
        // ... as in rows
                const int p0 = first;
                const unsigned int i = static_cast<unsigned int>(p0);
                // ... as in rows
    float* const left0 = reinterpret_cast<float*>(workspace);
    if (lane == 0 && is_there) {
        #pragma unroll
        for (int k = 0; k < 1; ++k) {
            left0[split * kept + value + k] = mine[k].s0;
        }
    }
    __shared__ bool is_last;
    if (threadIdx.x == 0) is_last = is_last_of(splits, counters + group);
    __syncthreads();
    if (!is_last) return;
    #pragma unroll
    for (int k = 0; k < 1; ++k) {
        mine[k] = identity();
        for (unsigned int next = lane; next < splits; next += 2048) {
            accumulators other[8];
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                const unsigned int other_split = next + u * 256;
                if (other_split < splits) { other[u].s0 = left0[other_split * kept + value + k]; }
            }
            #pragma unroll
            for (int u = 0; u < 8; ++u)
                if (next + u * 256 < splits) mine[k] = combine(mine[k], other[u]);
        }
    }
    // ... as in rows
    if (threadIdx.x == 0) counters[group] = 0;
    // ... as in rows
