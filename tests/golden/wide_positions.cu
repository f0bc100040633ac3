// where(index0 >= index1, s0, s1)
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: f32x4, store
// ... shared/heads.cu: layout, kiln_ge_where_f32_v4_axes2_wide
// ... shared/bodies.cu: body

    const long long count = at.word[0];
    // ... as in wide_index
    const long long p0 = first / at.word[2];
    const long long p1 = first - p0 * at.word[2];
    const long long at_index0 = p0;
    const long long at_index1 = p1;
    f32x4 v_y0;
    #pragma unroll
    for (int k = 0; k < 4; ++k) body(index0 + at_index0, index1 + at_index1 + k, s0, s1, v_y0.v[k]);
    store(y0 + first, v_y0);
}
