// rows by segments: sum of float32
// ... shared/types.cu: i64
// ... shared/helpers.cu: bits_of, float_of, double_of, rounded, wait_for_earlier_kernels, atomic_sum, segment_real, segment_power, segment_scaled, segment_magnitude, segment_total, segment_total_f32, segment_key, segment_magnitude_of_key, segment_infinity, segment_scale, segment_part_by, segment_places, segment_places_in, segment_share, tile_of_segments, segment_vector, walk_segment_as, walk_segment, infinities_of_column, meet_of_segment, greater_key, sum_of_words, magnitudes_of_segment, words_of_segment, finish_short_segments
// ... shared/users.cu: rows
// ... shared/heads.cu: kiln_segment_rows_sum_f32_16x4_8

    // ... as in segment_rows_clear
    finish_short_segments<rows, 16, 8, 2048>(result, words, values, at, segments, inside, setting);
}
