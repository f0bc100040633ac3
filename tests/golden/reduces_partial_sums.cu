// sum(x0 * x1)
// ... shared/helpers.cu: shuffle_down, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine, accumulators_f32, identity_f32
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, kiln_sum_of_mul_f32_v4_axes2
// ... shared/bodies.cu: body

    // ... as in rows
    // ... as in reads_partial_sums
    // ... as in contiguous
    const int count_of_x1 = int(at.word[10]);
    // ... as in reads_partial_sums
    // ... as in rows
                    body(v_x0[u].v[k], sum_x1, one_y0);
                    // ... as in rows
                body(x0[i], sum_x1, one_y0);
                // ... as in rows
