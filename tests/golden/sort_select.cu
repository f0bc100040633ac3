// sort of float32: select
// ... shared/types.cu: u32, i64
// ... shared/helpers.cu: wait_for_earlier_kernels, key_of_float, row_selection, each_key, keys_below, select_exactly, find_bound, select_first
// ... shared/orders.cu: row_order
// ... shared/heads.cu: kiln_sort_f32_select64x64

    select_first<row_order, u32, false, 64, 64>(to, from, static_cast<i64*>(places_to), static_cast<const i64*>(places_from), n, parts, static_cast<int>(kept));
}
