// sort of float32: rows
// ... shared/types.cu: u32, i64
// ... shared/helpers.cu: wait_for_earlier_kernels, key_of_float, digit_of, take_digits, count_tile, offset_tile, lanes_of_digit, rank_tile, sorted_tile, sort_row
// ... shared/orders.cu: row_order
// ... shared/heads.cu: kiln_sort_f32_rows256

    sort_row<row_order, false, 4, 64, 4>(to, from, static_cast<i64*>(places_to), n);
}
