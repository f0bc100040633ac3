// cumsum of float32
// ... shared/helpers.cu: shuffle, shuffle_down, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4, write
// ... shared/heads.cu: kiln_cumsum_f32_walked_rows

    __shared__ accumulators total_of_warp[8];
    // ... as in scan_rows
    // ... as in scan_few_row_parts
    #pragma unroll 1
    for (long long p = 0; p < parts; ++p) {
        // ... as in scan_rows
        const long long begin = block * count + first;
        // ... as in scan_rows
        if (left > 0) {
            // ... as in scan_rows
            if (p + 1 < parts) {
                // ... as in scan_row_totals
                if (lane == 0) total_of_warp[warp] = sum;
            }
            // ... as in scan_rows
        before = came;
        if (left > 0) {
            // ... as in scan_rows
        if (p + 1 < parts) {
            accumulators total = total_of_warp[0];
            for (int w = 1; w < 8; ++w) total = combine(total, total_of_warp[w]);
            came = combine(came, total);
            __syncthreads();
        }
    }
}
