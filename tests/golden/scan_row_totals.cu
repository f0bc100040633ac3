// cumsum of float32
// ... shared/helpers.cu: shuffle_down, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: kiln_cumsum_f32_row_totals

    // ... as in scan_rows
    accumulators sum = identity();
    #pragma unroll
    for (int r = 0; r < 8; ++r) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) sum = combine(sum, v[r * 4 + k]);
    }
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) sum = combine(sum, shuffle_down(sum, apart));
    if (lane == 0) of_warp[warp] = sum;
    __syncthreads();
    if (warp * 32 + lane == 0) {
        for (int w = 1; w < 8; ++w) sum = combine(sum, of_warp[w]);
    }
    if (warp * 32 + lane == 0) to[block] = sum.s0;
}
