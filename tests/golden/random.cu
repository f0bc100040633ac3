// random_f32(uint64(index0), s0)
// ... shared/types.cu: u64, i64
// ... shared/helpers.cu: wide_product, wait_for_earlier_kernels, philox_words, philox_round, philox, draw_32, draw_f32
// ... shared/vectors.cu: f32x4, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_random_f32_f32_v4

    const unsigned int block = blockIdx.x;
    // ... as in windows
    f32x4 v_y0;
    #pragma unroll
    for (int k = 0; k < 4; ++k) body(((index0 + first) & -4) | k, s0, v_y0.v[k]);
    // ... as in contiguous
