// sum of float32, of a chunk
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: kiln_sum_f32_row256_taken

    __shared__ float next[4096];
    // ... as in wide_index
    const long long number = block * 32 + thread;
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
    const long long whole = rounds / 16;
    #pragma unroll 1
    for (long long ahead = 0; ahead < 7; ++ahead) {
        if (ahead < whole) {
            #pragma unroll
            for (int u = 0; u < 16; ++u) {
                copy_async<4>(next + static_cast<int>((ahead % 8 * 16 + u) * 32 + thread), elements + (at + (ahead * 16 + u) * 1024));
            }
        }
        commit_copies();
    }
    #pragma unroll 1
    for (long long group = 0; group < whole; ++group) {
        if (group + 7 < whole) {
            #pragma unroll
            for (int u = 0; u < 16; ++u) {
                copy_async<4>(next + static_cast<int>(((group + 7) % 8 * 16 + u) * 32 + thread), elements + (at + ((group + 7) * 16 + u) * 1024));
            }
        }
        commit_copies();
        wait_copies<7>();
        // ... as in scan_narrow_panels
            one.s0 = next[static_cast<int>((group % 8 * 16 + u) * 32 + thread)];
            mine = combine(mine, one);
        }
    }
    #pragma unroll 1
    for (long long x = whole * 16; x < rounds; ++x) {
        accumulators one;
        one.s0 = elements[at + x * 1024];
        mine = combine(mine, one);
    }
    lanes[place] = mine;
}
