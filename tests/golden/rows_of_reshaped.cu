// sum(x0)
// ... shared/helpers.cu: shuffle_down, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: layout, kiln_sum_f32_axes2
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    // ... as in shared_rows
    const unsigned int wanted = block * 2 + thread / 128;
    // ... as in rows
    const unsigned int own = lane / 32 * 128 + lane % 32;
    const unsigned int whole = reduced / 512 * 512;
    #pragma unroll 1
    for (unsigned int next = own; next < whole; next += 512) {
        const unsigned int round = next;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = round + k * 32;
            const int p1 = first;
            const int x0_0 = static_cast<int>(divide(int(at.word[12]) + p0 * int(at.word[13]) + p1, at.word[11]));
            const int at_x0 = p0 * int(at.word[14]) + p1 * int(at.word[15]) + x0_0 * int(at.word[16]);
            float one_y0;
            body(x0[at_x0], one_y0);
            // ... as in rows
    #pragma unroll 1
    for (unsigned int next = whole + own; next < reduced; next += 512) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = next + k * 32;
            // ... as in rows
                const int x0_0 = static_cast<int>(divide(int(at.word[12]) + p0 * int(at.word[13]) + p1, at.word[11]));
                const int at_x0 = p0 * int(at.word[14]) + p1 * int(at.word[15]) + x0_0 * int(at.word[16]);
                float one_y0;
                body(x0[at_x0], one_y0);
                // ... as in rows
    #pragma unroll
    for (int j = 0; j < 4; ++j) part[j] = combine(part[j], shuffle_down(part[j], 1));
    #pragma unroll
    for (int j = 0; j < 4; ++j) part[j] = combine(part[j], shuffle_down(part[j], 2));
    accumulators mine = combine(combine(part[0], part[2]), combine(part[1], part[3]));
    #pragma unroll
    for (int apart = 4; apart > 0; apart /= 2) mine = combine(mine, shuffle_down(mine, apart * 4));
    // ... as in total
    mine = shared[thread / 128 * 4 + thread % 4];
    #pragma unroll
    for (int apart = 2; apart > 0; apart /= 2) mine = combine(mine, shuffle_down(mine, apart));
    // ... as in rows
