// sort of float32: count
// ... shared/types.cu: u32, i64
// ... shared/helpers.cu: wait_for_earlier_kernels, key_of_float, digit_of, count_row
// ... shared/orders.cu: row_order
// ... shared/heads.cu: kiln_sort_f32_count

    count_row<row_order, u32, 4, 384, 32768>(from, reinterpret_cast<u32*>(tickets + 16), static_cast<u32*>(states), rows * ((n + 8831) / 8832) * 256, n);
}
