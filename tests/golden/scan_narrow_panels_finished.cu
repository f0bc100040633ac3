// x0 * x1 + x2 of x0 = cumsum(x)
// ... shared/types.cu: u64
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, published, publish, await, next_number
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/users.cu: finished
// ... shared/heads.cu: kiln_cumsum_f32_8x128_level2_narrow_panels_then2_f32_sl

    // ... as in scan_narrow_panels
    // ... as in scan_panels_finished
    const long long base0 = static_cast<long long>(o) * outer_stride0 + static_cast<long long>(column) * inner_stride0;
    const long long base1 = static_cast<long long>(o) * outer_stride1 + static_cast<long long>(column) * inner_stride1;
    // ... as in scan_columns_finished
    // ... as in scan_narrow_panels
    if (is_there) {
        #pragma unroll 1
        for (int first_row = row; first_row < rows; first_row += rows_at_once * 16) {
            float loaded0[16];
            #pragma unroll
            for (int u = 0; u < 16; ++u) {
                // ... as in scan_narrow_panels_of_half
                loaded0[u] = beside0[base0 + (before_part + static_cast<long long>(there)) * stride0];
            }
            #pragma unroll
            for (int u = 0; u < 16; ++u) {
                // ... as in scan_narrow_panels_of_half
                if (x < rows) {
                    float t;
                    finished(panel[x * columns + x / 128 * gap + column], loaded0[u], stayed1, t);
                    to[first + x * inner] = t;
                }
            }
        }
    }
}
