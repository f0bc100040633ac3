// uint8(rint(((float32(x0) / s0) * float32(x1)) + float32(x2)))
// ... shared/types.cu: u8
// ... shared/helpers.cu: CONVERTED, wait_for_earlier_kernels, quotient_by_positive_in_range, usual_quotient, quotient_by_scalar
// ... shared/vectors.cu: u8x16, load_u8x16, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_cast4_div_mul_add_rint_u8_v16

    // ... as in contiguous
    const unsigned int first = (block * 256 + thread) * 16;
    // ... as in float16
    uint4 bits_x1;
    uint4 bits_x2;
    const bool whole = first + 16 <= count;
    if (whole) {
        bits_x0 = load_u8x16(x0 + first);
        bits_x1 = load_u8x16(x1 + first);
        bits_x2 = load_u8x16(x2 + first);
    } else {
        u8x16 part_x0 = {};
        u8x16 part_x1 = {};
        u8x16 part_x2 = {};
        // ... as in several_outputs
            part_x2.v[k] = x2[first + k];
        }
        // ... as in float16
        bits_x1 = reinterpret_cast<const uint4&>(part_x1);
        bits_x2 = reinterpret_cast<const uint4&>(part_x2);
    }
    const u8x16 v_x0 = reinterpret_cast<const u8x16&>(bits_x0);
    const u8x16 v_x1 = reinterpret_cast<const u8x16&>(bits_x1);
    const u8x16 v_x2 = reinterpret_cast<const u8x16&>(bits_x2);
    u8x16 v_y0;
    #pragma unroll
    for (int k = 0; k < 16; ++k) body(v_x0.v[k], v_x1.v[k], v_x2.v[k], s0, v_y0.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
    } else {
        #pragma unroll
        for (int k = 0; k < 15; ++k) {
            // ... as in contiguous
