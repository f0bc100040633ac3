// (x0 + x1 + x2 + x3) * x4
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_add3_mul_f32_v4_window

    // ... as in contiguous
    f32x4 window[3];
    const bool inside = first >= 1 && first + 11 <= count + 6;
    if (inside) {
        #pragma unroll
        for (int v = 0; v < 3; ++v) window[v] = load_f32x4(x0 + (first + v * 4 - 1));
    } else {
        #pragma unroll
        for (int v = 0; v < 3; ++v) window[v] = {};
        #pragma unroll
        for (int j = 0; j < 10; ++j) {
            if (first + j < count + 6) window[(j + 1) / 4].v[(j + 1) % 4] = x0[first + j];
        }
    }
    f32x4 v_x4 = {};
    if (whole) {
        v_x4 = load_f32x4(x4 + first);
    } else {
        #pragma unroll
        for (int k = 0; k < 3; ++k) {
            if (first + k < count) v_x4.v[k] = x4[first + k];
        }
    }
    f32x4 v_y0;
    #pragma unroll
    for (int k = 0; k < 4; ++k) body(window[(k + 1) / 4].v[(k + 1) % 4], window[(k + 1 + 1) / 4].v[(k + 1 + 1) % 4], window[(k + 2 + 1) / 4].v[(k + 2 + 1) % 4], window[(k + 6 + 1) / 4].v[(k + 6 + 1) % 4], v_x4.v[k], v_y0.v[k]);
    // ... as in contiguous
