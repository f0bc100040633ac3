// sort: clear counts
// ... shared/types.cu: u32, i64
// ... shared/helpers.cu: wait_for_earlier_kernels, clear_counts
// ... shared/heads.cu: kiln_sort_clear4

    clear_counts(tickets, 16 + rows * 1024);
}
