// sum(x0 * x0)
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_sum_of_mul_f32_v4_axes1_partial_sums
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body
// ... shared/block_reduce.cu: further_on, block_reduce

    // ... as in total
    if (lane == 0) y0[64 + split] = mine[0].s0;
}
