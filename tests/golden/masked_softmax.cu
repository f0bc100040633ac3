// (exp(where(index0 < x0, x1, s0) - max(where(index0 < x0, x1, s0))) / sum(exp(where(index0 < x0, x1, s0) - max(where(index0 < x0, x1, s0))))) * x2
// ... shared/types.cu: i64
// ... shared/helpers.cu: quotient_with_zeros
// ... shared/accumulators.cu: max_of, sum_of, finish_0, finish_1, accumulators_0, identity_0, combine, accumulators_1, identity_1
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_lt_where_max_sub_exp_sum_div_mul_f32_v4_axes2_persistent32
// ... shared/block_reduce.cu: further_on, first_of_row, block_reduce

    // ... as in layer_norm
    float row_x1[32];
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int first = (lane + u * 32) * 4;
        // ... as in rows
            const f32x4 v_x1 = load_f32x4(x1 + i);
            #pragma unroll
            for (int k = 0; k < 4; ++k) row_x1[u * 4 + k] = v_x1.v[k];
        }
    }
    float row_t1[32];
    // ... as in layer_norm
        const unsigned int first = (lane + u * 32) * 4;
        // ... as in rows
            const int at_index0 = p1;
            const int at_x0 = p0;
            const i64 v_index0 = index0 + at_index0;
            const i64 v_x0 = x0[at_x0];
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const i64 index0 = v_index0 + k;
                const i64 x0 = v_x0;
                const float x1 = row_x1[u * 4 + k];
                const bool t0 = index0 < x0;
                const float t1 = t0 ? x1 : s0;
                row_t1[u * 4 + k] = t1;
                accumulators_0 one; one.s0 = t1;
                // ... as in softmax
    const float t2 = finish_0(mine_0.s0, reduced);
    float row_t4[32];
    // ... as in layer_norm
        const unsigned int first = (lane + u * 32) * 4;
        if (first < end) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const float t1 = row_t1[u * 4 + k];
                const float t3 = t1 - t2;
                const float t4 = expf(t3);
                row_t4[u * 4 + k] = t4;
                accumulators_1 one; one.s1 = t4;
                // ... as in softmax
    const float t5 = finish_1(mine_1.s1, reduced);
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int first = (lane + u * 32) * 4;
        // ... as in rows
            const int at_x2 = p1;
            const f32x4 v_x2 = load_f32x4(x2 + at_x2);
            f32x4 v_y0;
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const float x2 = v_x2.v[k];
                const float t4 = row_t4[u * 4 + k];
                const float t6 = quotient_with_zeros(t4, t5);
                const float t7 = t6 * x2;
                v_y0.v[k] = t7;
            }
            if (is_there) store(y0 + i, v_y0);
        }
    }
}
