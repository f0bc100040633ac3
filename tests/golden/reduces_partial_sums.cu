// sum(x0 * x1)
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/partial_sums.cu: sum_of_two, finalize
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_sum_of_mul_f32_v4_axes2
// ... shared/bodies.cu: body
// ... shared/block_reduce.cu: further_on, block_reduce

    __shared__ float warps_of_x1[8];
    const float sum_x1 = finalize(partial_sums_of_x1 + 64, at.word[10], warps_of_x1);
    const float* const x1 = &sum_x1;
    // ... as in rows
        float v_x1[4];
        // ... as in rows
                const int at_x1 = 0;
                v_x0[u] = load_f32x4(x0 + i);
                v_x1[u] = x1[at_x1];
            // ... as in rows
                const int at_x1 = 0;
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    float one_y0;
                    body(v_x0[u].v[k], v_x1[u], one_y0);
                    // ... as in rows
                const int at_x1 = 0;
                float one_y0;
                body(x0[i], x1[at_x1], one_y0);
                // ... as in rows
