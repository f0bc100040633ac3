// random_normal(uint64(index0), s0)
// ... shared/types.cu: u64, i64
// ... shared/helpers.cu: EXACT_sqrt, bits_of, double_of, wide_product, wait_for_earlier_kernels, philox_words, philox_round, philox, draw_64, own_log, quantile_centre, quantile_shoulder, quantile_tail, normal_quantile, draw_normal
// ... shared/vectors.cu: f64x2, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_random_normal_f64_v2

    // ... as in random
    // ... as in several_outputs
    f64x2 v_y0;
    #pragma unroll
    for (int k = 0; k < 2; ++k) body(((index0 + first) & -2) | k, s0, v_y0.v[k]);
    // ... as in complex64
