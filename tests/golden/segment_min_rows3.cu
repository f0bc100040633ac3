// segments: result of float16
// ... shared/types.cu: i64
// ... shared/helpers.cu: bits_of, float_of, double_of, f32_odd, wait_for_earlier_kernels, f16, f16_from_f32, f16_from_f64, segment_extreme_f64, segment_extreme_f16
// ... shared/heads.cu: kiln_segment_result_f16

    // ... as in segment_sum
    result[s] = segment_extreme_f16(static_cast<long long>(words[s]));
}
