// sum(x0 * x0)
// ... shared/helpers.cu: shuffle_down, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, kiln_sum_of_mul_f32_v4_axes1_partial_sums
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    // ... as in rows
    // ... as in total
    if (lane == 0) y0[split + 64] = mine.s0;
}
