// sum of float32, of a chunk
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: kiln_sum_f32_row256_taken

    // ... as in wide_positions
    if (number >= kept * split_count * 1024) return;
    const long long value = number / 1024 / split_count;
    const long long lane = number % 1024;
    const long long split = first_split + number / 1024 % split_count;
    const long long start = split * part;
    const long long from = start < begin ? begin : start;
    const long long limit = begin + count;
    const long long end = start + part < limit ? start + part : limit;
    const long long before = from - start;
    const long long rounds_before = before > lane ? (before - lane + 1023) / 1024 : 0;
    const long long first = start + rounds_before * 1024 + lane;
    const long long place = (value * turns + split % turns) * 1024 + lane;
    // ... as in scan_few_row_parts
    if (start < begin) mine = lanes[place];
    const long long rounds = first < end ? (end - first + 1023) / 1024 : 0;
    const long long at = value * count + (first - begin);
    float next[64];
    const long long whole = rounds / 64 * 64;
    #pragma unroll 1
    for (long long x = 0; x < whole; x += 64) {
        #pragma unroll
        for (int u = 0; u < 64; ++u) next[u] = elements[at + (x + u) * 1024];
        #pragma unroll
        for (int u = 0; u < 64; ++u) {
            accumulators one;
            one.s0 = next[u];
            mine = combine(mine, one);
        }
    }
    #pragma unroll 1
    for (long long x = whole; x < rounds; ++x) {
        next[0] = elements[at + x * 1024];
        accumulators one;
        one.s0 = next[0];
        mine = combine(mine, one);
    }
    lanes[place] = mine;
}
