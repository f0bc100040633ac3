// reduction(x0)
// ... shared/helpers.cu: shuffle_down, wait_for_earlier_kernels
// ... shared/users.cu: user0_reduction, #line
// ... shared/accumulators.cu: user0_reduction_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, kiln_reduction_f32_v4_axes2
// ... shared/bodies.cu: body

    // ... as in rows
