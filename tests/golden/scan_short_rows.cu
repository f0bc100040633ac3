// cumsum of float32
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/block_reduce.cu: vectors, from_lane
// ... shared/heads.cu: wait_for_earlier_kernels, kiln_cumsum_f32_short_rows

    // ... as in scan_rows
    const long long number = blockIdx.x * 8ll + warp;
    if (number >= outer) return;
    // ... as in scan_rows
    const long long first = p * 1024;
    // ... as in scan_rows
