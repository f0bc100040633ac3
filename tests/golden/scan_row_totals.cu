// cumsum of float32
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/block_reduce.cu: vectors, from_lane
// ... shared/heads.cu: wait_for_earlier_kernels, kiln_cumsum_f32_row_totals

    // ... as in scan_rows
    accumulators sum = identity();
    #pragma unroll
    for (const vectors& each : v)
        #pragma unroll
        for (const accumulators& one : each.v) sum = combine(sum, one);
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) sum = combine(sum, from_lane(sum, (lane + apart) % 32));
    // ... as in scan_rows
    if (lane == 0) of_warp[warp] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < 8; ++w) sum = combine(sum, of_warp[w]);
    to[number] = sum;
}
