// rows by segments: rank
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels, segment_places, segment_places_in, rank_rows_by_segments
// ... shared/heads.cu: kiln_segment_rows_rank_i32_shared

    // ... as in segment_rows_clear
    rank_rows_by_segments<8192>(numbers, at, row_count, segments);
}
