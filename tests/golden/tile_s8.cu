// kiln_tile_s8
// ... shared/types.cu: i8
// ... shared/helpers.cu: wait_for_earlier_kernels, multiply_tile_s8
// ... shared/vectors.cu: i8x4
// ... shared/heads.cu: kiln_tile_s8

    __shared__ __align__(16) i8 rows[1536];
    __shared__ __align__(16) i8 columns[768];
    // ... as in tile_f16
    for (int i = lane; i < 1536; i += 32) rows[i] = x0[i];
    #pragma unroll 1
    for (int i = lane; i < 768; i += 32) columns[i] = x1[i];
    __syncthreads();
    i8x4 a[4];
    i8x4 b[2];
    int sums[4];
    #pragma unroll
    for (int j = 0; j < 4; ++j) sums[j] = 0;
    #pragma unroll 1
    for (int first = 0; first < 96; first += 32) {
        a[0] = reinterpret_cast<const i8x4&>(rows[lane / 4 * 96 + lane % 4 * 4 + first]);
        a[1] = reinterpret_cast<const i8x4&>(rows[(lane / 4 + 8) * 96 + lane % 4 * 4 + first]);
        a[2] = reinterpret_cast<const i8x4&>(rows[lane / 4 * 96 + (lane % 4 * 4 + 16) + first]);
        a[3] = reinterpret_cast<const i8x4&>(rows[(lane / 4 + 8) * 96 + (lane % 4 * 4 + 16) + first]);
        b[0] = reinterpret_cast<const i8x4&>(columns[lane / 4 * 96 + lane % 4 * 4 + first]);
        b[1] = reinterpret_cast<const i8x4&>(columns[lane / 4 * 96 + (lane % 4 * 4 + 16) + first]);
        multiply_tile_s8(sums, a, b);
    // ... as in tile_f16
