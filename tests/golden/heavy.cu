// (((x0 / (x0 + s0)) / (x0 + s1)) / (x0 + s2)) / (x0 + s3)
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_add4_div4_f32_v4

    // ... as in contiguous
    if (whole) v_x0 = load_f32x4(x0 + first);
    f32x4 v_y0;
    #pragma unroll 1
    for (int k = 0; k < 4; ++k) {
        if (!whole) {
            if (first + k >= count) break;
            v_x0.v[0] = x0[first + k];
        }
        float one_y0;
        body(v_x0.v[0], s0, s1, s2, s3, one_y0);
        if (!whole) y0[first + k] = one_y0;
        #pragma unroll
        for (int j = 0; j < 3; ++j) {
            v_x0.v[j] = v_x0.v[j + 1];
            v_y0.v[j] = v_y0.v[j + 1];
        }
        v_y0.v[3] = one_y0;
    }
    if (whole) store(y0 + first, v_y0);
}
