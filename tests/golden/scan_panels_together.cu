// cumsum of float32
// ... shared/types.cu: u64
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, published, publish, await, next_number
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/heads.cu: kiln_cumsum_f32_128x96_level1_panels

    // ... as in finished_product_of_floats
    __shared__ long long taken[1];
    float* const panel = reinterpret_cast<float*>(dynamic_shared + 0);
    // ... as in scan_panels
    const int panels = static_cast<int>((inner + 95) / 96);
    // ... as in scan_panels
    const long long left_column = static_cast<long long>(panel_number % panels) * 96;
    // ... as in scan_panels
    const bool is_there = lane < 96 && column < inner;
    // ... as in scan_panels
    if (is_there) {
        #pragma unroll 1
        for (int x = 0; x < rows; ++x) {
            copy_async<4>(panel + (x * 96 + lane), from + (first + x * inner + lane));
        // ... as in scan_panels
    accumulators sum = identity();
    if (is_there) {
        // ... as in scan_panels
                one.s0 = panel[x * 96 + lane];
                // ... as in scan_panels
    }
    #pragma unroll 1
    for (int row = 0; row < rows; row += 8) {
        __syncthreads();
        if (is_there) {
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                const int x = row + u;
                if (x < rows) {
                    accumulators one;
                    one.s0 = panel[x * 96 + lane];
                    // ... as in scan_panels
    }
}
