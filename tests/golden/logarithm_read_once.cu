// logsumexp(x0)
// ... shared/types.cu: u32
// ... shared/helpers.cu: LIBRARY_exp, LIBRARY_log, EXACT_floor, float_of, double_of, larger_of, shuffle_down, is_last_of, wait_for_earlier_kernels, infinity_like, exponentials, exponentials_of_none, anchor_of, above_anchor, with_anchor_of, exponentials_next, exponentials_of_two, log_of_exponentials
// ... shared/accumulators.cu: finish_0, accumulators, identity, combine, append
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, kiln_logsumexp_f32_v4_axes1
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    // ... as in total
                    one.s0.value = one_y0;
                    // ... as in variances
                // ... as in rows
                one.s0.value = one_y0;
                // ... as in variances
    for (unsigned int next = lane; next < splits; next += 1024) {
        accumulators other[4];
        #pragma unroll
        for (int u = 0; u < 4; ++u) {
            // ... as in total
        for (int u = 0; u < 4; ++u) {
            // ... as in total
    // ... as in variances
    // ... as in rows
