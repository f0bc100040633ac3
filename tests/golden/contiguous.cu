// x0 + x0 + x0 + x0 + x0
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_add4_f32_v4

    const unsigned int block = (blockIdx.x ^ turned) + (gridDim.x & turned);
    const int thread = threadIdx.x;
    const unsigned int first = (block * 256 + thread) * 4;
    if (first >= count) return;
    f32x4 v_x0 = {};
    const bool whole = first + 4 <= count;
    if (whole) {
        v_x0 = load_f32x4(x0 + first);
    } else {
        #pragma unroll
        for (int k = 0; k < 3; ++k) {
            if (first + k < count) v_x0.v[k] = x0[first + k];
        }
    }
    f32x4 v_y0;
    #pragma unroll
    for (int k = 0; k < 4; ++k) body(v_x0.v[k], v_y0.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
    } else {
        #pragma unroll
        for (int k = 0; k < 3; ++k) {
            if (first + k < count) y0[first + k] = v_y0.v[k];
        }
    }
}
