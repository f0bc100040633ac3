// segments: total of float32
// ... shared/types.cu: i64
// ... shared/helpers.cu: double_of, rounded, wait_for_earlier_kernels, segment_power, segment_scaled, segment_total, segment_total_f32
// ... shared/heads.cu: kiln_segment_total_f32

    // ... as in segment_sum4
