// cumsum of float32
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: wait_for_earlier_kernels, kiln_cumsum_f32_columns

    const long long number = blockIdx.x * 256ll + threadIdx.x;
    if (number >= outer * parts * inner) return;
    const long long i = number % inner;
    const long long p = number / inner % parts;
    const long long o = number / inner / parts;
    const long long left = count - p * part;
    const long long length = left < part ? left : part;
    const long long first = (o * count + p * part) * inner + i;
    accumulators sum = offsets && p > 0 ? offsets[number - inner] : identity();
    long long x = 0;
    for (; x + 8 <= length; x += 8) {
        accumulators next[8];
        #pragma unroll
        for (int u = 0; u < 8; ++u) next[u] = from[first + (x + u) * inner];
        #pragma unroll
        for (int u = 0; u < 8; ++u) { sum = combine(sum, next[u]); to[first + (x + u) * inner] = sum; }
    }
    const int u = 0;
    for (; x < length; ++x) { sum = combine(sum, from[first + (x + u) * inner]); to[first + (x + u) * inner] = sum; }
}
