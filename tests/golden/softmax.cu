// exp(x0 - max(x0)) / sum(exp(x0 - max(x0)))
// ... shared/helpers.cu: quotient_with_zeros
// ... shared/accumulators.cu: max_of, sum_of, finish_0, finish_1, accumulators_0, identity_0, combine, accumulators_1, identity_1
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_max_sub_exp_sum_div_f32_v4_axes2_persistent16
// ... shared/block_reduce.cu: further_on, first_of_row, block_reduce

    __shared__ accumulators_0 shared_0[8];
    __shared__ accumulators_1 shared_1[8];
    // ... as in rows
    // ... as in total
    // ... as in rows
    // ... as in total
    // ... as in rows
    float row_x0[16];
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int first = (lane + u * 256) * 4;
        // ... as in rows
            const f32x4 v_x0 = load_f32x4(x0 + i);
            #pragma unroll
            for (int k = 0; k < 4; ++k) row_x0[u * 4 + k] = v_x0.v[k];
        }
    }
    accumulators_0 part_0[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) part_0[k] = identity_0();
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int first = (lane + u * 256) * 4;
        if (first < end) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const float x0 = row_x0[u * 4 + k];
                accumulators_0 one; one.s0 = x0;
                part_0[k] = combine(part_0[k], one);
            }
        }
    }
    accumulators_0 mine_0 = combine(combine(part_0[0], part_0[1]), combine(part_0[2], part_0[3]));
    mine_0 = block_reduce(mine_0, shared_0, lane);
    const float t0 = finish_0(mine_0.s0, reduced);
    float row_t2[16];
    accumulators_1 part_1[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) part_1[k] = identity_1();
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int first = (lane + u * 256) * 4;
        if (first < end) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const float x0 = row_x0[u * 4 + k];
                const float t1 = x0 - t0;
                const float t2 = expf(t1);
                row_t2[u * 4 + k] = t2;
                accumulators_1 one; one.s1 = t2;
                part_1[k] = combine(part_1[k], one);
            }
        }
    }
    accumulators_1 mine_1 = combine(combine(part_1[0], part_1[1]), combine(part_1[2], part_1[3]));
    mine_1 = block_reduce(mine_1, shared_1, lane);
    const float t3 = finish_1(mine_1.s1, reduced);
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int first = (lane + u * 256) * 4;
        // ... as in rows
            f32x4 v_y0;
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const float t2 = row_t2[u * 4 + k];
                const float t4 = quotient_with_zeros(t2, t3);
                v_y0.v[k] = t4;
            }
            if (is_there) store(y0 + i, v_y0);
        }
    }
}
