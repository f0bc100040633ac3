// ((float32(x0) - mean(float32(x0))) * rsqrt(mean(square(float32(x0) - mean(float32(x0)))) + s0)) * x1
// ... shared/helpers.cu: f16, bits16_of, f32_from_f16
// ... shared/accumulators.cu: mean_of, finish_0, finish_1, accumulators_0, identity_0, combine, accumulators_1, identity_1
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_cast_mean2_sub_square_add_rsqrt_mul2_f32_axes2_persistent32
// ... shared/block_reduce.cu: further_on, first_of_row, block_reduce

    // ... as in softmax
    // ... as in rows
    f16 row_x0[32];
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int vector_begin = (lane + u * 32) * 4;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = vector_begin + k;
            // ... as in rows
                row_x0[u * 4 + k] = x0[i];
            }
        }
    }
    float row_t0[32];
    // ... as in softmax
    for (int u = 0; u < 8; ++u) {
        const unsigned int vector_begin = (lane + u * 32) * 4;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = vector_begin + k;
            if (first < end) {
                const f16 x0 = row_x0[u * 4 + k];
                const float t0 = float(f32_from_f16(x0));
                row_t0[u * 4 + k] = t0;
                accumulators_0 one; one.s0 = t0;
                // ... as in softmax
    const float t1 = finish_0(mine_0.s0, reduced);
    float row_t2[32];
    // ... as in softmax
    for (int u = 0; u < 8; ++u) {
        const unsigned int vector_begin = (lane + u * 32) * 4;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = vector_begin + k;
            if (first < end) {
                const float t0 = row_t0[u * 4 + k];
                const float t2 = t0 - t1;
                row_t2[u * 4 + k] = t2;
                const float t3 = t2 * t2;
                accumulators_1 one; one.s1 = t3;
                // ... as in softmax
    const float t4 = finish_1(mine_1.s1, reduced);
    const float t5 = t4 + s0;
    const float t6 = float(1) / sqrtf(t5);
    float row_x1[32];
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int vector_begin = (lane + u * 32) * 4;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = vector_begin + k;
            // ... as in rows
                const int at_x1 = p1;
                row_x1[u * 4 + k] = x1[at_x1];
            }
        }
    }
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int vector_begin = (lane + u * 32) * 4;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = vector_begin + k;
            // ... as in rows
                const float x1 = row_x1[u * 4 + k];
                const float t2 = row_t2[u * 4 + k];
                const float t7 = t2 * t6;
                const float t8 = t7 * x1;
                if (is_there) y0[i] = t8;
            }
        }
    }
}
