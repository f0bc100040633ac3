// log(sum(exp(x0 - where(isfinite(max(x0)), max(x0), 0.0)))) + where(isfinite(max(x0)), max(x0), 0.0)
// ... shared/accumulators.cu: max_of, sum_of, finish_0, finish_1, accumulators_0, identity_0, combine, accumulators_1, identity_1
// ... shared/vectors.cu: f64x4, load_f64x4
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_max_isfinite_where_sub_exp_sum_log_add_f64_v4_axes2_persistent16
// ... shared/block_reduce.cu: further_on, first_of_row, block_reduce

    // ... as in softmax
    const int lane = threadIdx.x % 4;
    // ... as in rows
    const bool is_there = group * 64 + threadIdx.x / 4 < kept;
    const unsigned int value = is_there ? group * 64 + threadIdx.x / 4 : kept - 1;
    // ... as in rows
    double row_x0[16];
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int first = (lane + u * 4) * 4;
        // ... as in rows
            const f64x4 v_x0 = load_f64x4(x0 + i);
            // ... as in softmax
        const unsigned int first = (lane + u * 4) * 4;
        if (first < end) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const double x0 = row_x0[u * 4 + k];
                // ... as in softmax
    const double t0 = finish_0(mine_0.s0, reduced);
    const bool t1 = t0 - t0 == double(0);
    const double t2 = t1 ? t0 : 0.0;
    // ... as in softmax
        const unsigned int first = (lane + u * 4) * 4;
        if (first < end) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const double x0 = row_x0[u * 4 + k];
                const double t3 = x0 - t2;
                const double t4 = exp(t3);
                // ... as in masked_softmax
    const double t5 = finish_1(mine_1.s1, reduced);
    const double t6 = log(t5);
    const double t7 = t6 + t2;
    if (lane == 0 && is_there) {
        y0[value] = t7;
    }
}
