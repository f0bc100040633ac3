// (x0 * x0) + x0
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_mul_add_f32_v4_inplace

    // ... as in contiguous
