// x0 * abs(x0)
// ... shared/helpers.cu: LIBRARY_hypot, wait_for_earlier_kernels, complex, c128, complex_of
// ... shared/vectors.cu: c128x1, load_c128x1, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_abs_scale_c128_v1

    // ... as in contiguous
    const unsigned int first = block * 256 + thread;
    if (first >= count) return;
    c128x1 v_x0 = load_c128x1(x0 + first);
    c128x1 v_y0;
    body(v_x0.v[0], v_y0.v[0]);
    store(y0 + first, v_y0);
}
