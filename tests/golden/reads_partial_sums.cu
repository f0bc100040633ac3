// x0 * x1
// ... shared/partial_sums.cu: sum_of_two, finalize
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_mul_f32_v4_axes1
// ... shared/bodies.cu: body

    __shared__ float warps_of_x1[8];
    const float sum_x1 = finalize(partial_sums_of_x1 + 64, at.word[3], warps_of_x1);
    const float* const x1 = &sum_x1;
    // ... as in from_outside
    // ... as in contiguous
    const int p0 = first;
    const int at_x1 = 0;
    f32x4 v_x0 = {};
    const float v_x1 = x1[at_x1];
    // ... as in contiguous
    for (int k = 0; k < 4; ++k) body(v_x0.v[k], v_x1, v_y0.v[k]);
    // ... as in contiguous
