// exp(x0 + x1)
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_add_exp_f32_axes2_rows
// ... shared/indices.cu: clamp_index, mirror_index, divide
// ... shared/bodies.cu: body, element

    const unsigned int group = divide(blockIdx.x, at.word[6]);
    const int p1 = (blockIdx.x - group * int(at.word[5])) * 256 + threadIdx.x;
    const int extent = int(at.word[2]);
    // ... as in broadcast
    const unsigned int first_row = group * 8;
    if (p1 >= extent) return;
    if (first_row + 8 <= rows) {
        #pragma unroll
        for (int k = 0; k < 8; ++k) {
            const unsigned int row = first_row + k;
            const int p0 = row;
            element(y0, x0, x1, at, row * extent + p1, p0, p1);
        }
    } else {
        #pragma unroll 1
        for (unsigned int row = first_row; row < rows; ++row) {
            const int p0 = row;
            element(y0, x0, x1, at, row * extent + p1, p0, p1);
        }
    }
}
