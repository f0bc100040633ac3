// (x0 * x0) + x0
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: wait_for_earlier_kernels, kiln_mul_add_f32_v4_inplace

    // ... as in contiguous
