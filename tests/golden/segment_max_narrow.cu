// segments: words without elements
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/heads.cu: kiln_segment_clear_narrow

    // ... as in segment_sum_rows_any_order
