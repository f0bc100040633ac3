// logsumexp of float32, of all splits
// ... shared/helpers.cu: LIBRARY_exp, LIBRARY_log, EXACT_floor, float_of, double_of, larger_of, wait_for_earlier_kernels, infinity_like, exponentials, exponentials_of_none, anchor_of, above_anchor, with_anchor_of, exponentials_next, exponentials_of_two, log_of_exponentials
// ... shared/accumulators.cu: finish_0, accumulators, identity, combine, append
// ... shared/heads.cu: kiln_logsumexp_f32_column8_stored

    // ... as in resumed_rows_ended
    if (thread == 0) {
        accumulators all = known[value];
        // ... as in resumed_rows_ended
