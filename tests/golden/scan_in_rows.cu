// max(mean(exp(cumsum((random_f32(uint64(index0), s0) * s1) - s2))) - s3, s4)
// ... shared/types.cu: u64, i64
// ... shared/helpers.cu: wide_product, shuffle, shuffle_down, wait_for_earlier_kernels, philox_words, philox_round, philox, draw_32, draw_f32
// ... shared/accumulators.cu: mean_of, sum_of, finish_0, accumulators_1, identity_1, combine, accumulators_scan1, identity_scan1
// ... shared/heads.cu: layout, kiln_random_f32_mul_sub2_cumsum_exp_mean_max_f32_v4_axes2_persistent16
// ... shared/bodies.cu: element_0, element_1, row_2

    // ... as in softmax
    // ... as in random
    // ... as in log_sum_exp
    accumulators_scan1 row_t4[16];
    #pragma unroll
    for (int e = 0; e < 16; ++e) row_t4[e] = identity_scan1();
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        // ... as in log_sum_exp
        // ... as in softmax
            const i64 v_index0 = index0 + i;
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                float t3;
                element_0((v_index0 & -4) | k, s0, s1, s2, t3);
                row_t4[u * 4 + k].s1 = t3;
            }
        }
    }
    accumulators_scan1 groups[4];
    row_t4[1] = combine(row_t4[0], row_t4[1]);
    row_t4[2] = combine(row_t4[1], row_t4[2]);
    row_t4[3] = combine(row_t4[2], row_t4[3]);
    groups[0] = row_t4[3];
    row_t4[5] = combine(row_t4[4], row_t4[5]);
    row_t4[6] = combine(row_t4[5], row_t4[6]);
    row_t4[7] = combine(row_t4[6], row_t4[7]);
    groups[1] = row_t4[7];
    row_t4[9] = combine(row_t4[8], row_t4[9]);
    row_t4[10] = combine(row_t4[9], row_t4[10]);
    row_t4[11] = combine(row_t4[10], row_t4[11]);
    groups[2] = row_t4[11];
    row_t4[13] = combine(row_t4[12], row_t4[13]);
    row_t4[14] = combine(row_t4[13], row_t4[14]);
    row_t4[15] = combine(row_t4[14], row_t4[15]);
    groups[3] = row_t4[15];
    const int source = (thread & 28) + ((lane - 1) & 3);
    const accumulators_scan1 shuffled = shuffle(groups[0], source);
    const int source2 = (thread & 28) + ((lane - 1) & 3);
    const accumulators_scan1 shuffled2 = shuffle(groups[1], source2);
    accumulators_scan1 other = shuffled;
    if (lane >= 1) other = shuffled2;
    const int source3 = (thread & 28) + ((lane - 1) & 3);
    const accumulators_scan1 shuffled3 = shuffle(groups[2], source3);
    accumulators_scan1 other2 = shuffled2;
    if (lane >= 1) other2 = shuffled3;
    const int source4 = (thread & 28) + ((lane - 1) & 3);
    const accumulators_scan1 shuffled4 = shuffle(groups[3], source4);
    accumulators_scan1 other3 = shuffled3;
    if (lane >= 1) other3 = shuffled4;
    if (lane >= 1) groups[0] = combine(shuffled, groups[0]);
    groups[1] = combine(other, groups[1]);
    groups[2] = combine(other2, groups[2]);
    groups[3] = combine(other3, groups[3]);
    const int source5 = (thread & 28) + ((lane - 2) & 3);
    const accumulators_scan1 shuffled5 = shuffle(groups[0], source5);
    const int source6 = (thread & 28) + ((lane - 2) & 3);
    const accumulators_scan1 shuffled6 = shuffle(groups[1], source6);
    accumulators_scan1 other4 = shuffled5;
    if (lane >= 2) other4 = shuffled6;
    const int source7 = (thread & 28) + ((lane - 2) & 3);
    const accumulators_scan1 shuffled7 = shuffle(groups[2], source7);
    accumulators_scan1 other5 = shuffled6;
    if (lane >= 2) other5 = shuffled7;
    const int source8 = (thread & 28) + ((lane - 2) & 3);
    const accumulators_scan1 shuffled8 = shuffle(groups[3], source8);
    accumulators_scan1 other6 = shuffled7;
    if (lane >= 2) other6 = shuffled8;
    if (lane >= 2) groups[0] = combine(shuffled5, groups[0]);
    groups[1] = combine(other4, groups[1]);
    groups[2] = combine(other5, groups[2]);
    groups[3] = combine(other6, groups[3]);
    const accumulators_scan1 held = groups[0];
    const accumulators_scan1 held2 = groups[1];
    const accumulators_scan1 held3 = groups[2];
    groups[1] = combine(held, groups[1]);
    groups[2] = combine(held2, groups[2]);
    groups[3] = combine(held3, groups[3]);
    const accumulators_scan1 held4 = groups[0];
    const accumulators_scan1 held5 = groups[1];
    groups[2] = combine(held4, groups[2]);
    groups[3] = combine(held5, groups[3]);
    const int source9 = (thread & 28) + ((lane - 1) & 3);
    const accumulators_scan1 shuffled9 = shuffle(groups[0], source9);
    const int source10 = (thread & 28) + ((lane - 1) & 3);
    const accumulators_scan1 shuffled10 = shuffle(groups[1], source10);
    accumulators_scan1 other7 = shuffled9;
    if (lane >= 1) other7 = shuffled10;
    const int source11 = (thread & 28) + ((lane - 1) & 3);
    const accumulators_scan1 shuffled11 = shuffle(groups[2], source11);
    accumulators_scan1 other8 = shuffled10;
    if (lane >= 1) other8 = shuffled11;
    const int source12 = (thread & 28) + ((lane - 1) & 3);
    const accumulators_scan1 shuffled12 = shuffle(groups[3], source12);
    accumulators_scan1 other9 = shuffled11;
    if (lane >= 1) other9 = shuffled12;
    accumulators_scan1 ahead = identity_scan1();
    if (lane >= 1) ahead = combine(ahead, shuffled9);
    row_t4[0] = combine(ahead, row_t4[0]);
    row_t4[1] = combine(ahead, row_t4[1]);
    row_t4[2] = combine(ahead, row_t4[2]);
    row_t4[3] = combine(ahead, row_t4[3]);
    accumulators_scan1 ahead2 = identity_scan1();
    ahead2 = combine(ahead2, other7);
    row_t4[4] = combine(ahead2, row_t4[4]);
    row_t4[5] = combine(ahead2, row_t4[5]);
    row_t4[6] = combine(ahead2, row_t4[6]);
    row_t4[7] = combine(ahead2, row_t4[7]);
    accumulators_scan1 ahead3 = identity_scan1();
    ahead3 = combine(ahead3, other8);
    row_t4[8] = combine(ahead3, row_t4[8]);
    row_t4[9] = combine(ahead3, row_t4[9]);
    row_t4[10] = combine(ahead3, row_t4[10]);
    row_t4[11] = combine(ahead3, row_t4[11]);
    accumulators_scan1 ahead4 = identity_scan1();
    ahead4 = combine(ahead4, other9);
    row_t4[12] = combine(ahead4, row_t4[12]);
    row_t4[13] = combine(ahead4, row_t4[13]);
    row_t4[14] = combine(ahead4, row_t4[14]);
    row_t4[15] = combine(ahead4, row_t4[15]);
    // ... as in softmax
        // ... as in log_sum_exp
        // ... as in softmax
                float t5;
                element_1(row_t4[u * 4 + k].s1, t5);
                accumulators_1 one;
                one.s0 = t5;
                // ... as in log_sum_exp
    const float t6 = finish_0(mine_1.s0, reduced);
    float t8;
    row_2(s3, s4, t6, t8);
    if (lane == 0 && is_there) y0[value] = t8;
}
