// sum(x0)
// ... shared/types.cu: u32
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_sum_f32_v4_axes2
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body
// ... shared/block_reduce.cu: block_reduce, is_last_of

    __shared__ accumulators shared[256];
    const unsigned int splits = at.word[5];
    const unsigned int group = divide(blockIdx.x, at.word[6]);
    // ... as in total
    const int lane = threadIdx.x / 32;
    // ... as in rows
    const bool is_there = (group * 32 + threadIdx.x % 32) * 4 < kept;
    const unsigned int value = is_there ? (group * 32 + threadIdx.x % 32) * 4 : kept - 4;
    const unsigned int begin = split * static_cast<unsigned int>(at.word[9]);
    const unsigned int end = split + 1 == splits ? reduced : begin + static_cast<unsigned int>(at.word[9]);
    const int p1 = value;
    // ... as in rows
    for (unsigned int next = begin + lane; next < end; next += 32) {
        f32x4 v_x0[4];
        #pragma unroll
        for (int u = 0; u < 4; ++u) {
            const unsigned int first = next + u * 8;
            // ... as in total
                // ... as in rows
            const unsigned int first = next + u * 8;
            // ... as in total
                // ... as in rows
    accumulators (&mine)[4] = part;
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
        // ... as in total
        for (int k = 0; k < 4; ++k) {
            // ... as in total
    __syncthreads();
    // ... as in total
    for (int k = 0; k < 4; ++k) {
        mine[k] = identity();
        for (unsigned int next = lane; next < splits; next += 64) {
            // ... as in total
                const unsigned int other_split = next + u * 8;
                // ... as in total
                if (next + u * 8 < splits) mine[k] = combine(mine[k], other[u]);
        }
    }
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
        // ... as in total
        f32x4 v_y0;
        #pragma unroll
        for (int k = 0; k < 4; ++k) v_y0.v[k] = finish_0(mine[k].s0, reduced);
        store(y0 + value, v_y0);
    }
}
