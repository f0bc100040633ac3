// reduction(x0)
// ... shared/users.cu: user0_reduction, #line
// ... shared/accumulators.cu: user0_reduction_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_reduction_f32_v4_axes2
// ... shared/bodies.cu: body
// ... shared/block_reduce.cu: further_on, block_reduce

    // ... as in rows
