// rows by segments: sum of float32, long ones: finish
// ... shared/types.cu: i64
// ... shared/helpers.cu: bits_of, float_of, double_of, rounded, wait_for_earlier_kernels, atomic_sum, segment_real, segment_power, segment_scaled, segment_magnitude, segment_total, segment_total_f32, segment_key, segment_magnitude_of_key, segment_infinity, segment_scale, segment_part_by, segment_places, segment_places_in, finish_long_segments
// ... shared/users.cu: rows
// ... shared/heads.cu: kiln_segment_rows_finish_sum_f32_16x4

    // ... as in segment_rows_clear
    finish_long_segments<rows>(result, words, at, segments, inside, setting);
}
