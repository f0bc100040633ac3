// segments: result of uint64
// ... shared/types.cu: u64, i64
// ... shared/helpers.cu: wait_for_earlier_kernels, segment_extreme_u64
// ... shared/heads.cu: kiln_segment_result_u64

    // ... as in segment_sum
    result[s] = segment_extreme_u64(static_cast<long long>(words[s]));
}
