// log(sum(exp(x0 - where(isfinite(max(x0)), max(x0), 0.0)))) + where(isfinite(max(x0)), max(x0), 0.0)
// ... shared/helpers.cu: shuffle, shuffle_down, wait_for_earlier_kernels
// ... shared/accumulators.cu: max_of, sum_of, finish_0, finish_1, accumulators_0, identity_0, combine, accumulators_1, identity_1
// ... shared/vectors.cu: f64x4, load_f64x4
// ... shared/heads.cu: layout, kiln_max_isfinite_where_sub_exp_sum_log_add_f64_v4_axes2_persistent12
// ... shared/bodies.cu: row_1, element_1, row_2

    // ... as in softmax
    const int lane = thread % 4;
    // ... as in rows
    // ... as in finished_distances
    const int p0 = value;
    double row_x0[12];
    #pragma unroll
    for (int u = 0; u < 3; ++u) {
        const unsigned int first = (lane + u * 4) * 4;
        if (u < 2 || first < reduced) {
            // ... as in rows
            const f64x4 v_x0 = load_f64x4(x0 + i);
            // ... as in softmax
    for (int u = 0; u < 3; ++u) {
        const unsigned int first = (lane + u * 4) * 4;
        if (u < 2 || first < reduced) {
            // ... as in softmax
    // ... as in finished_distances
    const double t0 = finish_0(mine_0.s0, reduced);
    double t2;
    row_1(t0, t2);
    // ... as in softmax
    for (int u = 0; u < 3; ++u) {
        const unsigned int first = (lane + u * 4) * 4;
        if (u < 2 || first < reduced) {
            // ... as in rows
                double t4;
                element_1(row_x0[u * 4 + k], t2, t4);
                // ... as in masked_softmax
    for (int apart = 2; apart > 0; apart /= 2) mine_1 = combine(mine_1, shuffle_down(mine_1, apart));
    mine_1 = shuffle(mine_1, thread & 28);
    const double t5 = finish_1(mine_1.s1, reduced);
    double t7;
    row_2(t2, t5, t7);
    if (lane == 0 && is_there) y0[value] = t7;
}
