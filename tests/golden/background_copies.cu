// kiln_reversed_tiles
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies
// ... shared/heads.cu: kiln_reversed_tiles

    // ... as in finished_product_of_floats
    float* const tile = reinterpret_cast<float*>(dynamic_shared + 0);
    // ... as in random
    const unsigned int first = block * tiles * 128;
    if (thread < 32) {
        copy_async<16>(tile + (0 % 2 * 128 + thread * 4), x0 + (first + thread * 4));
    }
    commit_copies();
    for (int tile_number = 0; tile_number < tiles; ++tile_number) {
        __syncthreads();
        if (tile_number + 1 < tiles) {
            if (thread < 32) {
                copy_async<16>(tile + ((tile_number + 1) % 2 * 128 + thread * 4), x0 + (first + (tile_number + 1) * 128 + thread * 4));
            }
        }
        commit_copies();
        wait_copies<1>();
        __syncthreads();
        y0[first + tile_number * 128 + thread] = tile[tile_number % 2 * 128 + 127 - thread];
    }
}
