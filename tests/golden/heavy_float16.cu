// floor_mod(x0, floor_mod(x0, floor_mod(x0, x0)))
// ... shared/helpers.cu: EXACT_copysign, EXACT_fmod, wait_for_earlier_kernels, f16, bits16_of, f32_from_f16, f16_from_f32, rest_downwards
// ... shared/vectors.cu: f16x8, load_f16x8, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_floor_mod3_f16_v8

    // ... as in float16
    f16x8 v_x0 = {};
    // ... as in float16
    if (whole) reinterpret_cast<uint4&>(v_x0) = load_f16x8(x0 + first);
    f16x8 v_y0;
    #pragma unroll 1
    for (int k = 0; k < 8; ++k) {
        // ... as in heavy
        f16 one_y0;
        body(v_x0.v[0], one_y0);
        if (!whole) y0[first + k] = one_y0;
        #pragma unroll
        for (int j = 0; j < 7; ++j) {
            v_x0.v[j] = v_x0.v[j + 1];
            v_y0.v[j] = v_y0.v[j + 1];
        }
        v_y0.v[7] = one_y0;
    }
    if (whole) store(y0 + first, v_y0);
}
