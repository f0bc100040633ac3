// x0 + x1
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_add_f32

    // ... as in contiguous
    const unsigned int first = block * 1024 + thread;
    if (first - thread + 1024 <= count) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int i = first + k * 256;
            body(x0[i], x1[i], y0[i]);
        }
    } else {
        #pragma unroll 1
        for (unsigned int i = first; i < count; i += 256) body(x0[i], x1[i], y0[i]);
    }
}
