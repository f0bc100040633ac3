// sum(x0)
// ... shared/helpers.cu: shuffle, shuffle_down, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: layout, kiln_sum_f32_axes2
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    // ... as in shared_rows
    const unsigned int wanted = block * 2 + thread / 128;
    // ... as in rows_unaligned
    const unsigned int whole = reduced / 512 * 512;
    #pragma unroll 1
    for (unsigned int next = own; next < whole; next += 512) {
        const unsigned int round = next;
        // ... as in rows_unaligned
            const int x0_0 = static_cast<int>(divide(int(at.word[12]) + p0 * int(at.word[13]) + p1, at.word[11]));
            const int at_x0 = p0 * int(at.word[14]) + p1 * int(at.word[15]) + x0_0 * int(at.word[16]);
            float one_y0;
            body(x0[at_x0], one_y0);
            // ... as in rows
    #pragma unroll 1
    for (unsigned int next = whole + own; next < reduced; next += 512) {
        // ... as in rows_unaligned
                const int x0_0 = static_cast<int>(divide(int(at.word[12]) + p0 * int(at.word[13]) + p1, at.word[11]));
                const int at_x0 = p0 * int(at.word[14]) + p1 * int(at.word[15]) + x0_0 * int(at.word[16]);
                float one_y0;
                body(x0[at_x0], one_y0);
                // ... as in rows_unaligned
    // ... as in total
    mine = shared[thread / 128 * 4 + thread % 4];
    #pragma unroll
    for (int apart = 2; apart > 0; apart /= 2) mine = combine(mine, shuffle_down(mine, apart));
    // ... as in rows
