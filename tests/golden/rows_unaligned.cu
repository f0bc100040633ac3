// mean(x0)
// ... shared/helpers.cu: complex, c64, complex_of, complex_add
// ... shared/accumulators.cu: mean_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_mean_c64_axes2
// ... shared/bodies.cu: body
// ... shared/block_reduce.cu: further_on, block_reduce

    // ... as in rows
    #pragma unroll 2
    for (unsigned int next = begin + lane * 4; next < end; next += 128) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = next + k;
            // ... as in rows
                c64 one_y0;
                // ... as in rows
