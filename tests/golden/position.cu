// where(index0 >= index1, x0, s0)
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: f32x2, load_f32x2, store
// ... shared/heads.cu: layout, kiln_ge_where_f32_v2_axes2
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    // ... as in from_outside
    // ... as in several_outputs
    const int p0 = divide(first, at.word[4]);
    const int p1 = first - p0 * int(at.word[2]);
    const int at_index0 = p0;
    const int at_index1 = p1;
    // ... as in broadcast
    f32x2 v_y0;
    #pragma unroll
    for (int k = 0; k < 2; ++k) body(index0 + at_index0, index1 + at_index1 + k, v_x0.v[k], s0, v_y0.v[k]);
    store(y0 + first, v_y0);
}
