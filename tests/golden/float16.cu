// (x0 * x0) + exp(x0)
// ... shared/helpers.cu: wait_for_earlier_kernels, f16, bits16_of, f32_from_f16, f16_from_f32, f16_add, f16_mul
// ... shared/vectors.cu: f16x8, load_f16x8, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_mul_exp_add_f16_v8

    // ... as in contiguous
    const unsigned int first = (block * 256 + thread) * 8;
    if (first >= count) return;
    uint4 bits_x0;
    const bool whole = first + 8 <= count;
    if (whole) {
        bits_x0 = load_f16x8(x0 + first);
    } else {
        f16x8 part_x0 = {};
        #pragma unroll 1
        for (int k = 0; k < count - first; ++k) part_x0.v[k] = x0[first + k];
        bits_x0 = reinterpret_cast<const uint4&>(part_x0);
    }
    const f16x8 v_x0 = reinterpret_cast<const f16x8&>(bits_x0);
    f16x8 v_y0;
    #pragma unroll
    for (int k = 0; k < 8; ++k) body(v_x0.v[k], v_y0.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
    } else {
        #pragma unroll
        for (int k = 0; k < 7; ++k) {
            // ... as in contiguous
