// x0 + x1
// ... shared/bodies.cu: body
// ... shared/heads.cu: wait_for_earlier_kernels, kiln_add_f32

    const unsigned int first = blockIdx.x * 1024 + threadIdx.x;
    if (first - threadIdx.x + 1024 <= count) {
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
