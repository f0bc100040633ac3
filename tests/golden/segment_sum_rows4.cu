// segments: total of float32
// ... shared/types.cu: i64
// ... shared/helpers.cu: double_of, rounded, wait_for_earlier_kernels, segment_power, segment_scaled, segment_total, segment_total_f32
// ... shared/heads.cu: kiln_segment_total_f32_rows3

    // ... as in segment_sum
    const long long row = s / 3;
    const long long place = row * 4 + (s - row * 3);
    result[s] = segment_total_f32(static_cast<long long>(magnitudes[place]), static_cast<long long>(words[place]), 0, setting);
}
