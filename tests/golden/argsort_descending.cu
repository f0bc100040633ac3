// argsort, descending, of int8: pass
// ... shared/types.cu: u8, u32, u64, i64
// ... shared/helpers.cu: wait_for_earlier_kernels, key_of_signed, digit_of, take_digits, count_tile, offset_tile, lanes_of_digit, rank_tile, sorted_tile, count_before, sort_pass
// ... shared/orders.cu: row_order
// ... shared/heads.cu: kiln_argsort_i8_pass_descending_wide

    sort_pass<row_order, u64, u64, true, 384, 12>(to, from, places_to, places_from, tickets, reinterpret_cast<u64*>(tickets + 16), static_cast<u64*>(states), rows, n, static_cast<int>(digit), 1);
}
