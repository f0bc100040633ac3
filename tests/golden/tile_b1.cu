// kiln_tile_b1
// ... shared/types.cu: u32
// ... shared/helpers.cu: wait_for_earlier_kernels, multiply_tile_b1
// ... shared/heads.cu: kiln_tile_b1

    __shared__ __align__(16) u32 rows[384];
    __shared__ __align__(16) u32 columns[192];
    // ... as in tile_f16
    for (int i = lane; i < 384; i += 32) rows[i] = x0[i];
    #pragma unroll 1
    for (int i = lane; i < 192; i += 32) columns[i] = x1[i];
    __syncthreads();
    u32 a[4];
    u32 b[2];
    // ... as in tile_s8
    for (int first = 0; first < 24; first += 8) {
        a[0] = rows[lane / 4 * 24 + lane % 4 + first];
        a[1] = rows[(lane / 4 + 8) * 24 + lane % 4 + first];
        a[2] = rows[lane / 4 * 24 + (lane % 4 + 4) + first];
        a[3] = rows[(lane / 4 + 8) * 24 + (lane % 4 + 4) + first];
        b[0] = columns[lane / 4 * 24 + lane % 4 + first];
        b[1] = columns[lane / 4 * 24 + (lane % 4 + 4) + first];
        multiply_tile_b1(sums, a, b);
    // ... as in tile_f16
