// x0 * x0
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_mul_f32_axes1
// ... shared/bodies.cu: body, element

    // ... as in reshaped
