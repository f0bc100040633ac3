// s0 + float32(index0)
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: f32x4, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_cast_add_f32_v4_wide

    const long long block = blockIdx.x;
    // ... as in contiguous
    const long long first = (block * 256 + thread) * 4;
    // ... as in windows
    f32x4 v_y0;
    #pragma unroll
    for (int k = 0; k < 4; ++k) body(index0 + first + k, s0, v_y0.v[k]);
    // ... as in contiguous
