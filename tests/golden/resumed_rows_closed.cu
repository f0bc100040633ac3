// sum of float32, of a split's lanes
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: kiln_sum_f32_row256_closed

    // ... as in columns
    // ... as in wide_index
    const long long value = block % kept;
    const long long split = first_split + block / kept;
    const long long first = (value * turns + split % turns) * 1024;
    #pragma unroll 1
    for (long long turn = thread; turn < 256; turn += 256) {
        const long long own = first + turn * 4;
        shared[turn] = combine(combine(lanes[own], lanes[own + 1]), combine(lanes[own + 2], lanes[own + 3]));
    }
    #pragma unroll 1
    for (int half = 16; half > 0; half /= 2) {
        __syncthreads();
        const long long pairs = static_cast<long long>(half) * 8;
        #pragma unroll 1
        for (long long turn = thread; turn < pairs; turn += 256) {
            const long long left = turn / half * 32 + turn % half;
            shared[left] = combine(shared[left], shared[left + half]);
        }
    }
    #pragma unroll 1
    for (int half = 4; half > 0; half /= 2) {
        __syncthreads();
        const long long pairs = static_cast<long long>(half);
        #pragma unroll 1
        for (long long turn = thread; turn < pairs; turn += 256) {
            const long long left = (turn / half * 8 + turn % half) * 32;
            shared[left] = combine(shared[left], shared[left + half * 32]);
        }
    }
    __syncthreads();
    if (thread == 0) known[split * kept + value] = shared[0];
}
