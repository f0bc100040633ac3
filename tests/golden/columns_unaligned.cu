// prod(x0)
// ... shared/types.cu: u32
// ... shared/helpers.cu: rounded, complex, c64, complex_of, complex_mul
// ... shared/accumulators.cu: prod_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_prod_c64_axes2
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body
// ... shared/block_reduce.cu: block_reduce, is_last_of

    // ... as in columns
    const bool is_there = group * 32 + threadIdx.x % 32 < kept;
    const unsigned int value = is_there ? group * 32 + threadIdx.x % 32 : kept - 1;
    // ... as in columns
    accumulators part[1];
    #pragma unroll
    for (int k = 0; k < 1; ++k) part[k] = identity();
    #pragma unroll 1
    for (unsigned int next = begin + lane; next < end; next += 64) {
        c64 v_x0[8];
        #pragma unroll
        for (int u = 0; u < 8; ++u) {
            // ... as in columns
                v_x0[u] = x0[i];
            }
        }
        #pragma unroll
        for (int u = 0; u < 8; ++u) {
            // ... as in columns
                for (int k = 0; k < 1; ++k) {
                    c64 one_y0;
                    body(v_x0[u], one_y0);
                    // ... as in rows
    accumulators (&mine)[1] = part;
    // ... as in rows
    c64* const left0 = reinterpret_cast<c64*>(workspace);
    // ... as in total
    // ... as in columns
    // ... as in total
        // ... as in columns
    // ... as in total
