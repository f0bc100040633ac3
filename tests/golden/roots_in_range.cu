// (sqrt(x0) * reciprocal(x0)) + ((x0 / square(x0)) * rsqrt(x0))
// ... shared/helpers.cu: wait_for_earlier_kernels, root_in_range, reciprocal_in_range, quotient_by_positive_in_range, rsqrt_of_normal
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_sqrt_reciprocal_mul2_square_div_rsqrt_add_f32_v4

    // ... as in contiguous
