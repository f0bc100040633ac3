// sum(s0 + float32(index0))
// ... shared/types.cu: u32, i64
// ... shared/helpers.cu: shuffle_down, is_last_of, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: layout, kiln_sum_of_cast_add_f32_axes1_wide
// ... shared/bodies.cu: body

    // ... as in total
    // ... as in wide_index
    const long long splits = at.word[3];
    const long long group = block / at.word[3];
    const long long split = block - group * splits;
    const int lane = thread % 256;
    const long long kept = at.word[5];
    const long long reduced = at.word[6];
    const long long wanted = group + thread / 256;
    // ... as in rows
    const long long value = is_there ? wanted : kept - 1;
    const long long part_of_split = at.word[7];
    const long long begin = split * part_of_split;
    const long long end = split + 1 == splits ? reduced : begin + part_of_split;
    // ... as in rows
    #pragma unroll 2
    for (long long next = begin + lane * 4; next < end; next += 1024) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const long long first = next + k;
            if (first < end) {
                const long long p0 = first;
                const long long i = static_cast<long long>(p0);
                float one_y0;
                body(index0 + i, s0, one_y0);
                // ... as in total
    for (long long next = lane; next < splits; next += 2048) {
        // ... as in total
            const long long split2 = next + u * 256;
            // ... as in total
            const long long split2 = next + u * 256;
            // ... as in total
