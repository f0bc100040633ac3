// x0 + x0
// ... shared/helpers.cu: wait_for_earlier_kernels, complex, c128, complex_of, complex_add
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_add_c128

    // ... as in contiguous
    const unsigned int i = block * 256 + thread;
    if (i < count) body(x0[i], y0[i]);
}
