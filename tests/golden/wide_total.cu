// sum(s0 + float32(index0))
// ... shared/types.cu: u32, i64
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_sum_of_cast_add_f32_axes1_wide
// ... shared/bodies.cu: body
// ... shared/block_reduce.cu: further_on, block_reduce, is_last_of

    // ... as in rows
    const long long splits = at.word[3];
    const long long group = static_cast<long long>(blockIdx.x) / at.word[3];
    const long long split = static_cast<long long>(blockIdx.x) - group * splits;
    // ... as in total
    const long long kept = at.word[5];
    const long long reduced = at.word[6];
    // ... as in total
    const long long value = is_there ? group * 1 + threadIdx.x / 256 : kept - 1;
    const long long begin = split * static_cast<long long>(at.word[7]);
    const long long end = split + 1 == splits ? reduced : begin + static_cast<long long>(at.word[7]);
    // ... as in rows_unaligned
    for (long long next = begin + lane * 4; next < end; next += 1024) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const long long first = next + k;
            if (first < end) {
                const i64 p0 = first;
                const long long i = static_cast<long long>(p0);
                float one_y0;
                body(index0 + i, s0, one_y0);
                // ... as in total
        for (long long next = lane; next < splits; next += 2048) {
            // ... as in total
                const long long other_split = next + u * 256;
                // ... as in total
