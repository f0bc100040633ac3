// float16(float32(x0) - mean(float32(x0))) * x1
// ... shared/helpers.cu: shuffle, shuffle_down, wait_for_earlier_kernels, f16, bits16_of, f32_from_f16, anew, f16_from_f32, f16_mul
// ... shared/accumulators.cu: mean_of, finish_0, accumulators_0, identity_0, combine
// ... shared/heads.cu: layout, kiln_cast2_mean_sub_mul_f16_axes2_persistent32
// ... shared/bodies.cu: element_0, element_1

    // ... as in finished_distances
    // ... as in rows
    const int first_neighbour = lane / 32 * 128 + (lane % 32 % 8 * 4 + lane % 32 / 8);
    const int p1 = first_neighbour;
    // ... as in rows
    const int begin = i;
    f16 row_x0[32];
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int vector = first_neighbour + u * 128;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = vector + k * 32;
            if (u < 7 || first < reduced) {
                const int p12 = first;
                row_x0[u * 4 + k] = x0[begin + (u * 128 + k * 32)];
            }
        // ... as in finished_distances
    for (int u = 0; u < 8; ++u) {
        const unsigned int vector = first_neighbour + u * 128;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = vector + k * 32;
            if (u < 7 || first < reduced) {
                float t0;
                element_0(row_x0[u * 4 + k], t0);
                accumulators_0 one;
                one.s0 = t0;
                part_0[k] = combine(part_0[k], one);
            // ... as in rows_unaligned
    const accumulators_0 given = is_upper ? part_0[0] : part_0[2];
    const accumulators_0 taken = shuffle(given, other_lane);
    part_0[0] = is_upper ? taken : part_0[0];
    part_0[2] = is_upper ? part_0[2] : taken;
    const accumulators_0 given2 = is_upper ? part_0[1] : part_0[3];
    const accumulators_0 taken2 = shuffle(given2, other_lane);
    part_0[1] = is_upper ? taken2 : part_0[1];
    part_0[3] = is_upper ? part_0[3] : taken2;
    const accumulators_0 given3 = is_upper2 ? part_0[0] : part_0[1];
    const accumulators_0 taken3 = shuffle(given3, other_lane2);
    part_0[0] = is_upper2 ? taken3 : part_0[0];
    part_0[1] = is_upper2 ? part_0[1] : taken3;
    const accumulators_0 given4 = is_upper2 ? part_0[2] : part_0[3];
    const accumulators_0 taken4 = shuffle(given4, other_lane2);
    part_0[2] = is_upper2 ? taken4 : part_0[2];
    part_0[3] = is_upper2 ? part_0[3] : taken4;
    // ... as in softmax
    mine_0 = shuffle(mine_0, 0);
    const float t1 = finish_0(mine_0.s0, reduced);
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int vector = first_neighbour + u * 128;
        f16 made_y0[4];
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = vector + k * 32;
            if (u < 7 || first < reduced) {
                const int p12 = first;
                const int at_x1 = p12;
                const f16 v_x1 = x1[at_x1];
                f16 t4;
                element_1(anew(row_x0[u * 4 + k]), v_x1, t1, t4);
                made_y0[k] = t4;
            }
        }
        if (is_there) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const unsigned int first = vector + k * 32;
                if (u < 7 || first < reduced) {
                    const int p12 = first;
                    y0[begin + (u * 128 + k * 32)] = made_y0[k];
                }
            }
        }
    }
}
