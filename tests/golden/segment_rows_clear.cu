// rows by segments: clear
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels, segment_places, segment_places_in, clear_segment_lengths
// ... shared/heads.cu: kiln_segment_rows_clear

    const segment_places at = segment_places_in(places, row_count, segments, parts);
    clear_segment_lengths(at, segments);
}
