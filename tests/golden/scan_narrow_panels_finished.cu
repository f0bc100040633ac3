// x0 * x1 + x2 of x0 = cumsum(x)
// ... shared/types.cu: u32, u64
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, published, publish, await, next_number, barrier_of_stage, stage_end, stage_slots
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/users.cu: finished
// ... shared/heads.cu: kiln_cumsum_f32_5x32_narrow_panels_then2_f32_sl

    // ... as in scan_narrow_panels
        in_slots.begin(4, 416);
    // ... as in scan_narrow_panels
    if (608 <= threadIdx.x && threadIdx.x < 1024) {
        // ... as in scan_narrow_panels
            const int rows_at_once = 416 / columns;
            // ... as in scan_narrow_panels
            const long long before_rows = static_cast<long long>(p) * part;
            const long long base0 = static_cast<long long>(o) * outer_stride0 + static_cast<long long>(column) * inner_stride0;
            const long long base1 = static_cast<long long>(o) * outer_stride1 + static_cast<long long>(column) * inner_stride1;
            // ... as in scan_columns_finished
            if (is_there) {
                #pragma unroll 1
                for (int first_row = row; first_row < rows; first_row += rows_at_once * 20) {
                    float loaded0[20];
                    #pragma unroll
                    for (int u = 0; u < 20; ++u) {
                        // ... as in scan_narrow_panels_of_half
                        loaded0[u] = beside0[base0 + (before_rows + static_cast<long long>(there)) * stride0];
                    }
                    #pragma unroll
                    for (int u = 0; u < 20; ++u) {
                        // ... as in scan_narrow_panels_of_half
                        if (x < rows) {
                            float t;
                            finished(panel[slot * 8640 + x * columns + x / 32 * gap + column], loaded0[u], stayed1, t);
                            to[first + x * inner] = t;
                        }
                    }
                }
            }
            in_slots.end(4, slot);
        }
    }
}
