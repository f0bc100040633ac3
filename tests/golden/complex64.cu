// x0 * s0
// ... shared/helpers.cu: rounded, wait_for_earlier_kernels, complex, c64, complex_of, complex_mul
// ... shared/vectors.cu: c64x2, load_c64x2, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_mul_c64_v2

    // ... as in several_outputs
    c64x2 v_x0 = {};
    // ... as in several_outputs
        v_x0 = load_c64x2(x0 + first);
    } else {
        if (first < count) v_x0.v[0] = x0[first];
    }
    c64x2 v_y0;
    #pragma unroll
    for (int k = 0; k < 2; ++k) body(v_x0.v[k], s0, v_y0.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
    } else {
        if (first < count) y0[first] = v_y0.v[0];
    }
}
