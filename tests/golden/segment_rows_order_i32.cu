// rows by segments: order
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels, segment_places, segment_places_in, order_rows_by_segments
// ... shared/heads.cu: kiln_segment_rows_order_i32

    // ... as in segment_rows_clear
    order_rows_by_segments(numbers, at, row_count);
}
