// rows by segments: place
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels, segment_places, segment_places_in, place_segments
// ... shared/heads.cu: kiln_segment_rows_place

    // ... as in segment_rows_clear
    place_segments<2048, 1024>(at, segments);
}
