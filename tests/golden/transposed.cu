// x0 + x1
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/heads.cu: layout, kiln_add_f32_axes2_tile64
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    __shared__ float tile_x1[4160];
    // ... as in contiguous
    const unsigned int along_outer = divide(block, at.word[6]);
    const int inner_first = (block - along_outer * int(at.word[5])) * 64;
    const unsigned int others = divide(along_outer, at.word[8]);
    const int outer_first = (along_outer - others * int(at.word[7])) * 64;
    #pragma unroll
    for (int k = 0; k < 16; ++k) {
        const int across = thread % 64;
        const int along = thread / 64 + k * 4;
        const int p0 = outer_first + across;
        const int p1 = inner_first + along;
        if (p0 < int(at.word[1]) && p1 < int(at.word[2])) {
            const int at_x1 = p0 + p1 * int(at.word[9]);
            tile_x1[along * 65 + across] = x1[at_x1];
        }
    }
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < 16; ++k) {
        const int along = thread % 64;
        const int across = thread / 64 + k * 4;
        const int p0 = outer_first + across;
        const int p1 = inner_first + along;
        if (p0 < int(at.word[1]) && p1 < int(at.word[2])) body(x0[p0 * int(at.word[2]) + p1], tile_x1[along * 65 + across], y0[p0 * int(at.word[2]) + p1]);
    }
}
