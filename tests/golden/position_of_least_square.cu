// argmin(square(x0))
// ... shared/types.cu: i64
// ... shared/helpers.cu: shuffle_down, wait_for_earlier_kernels
// ... shared/accumulators.cu: found_f32, argmin_of, argmin_next_by_bits, finish_0, accumulators, identity, combine, append
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, kiln_argmin_of_square_i64_v4_free32_axes2
// ... shared/bodies.cu: body

    // ... as in position_of_largest
