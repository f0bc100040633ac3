// mean(x0)
// ... shared/helpers.cu: shuffle_down, wait_for_earlier_kernels, complex, c64, complex_of, complex_add
// ... shared/accumulators.cu: mean_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: layout, kiln_mean_c64_axes2
// ... shared/bodies.cu: body

    // ... as in rows
    #pragma unroll 2
    for (unsigned int next = lane * 4; next < reduced; next += 128) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = next + k;
            // ... as in rows
                c64 one_y0;
                // ... as in rows
