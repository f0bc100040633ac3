// mean of float32, of all splits
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: mean_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: kiln_mean_f32_row256_ended

    // ... as in resumed_rows_closed
    const long long value = block;
    // ... as in resumed_rows_closed
        // ... as in scan_few_row_parts
        #pragma unroll 1
        for (long long split = turn; split < splits; split += 256) mine = combine(mine, known[split * kept + value]);
        shared[turn] = mine;
    // ... as in resumed_rows_closed
    if (thread == 0) {
        accumulators all = shared[0];
        to[value] = finish_0(all.s0, reduced);
    }
}
