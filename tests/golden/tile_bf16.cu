// kiln_tile_bf16
// ... shared/helpers.cu: wait_for_earlier_kernels, load_tile, multiply_tile_bf16, bf16
// ... shared/vectors.cu: bf16x2
// ... shared/heads.cu: kiln_tile_bf16

    __shared__ __align__(16) bf16 rows[768];
    __shared__ __align__(16) bf16 columns[384];
    // ... as in tile_f16
    bf16x2 a[4];
    bf16x2 b[2];
    // ... as in tile_f16
        multiply_tile_bf16(sums, a, b);
    // ... as in tile_f16
