// x0 + x1
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_add_f32_axes2_tile64
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body, element

    __shared__ float tile_x1[64][65];
    const unsigned int along_outer = divide(blockIdx.x, at.word[6]);
    const int inner_first = (blockIdx.x - along_outer * int(at.word[5])) * 64;
    const unsigned int others = divide(along_outer, at.word[8]);
    const int outer_first = (along_outer - others * int(at.word[7])) * 64;
    #pragma unroll
    for (int k = 0; k < 16; ++k) {
        const int outer = threadIdx.x % 64;
        const int inner = threadIdx.x / 64 + k * 4;
        const int p0 = outer_first + outer;
        const int p1 = inner_first + inner;
        if (p0 < int(at.word[1]) && p1 < int(at.word[2])) {
            tile_x1[inner][outer] = x1[p0 + p1 * int(at.word[9])];
        }
    }
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < 16; ++k) {
        const int inner = threadIdx.x % 64;
        const int outer = threadIdx.x / 64 + k * 4;
        const int p0 = outer_first + outer;
        const int p1 = inner_first + inner;
        if (p0 < int(at.word[1]) && p1 < int(at.word[2])) {
            element(y0, x0, x1, at, (p0 * int(at.word[2]) + p1), p0, p1, tile_x1[inner][outer]);
        }
    }
}
