// kiln_tile_f16
// ... shared/helpers.cu: wait_for_earlier_kernels, load_tile, multiply_tile_f16, f16
// ... shared/vectors.cu: f16x2
// ... shared/heads.cu: kiln_tile_f16

    __shared__ __align__(16) f16 rows[768];
    __shared__ __align__(16) f16 columns[384];
    // ... as in random
    const int lane = threadIdx.x;
    #pragma unroll 1
    for (int i = lane; i < 768; i += 32) rows[i] = x0[i];
    #pragma unroll 1
    for (int i = lane; i < 384; i += 32) columns[i] = x1[i];
    __syncthreads();
    f16x2 a[4];
    f16x2 b[2];
    float sums[4];
    #pragma unroll
    for (int j = 0; j < 4; ++j) sums[j] = 0;
    #pragma unroll 1
    for (int first = 0; first < 48; first += 16) {
        load_tile<4, false>(a, rows + (lane % 16 * 48 + lane / 16 * 8 + first));
        load_tile<2, false>(b, columns + (lane % 8 * 48 + lane / 8 % 2 * 8 + first));
        multiply_tile_f16(sums, a, b);
    }
    y0[lane / 4 * 8 + lane % 4 * 2] = sums[0];
    y0[lane / 4 * 8 + (lane % 4 * 2 + 1)] = sums[1];
    y0[(lane / 4 + 8) * 8 + lane % 4 * 2] = sums[2];
    y0[(lane / 4 + 8) * 8 + (lane % 4 * 2 + 1)] = sums[3];
}
