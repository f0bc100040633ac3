// rows by segments: max of uint64
// ... shared/types.cu: u64, i64
// ... shared/helpers.cu: wait_for_earlier_kernels, atomic_greatest, segment_signed, segment_extreme_u64, segment_places, segment_places_in, segment_share, tile_of_segments, segment_vector, walk_segment_as, walk_segment, infinities_of_column, meet_of_segment, greater_key, sum_of_words, magnitudes_of_segment, words_of_segment, finish_short_segments
// ... shared/users.cu: rows
// ... shared/heads.cu: kiln_segment_rows_max_u64_32x2_1

    // ... as in segment_rows_sum_f64
