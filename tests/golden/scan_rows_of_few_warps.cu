// cumsum of float32
// ... shared/helpers.cu: shuffle, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4, write
// ... shared/heads.cu: kiln_cumsum_f32_3_warp_rows

    __shared__ accumulators of_warp[3];
    __shared__ __align__(16) float turned[384];
    // ... as in scan_rows
