// exp(x0 - max(x0)) / sum(exp(x0 - max(x0)))
// ... shared/states.cu: max_of, sum_of, finish_0, finish_1, states_0, nothing_0, combine, states_1, nothing_1
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_max_sub_exp_sum_div_f32_v4_axes2_kept16
// ... shared/meetings.cu: further_on, first_of_row, meet

    __shared__ states_0 shared_0[8];
    __shared__ states_1 shared_1[8];
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
    states_0 part_0[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) part_0[k] = nothing_0();
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int first = (lane + u * 256) * 4;
        if (first < end) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const float x0 = row_x0[u * 4 + k];
                states_0 one; one.s0 = x0;
                part_0[k] = combine(part_0[k], one);
            }
        }
    }
    states_0 mine_0 = combine(combine(part_0[0], part_0[1]), combine(part_0[2], part_0[3]));
    mine_0 = meet(mine_0, shared_0, lane);
    const float t0 = finish_0(mine_0.s0, reduced);
    float row_t2[16];
    states_1 part_1[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) part_1[k] = nothing_1();
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
                states_1 one; one.s1 = t2;
                part_1[k] = combine(part_1[k], one);
            }
        }
    }
    states_1 mine_1 = combine(combine(part_1[0], part_1[1]), combine(part_1[2], part_1[3]));
    mine_1 = meet(mine_1, shared_1, lane);
    const float t3 = finish_1(mine_1.s1, reduced);
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int first = (lane + u * 256) * 4;
        // ... as in rows
            f32x4 v_y0;
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const float t2 = row_t2[u * 4 + k];
                const float t4 = t2 / t3;
                v_y0.v[k] = t4;
            }
            if (is_there) store(y0 + i, v_y0);
        }
    }
}
