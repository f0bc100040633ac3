// sort of float32: network
// ... shared/types.cu: u32, u64, i64
// ... shared/helpers.cu: wait_for_earlier_kernels, key_of_float, float_of_key, placed_key, is_before, put_key, put_last, place_of_key, key_of_lane, put_in_order, keep_one, merge_in_lane, sort_in_lanes, padded_place, put_equal, sort_rows_in_lanes
// ... shared/orders.cu: row_order
// ... shared/heads.cu: kiln_sort_f32_network1x4

    sort_rows_in_lanes<row_order, u32, false, false, 128, 1, 4>(to, from, static_cast<i64*>(places_to), rows, n, static_cast<int>(kept));
}
