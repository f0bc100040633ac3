// cumsum of float32
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/block_reduce.cu: vectors, from_lane
// ... shared/heads.cu: wait_for_earlier_kernels, kiln_cumsum_f32_rows

    const int warp = threadIdx.x / 32;
    // ... as in rows
    const long long number = blockIdx.x;
    const long long row = number / parts;
    const long long p = number - row * parts;
    const long long first = p * 8192 + warp * 1024;
    const long long left = count - first;
    const long long at = row * count + first + lane * 4;
    vectors v[8];
    if (left >= 1024 && reinterpret_cast<unsigned long long>(from + at) % 16 == 0) {
        #pragma unroll
        for (int r = 0; r < 8; ++r) {
            const uint4 bits = *reinterpret_cast<const uint4*>(from + at + r * 128);
            v[r] = reinterpret_cast<const vectors&>(bits);
        }
    } else {
        #pragma unroll
        for (int r = 0; r < 8; ++r)
            #pragma unroll
            for (int k = 0; k < 4; ++k)
                v[r].v[k] = r * 128 + lane * 4 + k < left ? from[at + r * 128 + k] : identity();
    }
    accumulators before = identity();
    #pragma unroll
    for (int r = 0; r < 8; ++r) {
        #pragma unroll
        for (int k = 1; k < 4; ++k) v[r].v[k] = combine(v[r].v[k - 1], v[r].v[k]);
        accumulators sum = v[r].v[4 - 1];
        #pragma unroll
        for (int apart = 1; apart < 32; apart *= 2) {
            const accumulators other = from_lane(sum, lane - apart & 31);
            if (lane >= apart) sum = combine(other, sum);
        }
        const accumulators beside = from_lane(sum, lane - 1 & 31);
        const accumulators ahead = lane > 0 ? combine(before, beside) : before;
        #pragma unroll
        for (int k = 0; k < 4; ++k) v[r].v[k] = combine(ahead, v[r].v[k]);
        before = combine(before, from_lane(sum, 31));
    }
    __shared__ accumulators of_warp[8];
    if (lane == 0) of_warp[warp] = before;
    __syncthreads();
    before = offsets && p > 0 ? offsets[number - 1] : identity();
    for (int w = 0; w < warp; ++w) before = combine(before, of_warp[w]);
    #pragma unroll
    for (int r = 0; r < 8; ++r)
        #pragma unroll
        for (int k = 0; k < 4; ++k) v[r].v[k] = combine(before, v[r].v[k]);
    if (left >= 1024 && reinterpret_cast<unsigned long long>(to + at) % 16 == 0) {
        #pragma unroll
        for (int r = 0; r < 8; ++r)
            *reinterpret_cast<uint4*>(to + at + r * 128) = reinterpret_cast<const uint4&>(v[r]);
    } else {
        #pragma unroll
        for (int r = 0; r < 8; ++r)
            #pragma unroll
            for (int k = 0; k < 4; ++k)
                if (r * 128 + lane * 4 + k < left) to[at + r * 128 + k] = v[r].v[k];
    }
}
