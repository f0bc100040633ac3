// exp(x0 - max(x0)) / sum(exp(x0 - max(x0)))
// ... shared/helpers.cu: shuffle, shuffle_down, wait_for_earlier_kernels, quotient_by_positive_in_range, is_quotient_in_range
// ... shared/accumulators.cu: max_of, sum_of, finish_0, finish_1, accumulators_0, identity_0, combine, accumulators_1, identity_1
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/heads.cu: layout, kiln_max_sub_exp_sum_div_f32_v4_axes2_persistent16
// ... shared/bodies.cu: element_1, element_2_exact, element_2_made, element_2_called, element_2, fast_element_2

    // ... as in finished_distances
    __shared__ accumulators_1 shared_1[8];
    // ... as in contiguous
    const int lane = thread % 256;
    // ... as in rows
    const unsigned int wanted = block + thread / 256;
    // ... as in rows
    float row_x0[16];
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int first = (lane + u * 256) * 4;
        if (u < 3 || first < reduced) {
            // ... as in rows
            const f32x4 v_x0 = load_f32x4(x0 + i);
            #pragma unroll
            for (int k = 0; k < 4; ++k) row_x0[u * 4 + k] = v_x0.v[k];
        // ... as in finished_distances
        const unsigned int first = (lane + u * 256) * 4;
        if (u < 3 || first < reduced) {
            // ... as in rows
                accumulators_0 one;
                one.s0 = row_x0[u * 4 + k];
                // ... as in finished_distances
    for (int apart = 16; apart > 0; apart /= 2) mine_0 = combine(mine_0, shuffle_down(mine_0, apart));
    if (thread % 32 == 0) shared_0[thread / 32] = mine_0;
    __syncthreads();
    mine_0 = shared_0[thread / 256 * 8 + thread % 8];
    #pragma unroll
    for (int apart = 4; apart > 0; apart /= 2) mine_0 = combine(mine_0, shuffle_down(mine_0, apart));
    mine_0 = shuffle(mine_0, 0);
    const float t0 = finish_0(mine_0.s0, reduced);
    float row_t2[16];
    accumulators_1 part_1[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) part_1[k] = identity_1();
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int first = (lane + u * 256) * 4;
        if (u < 3 || first < reduced) {
            // ... as in rows
                float t2;
                element_1(row_x0[u * 4 + k], t0, t2);
                row_t2[u * 4 + k] = t2;
                accumulators_1 one;
                one.s1 = t2;
                part_1[k] = combine(part_1[k], one);
            }
        }
    }
    accumulators_1 mine_1 = combine(combine(part_1[0], part_1[1]), combine(part_1[2], part_1[3]));
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine_1 = combine(mine_1, shuffle_down(mine_1, apart));
    if (thread % 32 == 0) shared_1[thread / 32] = mine_1;
    __syncthreads();
    mine_1 = shared_1[thread / 256 * 8 + thread % 8];
    #pragma unroll
    for (int apart = 4; apart > 0; apart /= 2) mine_1 = combine(mine_1, shuffle_down(mine_1, apart));
    mine_1 = shuffle(mine_1, 0);
    const float t3 = finish_1(mine_1.s1, reduced);
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int first = (lane + u * 256) * 4;
        if (u < 3 || first < reduced) {
            // ... as in rows
            f32x4 v_y0;
            bool in_range = true;
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                float t4;
                fast_element_2(row_t2[u * 4 + k], t3, t4, in_range);
                v_y0.v[k] = t4;
            }
            if (!in_range) {
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    float t4;
                    element_2(row_t2[u * 4 + k], t3, t4);
                    v_y0.v[k] = t4;
                }
            }
            if (is_there) store(y0 + i, v_y0);
        }
    }
}
