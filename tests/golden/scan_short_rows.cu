// cumsum of float32
// ... shared/helpers.cu: shuffle, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4, write
// ... shared/heads.cu: kiln_cumsum_f32_short_rows

    // ... as in scan_rows
    const long long number = block * 8 + warp;
    if (number >= outer) return;
    const long long row = number / parts;
    const long long p = number - row * parts;
    const long long first = p * 1024;
    // ... as in scan_rows
