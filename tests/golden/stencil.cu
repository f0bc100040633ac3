// exp(x0 + x1)
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/heads.cu: layout, kiln_add_exp_f32_axes2_rows
// ... shared/indices.cu: clamp_index, mirror_index, divide
// ... shared/bodies.cu: body

    // ... as in contiguous
    const unsigned int group = divide(block, at.word[6]);
    const int p1 = (block - group * int(at.word[5])) * 256 + thread;
    const int extent = int(at.word[2]);
    // ... as in broadcast
    const unsigned int first_row = group * 8;
    if (p1 >= extent) return;
    if (first_row + 8 <= rows) {
        float all_x0[8];
        float all_x1[8];
        #pragma unroll
        for (int k = 0; k < 8; ++k) {
            const unsigned int row = first_row + k;
            const int p0 = row;
            const int x0_0 = clamp_index(int(at.word[9]) + p0, int(at.word[8]));
            const int at_x0 = p1 + x0_0 * int(at.word[10]);
            all_x0[k] = x0[at_x0];
            const int x1_0 = mirror_index(int(at.word[12]) + p1, int(at.word[11]));
            const int at_x1 = p0 * int(at.word[13]) + x1_0;
            all_x1[k] = x1[at_x1];
        }
        #pragma unroll
        for (int k = 0; k < 8; ++k) {
            const unsigned int row = first_row + k;
            const int p0 = row;
            body(all_x0[k], all_x1[k], y0[row * extent + p1]);
        }
    } else {
        #pragma unroll 1
        for (unsigned int row = first_row; row < rows; ++row) {
            const int p0 = row;
            const int x0_0 = clamp_index(int(at.word[9]) + p0, int(at.word[8]));
            const int at_x0 = p1 + x0_0 * int(at.word[10]);
            const int x1_0 = mirror_index(int(at.word[12]) + p1, int(at.word[11]));
            const int at_x1 = p0 * int(at.word[13]) + x1_0;
            body(x0[at_x0], x1[at_x1], y0[row * extent + p1]);
        }
    }
}
