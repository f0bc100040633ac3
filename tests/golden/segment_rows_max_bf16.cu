// rows by segments: max of bfloat16
// ... shared/types.cu: i64
// ... shared/helpers.cu: bits_of, float_of, double_of, rounded, f32_odd, wait_for_earlier_kernels, atomic_greatest, bf16, f32_from_bf16, bf16_from_f32, bf16_from_f64, segment_real, segment_ordered, segment_ordered_greatest, segment_extreme_f64, segment_extreme_bf16, segment_places, segment_places_in, segment_share, tile_of_segments, segment_vector, walk_segment_as, walk_segment, infinities_of_column, meet_of_segment, greater_key, sum_of_words, magnitudes_of_segment, words_of_segment, finish_short_segments
// ... shared/users.cu: rows
// ... shared/heads.cu: kiln_segment_rows_max_bf16_16x4_1

    // ... as in segment_rows_clear
    finish_short_segments<rows, 16, 1, 2048>(result, words, values, at, segments, inside, setting);
}
