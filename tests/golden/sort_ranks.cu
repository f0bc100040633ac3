// sort of float32: ranks
// ... shared/types.cu: u32, u64, i64
// ... shared/helpers.cu: wait_for_earlier_kernels, of_block, key_of_float, four_keys, rank_rows
// ... shared/orders.cu: row_order
// ... shared/heads.cu: kiln_sort_f32_ranks

    rank_rows<row_order, false, 256>(to, from, static_cast<i64*>(places_to), rows, n, static_cast<int>(kept));
}
