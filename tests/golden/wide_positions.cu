// where(index0 >= index1, s0, s1)
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: f32x4, store
// ... shared/heads.cu: layout, kiln_ge_where_f32_v4_axes2_rows_wide
// ... shared/bodies.cu: body

    // ... as in wide_index
    const long long number = block * 256 + thread;
    const long long group = number / at.word[5];
    const long long p1 = (number - group * at.word[5]) * 4;
    const long long rows = at.word[7];
    // ... as in broadcast
        const long long row = is_there ? group * 2 + r : rows - 1;
        const long long first = row * at.word[2] + p1;
        const long long p0 = row;
        const long long at_index0 = p0;
        const long long at_index1 = p1;
        f32x4 v_y0;
        #pragma unroll
        for (int k = 0; k < 4; ++k) body(index0 + at_index0, index1 + at_index1 + k, s0, s1, v_y0.v[k]);
        // ... as in broadcast
