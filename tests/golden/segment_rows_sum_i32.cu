// rows by segments: sum of int32
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels, atomic_sum, segment_places, segment_places_in, segment_share, tile_of_segments, segment_vector, walk_segment_as, walk_segment, infinities_of_column, meet_of_segment, greater_key, sum_of_words, magnitudes_of_segment, words_of_segment, finish_short_segments
// ... shared/users.cu: rows
// ... shared/heads.cu: kiln_segment_rows_sum_i32_16x4_1

    // ... as in segment_rows_max_bf16
