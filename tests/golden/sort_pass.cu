// sort of float32: pass
// ... shared/types.cu: u32, i64
// ... shared/helpers.cu: wait_for_earlier_kernels, key_of_float, digit_of, take_digits, count_tile, offset_tile, lanes_of_digit, rank_tile, sorted_tile, count_before, sort_pass
// ... shared/orders.cu: row_order
// ... shared/heads.cu: kiln_sort_f32_pass

    sort_pass<row_order, u32, u32, false, 384, 23>(to, from, places_to, places_from, tickets, reinterpret_cast<u32*>(tickets + 16), static_cast<u32*>(states), rows, n, static_cast<int>(digit), 4);
}
