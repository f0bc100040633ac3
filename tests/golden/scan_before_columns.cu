// cumsum of float32
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/heads.cu: kiln_cumsum_f32_before_columns

    // ... as in scan_columns
    if (!!offsets && p > 0) sum.s0 = offsets[number];
    // ... as in scan_columns
            to[first + (x + u) * inner] = sum.s0;
            sum = combine(sum, next[u]);
        // ... as in scan_columns
        to[first + x * inner] = sum.s0;
        sum = combine(sum, next[0]);
    }
}
