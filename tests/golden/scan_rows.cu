// cumsum of float32
// ... shared/helpers.cu: shuffle, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4, write
// ... shared/heads.cu: kiln_cumsum_f32_rows

    __shared__ accumulators of_warp[8];
    __shared__ __align__(16) float turned[1024];
    // ... as in wide_index
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    accumulators v[32];
    const long long row = block / parts;
    const long long p = block - row * parts;
    const long long first = p * 8192 + warp * 1024;
    const long long left = count - first;
    const long long begin = row * count + first;
    const long long at = begin + lane * 4;
    if (left >= 1024 && reinterpret_cast<unsigned long long>(from + begin) % 16 == 0) {
        #pragma unroll
        for (int r = 0; r < 8; ++r) {
            const f32x4 loaded = load_f32x4(from + (at + r * 128));
            #pragma unroll
            for (int k = 0; k < 4; ++k) v[r * 4 + k].s0 = loaded.v[k];
        }
    } else {
        #pragma unroll
        for (int r = 0; r < 8; ++r) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                v[r * 4 + k] = identity();
                if (r * 128 + lane * 4 + k < left) v[r * 4 + k].s0 = from[at + r * 128 + k];
            }
        }
    }
    accumulators before = identity();
    #pragma unroll
    for (int r = 0; r < 8; ++r) {
        #pragma unroll
        for (int k = 1; k < 4; ++k) v[r * 4 + k] = combine(v[r * 4 + (k - 1)], v[r * 4 + k]);
        accumulators sum = v[r * 4 + 3];
        #pragma unroll
        for (int apart = 1; apart < 32; apart *= 2) {
            const accumulators other = shuffle(sum, (lane - apart) & 31);
            if (lane >= apart) sum = combine(other, sum);
        }
        const accumulators beside = shuffle(sum, (lane - 1) & 31);
        accumulators ahead = before;
        if (lane > 0) ahead = combine(before, beside);
        #pragma unroll
        for (int k = 0; k < 4; ++k) v[r * 4 + k] = combine(ahead, v[r * 4 + k]);
        before = combine(before, shuffle(sum, 31));
    }
    if (lane == 0) of_warp[warp] = before;
    __syncthreads();
    before = identity();
    if (!!offsets && p > 0) before.s0 = offsets[block - 1];
    for (int w = 0; w < warp; ++w) before = combine(before, of_warp[w]);
    #pragma unroll
    for (int r = 0; r < 8; ++r) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) v[r * 4 + k] = combine(before, v[r * 4 + k]);
    }
    if (left >= 1024 && reinterpret_cast<unsigned long long>(to + begin) % 16 == 0) {
        #pragma unroll
        for (int r = 0; r < 8; ++r) {
            f32x4 stored;
            #pragma unroll
            for (int k = 0; k < 4; ++k) stored.v[k] = v[r * 4 + k].s0;
            write(to + (at + r * 128), stored);
        }
    } else {
        const long long side_by_side = begin + lane;
        #pragma unroll
        for (int r = 0; r < 8; ++r) {
            f32x4 joined;
            #pragma unroll
            for (int k = 0; k < 4; ++k) joined.v[k] = v[r * 4 + k].s0;
            __syncwarp();
            write(turned + (warp * 128 + lane * 4), joined);
            __syncwarp();
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                if (r * 128 + k * 32 + lane < left) to[side_by_side + (r * 128 + k * 32)] = turned[warp * 128 + k * 32 + lane];
            }
        }
    }
}
