// argmax of float32, of a chunk
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: found_f32, argmax_of, argmax_next, finish_0, accumulators, identity, combine, append
// ... shared/heads.cu: kiln_argmax_f32_to_i64_column8_taken

    // ... as in wide_positions
    if (number >= kept * split_count * 8) return;
    const long long value = number % kept;
    const long long lane = number / kept % 8;
    const long long split = first_split + number / kept / 8;
    // ... as in resumed_rows_taken
    const long long rounds_before = before > lane ? (before - lane + 7) / 8 : 0;
    const long long first = start + rounds_before * 8 + lane;
    const long long place = split % turns * 8 * kept + value + lane * kept;
    // ... as in resumed_rows_taken
    const long long rounds = first < end ? (end - first + 7) / 8 : 0;
    const long long at = (first - begin) * kept + value;
    const long long apart = kept * 8;
    float next[16];
    const long long whole = rounds / 16 * 16;
    #pragma unroll 1
    for (long long x = 0; x < whole; x += 16) {
        #pragma unroll
        for (int u = 0; u < 16; ++u) next[u] = elements[at + (x + u) * apart];
        #pragma unroll
        for (int u = 0; u < 16; ++u) {
            accumulators one;
            one.s0.value = next[u];
            one.s0.at = first + (x + u) * 8;
            mine = append(mine, one);
        // ... as in resumed_rows_taken
        next[0] = elements[at + x * apart];
        accumulators one;
        one.s0.value = next[0];
        one.s0.at = first + x * 8;
        mine = append(mine, one);
    }
    lanes[place] = mine;
}
