// exp(x0 + x1 + x2)
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: f32x2, load_f32x2, store
// ... shared/heads.cu: layout, kiln_add2_exp_f32_v2_axes2_rows
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    // ... as in contiguous
    const unsigned int number = block * 256 + thread;
    const unsigned int group = divide(number, at.word[6]);
    const int p1 = (number - group * int(at.word[5])) * 2;
    const unsigned int rows = at.word[7];
    if (group * 2 >= rows) return;
    #pragma unroll
    for (int r = 0; r < 2; ++r) {
        const bool is_there = group * 2 + r < rows;
        const unsigned int row = is_there ? group * 2 + r : rows - 1;
        const unsigned int first = row * int(at.word[2]) + p1;
        const int p0 = row;
        const int at_x1 = p1;
        const int at_x2 = p0;
        f32x2 v_x0 = load_f32x2(x0 + first);
        f32x2 v_x1 = load_f32x2(x1 + at_x1);
        const float v_x2 = x2[at_x2];
        f32x2 v_y0;
        #pragma unroll
        for (int k = 0; k < 2; ++k) body(v_x0.v[k], v_x1.v[k], v_x2, v_y0.v[k]);
        if (is_there) store(y0 + first, v_y0);
    }
}
