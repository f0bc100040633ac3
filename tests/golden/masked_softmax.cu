// (exp(where(index0 < x0, x1, s0) - max(where(index0 < x0, x1, s0))) / sum(exp(where(index0 < x0, x1, s0) - max(where(index0 < x0, x1, s0))))) * x2
// ... shared/types.cu: i64
// ... shared/helpers.cu: shuffle, shuffle_down, wait_for_earlier_kernels, quotient_by_positive_in_range, is_quotient_in_range
// ... shared/accumulators.cu: max_of, sum_of, finish_0, finish_1, accumulators_0, identity_0, combine, accumulators_1, identity_1
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/heads.cu: layout, kiln_lt_where_max_sub_exp_sum_div_mul_f32_v4_axes2_persistent32
// ... shared/bodies.cu: element_0, element_1, element_2_exact, element_2_made, element_2_called, element_2, fast_element_2

    // ... as in layer_norm
    const int at_x0 = p0;
    const i64 v_x0 = x0[at_x0];
    float row_x1[32];
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int first = (lane + u * 32) * 4;
        if (u < 7 || first < reduced) {
            // ... as in rows
            const f32x4 v_x1 = load_f32x4(x1 + i);
            #pragma unroll
            for (int k = 0; k < 4; ++k) row_x1[u * 4 + k] = v_x1.v[k];
        }
    }
    float row_t1[32];
    // ... as in rows_by_neighbours
        const unsigned int first = (lane + u * 32) * 4;
        if (u < 7 || first < reduced) {
            const int p1 = first;
            const int at_index0 = p1;
            const i64 v_index0 = index0 + at_index0;
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                float t1;
                element_0(v_index0 + k, v_x0, row_x1[u * 4 + k], s0, t1);
                row_t1[u * 4 + k] = t1;
                // ... as in finished_distances
    // ... as in rows_by_neighbours
    // ... as in finished_distances
    float row_t4[32];
    // ... as in layer_norm
        const unsigned int first = (lane + u * 32) * 4;
        if (u < 7 || first < reduced) {
            // ... as in rows
                float t4;
                element_1(row_t1[u * 4 + k], t2, t4);
                row_t4[u * 4 + k] = t4;
                accumulators_1 one;
                one.s1 = t4;
                // ... as in softmax
    mine_1 = shuffle(mine_1, 0);
    const float t5 = finish_1(mine_1.s1, reduced);
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int first = (lane + u * 32) * 4;
        if (u < 7 || first < reduced) {
            const int p1 = first;
            const int at_x2 = p1;
            const f32x4 v_x2 = load_f32x4(x2 + at_x2);
            // ... as in softmax
                float t7;
                fast_element_2(v_x2.v[k], row_t4[u * 4 + k], t5, t7, in_range);
                v_y0.v[k] = t7;
            }
            if (!in_range) {
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    float t7;
                    element_2(v_x2.v[k], row_t4[u * 4 + k], t5, t7);
                    v_y0.v[k] = t7;
                }
            }
            if (is_there) store(y0 + i, v_y0);
        }
    }
}
