// float64(x0 + x1) * x2, x2 < s0
// ... shared/types.cu: u8
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: f64x2, load_f64x2, store, u8x2, load_u8x2, b8x2
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_add_mul_lt_f64_v2

    // ... as in contiguous
    const unsigned int first = (block * 256 + thread) * 2;
    if (first >= count) return;
    unsigned short bits_x0;
    unsigned short bits_x1;
    f64x2 v_x2 = {};
    const bool whole = first + 2 <= count;
    if (whole) {
        v_x2 = load_f64x2(x2 + first);
        bits_x0 = load_u8x2(x0 + first);
        bits_x1 = load_u8x2(x1 + first);
    } else {
        u8x2 part_x0 = {};
        u8x2 part_x1 = {};
        #pragma unroll 1
        for (int k = 0; k < count - first; ++k) {
            part_x0.v[k] = x0[first + k];
            part_x1.v[k] = x1[first + k];
        }
        bits_x0 = reinterpret_cast<const unsigned short&>(part_x0);
        bits_x1 = reinterpret_cast<const unsigned short&>(part_x1);
        if (first < count) v_x2.v[0] = x2[first];
    }
    const u8x2 v_x0 = reinterpret_cast<const u8x2&>(bits_x0);
    const u8x2 v_x1 = reinterpret_cast<const u8x2&>(bits_x1);
    f64x2 v_y0;
    b8x2 v_y1;
    #pragma unroll
    for (int k = 0; k < 2; ++k) body(v_x0.v[k], v_x1.v[k], v_x2.v[k], s0, v_y0.v[k], v_y1.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
        store(y1 + first, v_y1);
    } else {
        if (first < count) {
            y0[first] = v_y0.v[0];
            y1[first] = v_y1.v[0];
        }
    }
}
