// x0 + x1
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/heads.cu: layout, kiln_add_f32_v4_axes2_rows
// ... shared/indices.cu: clamp_index, divide
// ... shared/bodies.cu: body

    // ... as in broadcast
    const int p1 = (number - group * int(at.word[5])) * 4;
    // ... as in broadcast
    if (group * 4 >= rows) return;
    #pragma unroll
    for (int r = 0; r < 4; ++r) {
        const bool is_there = group * 4 + r < rows;
        const unsigned int row = is_there ? group * 4 + r : rows - 1;
        // ... as in broadcast
        f32x4 v_x1 = load_f32x4(x1 + first);
        f32x4 v_y0;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int x0_0 = clamp_index(int(at.word[9]) + (p1 + k), int(at.word[8]));
            const int at_x0 = p0 * int(at.word[10]) + x0_0;
            body(x0[at_x0], v_x1.v[k], v_y0.v[k]);
        }
        // ... as in broadcast
