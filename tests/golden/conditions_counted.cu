// float32(x0 > s0) + float32(x0 > s1)
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_gt2_cast2_add_f32_v4

    // ... as in contiguous
    for (int k = 0; k < 4; ++k) body(v_x0.v[k], s0, s1, v_y0.v[k]);
    // ... as in contiguous
