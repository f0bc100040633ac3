// float16(variance(float32(x0))), float16(deviation(float32(x0)))
// ... shared/types.cu: u32
// ... shared/helpers.cu: EXACT_sqrt, bits_of, float_of, f32_odd, shuffle_down, is_last_of, wait_for_earlier_kernels, f16, bits16_of, f32_from_f16, f16_from_f32, f16_from_f64, moments, moments_of_none, moments_next, count_of_moments, with_count, moments_of_two, product_lost, squares_about_mean, squares_of_moments, variance_of_moments, deviation_of_moments
// ... shared/accumulators.cu: finish_0, finish_1, accumulators, identity, combine, append
// ... shared/vectors.cu: f16x4, load_f16x4
// ... shared/heads.cu: layout, kiln_variance_deviation_f16_v4_axes1
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    // ... as in two_totals
                    float one_y1;
                    // ... as in two_totals
                    one.s0.value = one_y0;
                    one.s1.value = one_y1;
                    part[k] = append(part[k], one);
                // ... as in total
                float one_y1;
                // ... as in two_totals
                one.s0.value = one_y0;
                one.s1.value = one_y1;
                part[k] = append(part[k], one);
            // ... as in rows
    #pragma unroll 1
    // ... as in total
    #pragma unroll 1
    // ... as in total
    for (unsigned int next = lane; next < splits; next += 256) {
        accumulators other[1];
        const unsigned int split2 = next;
        if (split2 < splits) other[0] = workspace[split2 * kept + value];
        const unsigned int split3 = next;
        if (split3 < splits) mine = combine(mine, other[0]);
    }
    #pragma unroll 1
    // ... as in total
    #pragma unroll 1
    // ... as in two_totals
