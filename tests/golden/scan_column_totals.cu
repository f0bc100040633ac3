// cumsum of float32
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/heads.cu: kiln_cumsum_f32_column_totals

    // ... as in scan_columns
        for (int u = 0; u < 8; ++u) sum = combine(sum, next[u]);
    // ... as in scan_columns
    }
    to[number] = sum.s0;
}
