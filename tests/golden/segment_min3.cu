// segments: result of bfloat16
// ... shared/types.cu: i64
// ... shared/helpers.cu: bits_of, float_of, double_of, rounded, f32_odd, wait_for_earlier_kernels, bf16, bf16_from_f32, bf16_from_f64, segment_extreme_f64, segment_extreme_bf16
// ... shared/heads.cu: kiln_segment_result_bf16

    // ... as in segment_sum
    result[s] = segment_extreme_bf16(static_cast<long long>(words[s]));
}
