// segments: total of float64
// ... shared/types.cu: i64
// ... shared/helpers.cu: double_of, rounded, wait_for_earlier_kernels, segment_power, segment_scaled, segment_total, segment_total_f64
// ... shared/heads.cu: kiln_segment_total_f64

    // ... as in segment_sum
    result[s] = segment_total_f64(static_cast<long long>(words[s]), static_cast<long long>(words[count + s]), static_cast<long long>(words[count * 2 + s]), setting);
}
