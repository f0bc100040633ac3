// cumsum of float32
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/heads.cu: kiln_cumsum_f32_columns

    // ... as in wide_index
    const long long number = block * 256 + thread;
    if (number >= outer * parts * inner) return;
    const long long i = number % inner;
    const long long p = number / inner % parts;
    const long long o = number / inner / parts;
    const long long left = count - p * part;
    const long long length = left < part ? left : part;
    const long long first = (o * count + p * part) * inner + i;
    accumulators sum = identity();
    if (!!offsets && p > 0) sum.s0 = offsets[number - inner];
    const long long whole = length / 8 * 8;
    accumulators next[8];
    for (long long x = 0; x < whole; x += 8) {
        #pragma unroll
        for (int u = 0; u < 8; ++u) next[u].s0 = from[first + (x + u) * inner];
        #pragma unroll
        for (int u = 0; u < 8; ++u) {
            sum = combine(sum, next[u]);
            to[first + (x + u) * inner] = sum.s0;
        }
    }
    for (long long x = whole; x < length; ++x) {
        next[0].s0 = from[first + x * inner];
        sum = combine(sum, next[0]);
        to[first + x * inner] = sum.s0;
    }
}
