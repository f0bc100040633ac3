// cumsum of float32
// ... shared/types.cu: u64
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, published, publish, await, next_number
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/heads.cu: kiln_cumsum_f32_8x128_level2_narrow_panels

    // ... as in scan_panels_together
    __shared__ float totals[256];
    // ... as in wide_index
    if (thread == 0) taken[0] = next_number(states);
    // ... as in scan_panels
    const int panels = static_cast<int>((parts + 7) / 8);
    const int p = panel_number % panels * 8;
    const int o = panel_number / panels;
    const int columns = static_cast<int>(inner);
    const int row = thread / columns;
    const int column = thread % columns;
    const int rows_at_once = 256 / columns;
    const bool is_there = row < rows_at_once;
    // ... as in scan_columns
    const int rows = static_cast<int>(left < 1024 ? left : 1024);
    const long long first = (o * count + p * part) * inner + column;
    if (is_there) {
        #pragma unroll 4
        for (int x = row; x < rows; x += rows_at_once) {
            copy_async<4>(panel + ((x + x / 128) * columns + column), from + (first + x * inner));
        // ... as in scan_panels
    const int begin = row * 128;
    const int end = begin + 128 < rows ? begin + 128 : rows;
    const bool has_part = row < 8;
    accumulators sum = identity();
    if (has_part) {
        #pragma unroll 8
        for (int x = begin; x < end; ++x) {
            accumulators one;
            one.s0 = panel[(x + x / 128) * columns + column];
            sum = combine(sum, one);
        }
        totals[row * columns + column] = sum.s0;
        if (p + row + 1 < parts) {
            publish(states + ((outer * 0 + o * parts + (p + row)) * inner + column + 1), sum.s0);
        }
    }
    __syncthreads();
    if (row == 0) {
        // ... as in scan_rows
        accumulators next = identity();
        accumulators one;
        // ... as in scan_groups_of_panels
                const int end2 = p / 1;
                float published[16];
                #pragma unroll 1
                for (int q = end2 - 64; q < end2; q += 16) {
                    // ... as in scan_groups_of_panels
                    // ... as in scan_panels
                            accumulators one2;
                            one2.s0 = published[u];
                            of_group = combine(of_group, one2);
                        // ... as in scan_groups_of_panels
            const int end2 = (p - 1) / 64 * 64 / 64;
            float published[16];
            // ... as in scan_groups_of_panels
                        accumulators one2;
                        one2.s0 = published[u];
                        before = combine(before, one2);
                    }
                }
            }
            const int end3 = p;
            float published2[16];
            #pragma unroll 1
            for (int q = (end3 - 1) / 64 * 64; q < end3; q += 16) {
                const int there = end3 - q < 16 ? end3 - q : 16;
                // ... as in scan_groups_of_panels
                        accumulators one2;
                        one2.s0 = published2[u];
                        before = combine(before, one2);
                    }
                }
            }
        }
        next = before;
        if (p > 0 && p % 64 == 0) {
            next = identity();
            const int end2 = (p + 1 - 1) / 64 * 64 / 64;
            float published[16];
            // ... as in scan_groups_of_panels
                        accumulators one2;
                        one2.s0 = published[u];
                        next = combine(next, one2);
                    }
                }
            }
        }
        #pragma unroll 1
        for (int q = 0; q < 8; ++q) {
            one.s0 = totals[q * columns + column];
            totals[q * columns + column] = before.s0;
            next = combine(next, one);
            before = next;
        }
    }
    __syncthreads();
    if (has_part) {
        sum.s0 = totals[row * columns + column];
        #pragma unroll 8
        for (int x = begin; x < end; ++x) {
            accumulators one;
            one.s0 = panel[(x + x / 128) * columns + column];
            sum = combine(sum, one);
            panel[(x + x / 128) * columns + column] = sum.s0;
        }
    }
    __syncthreads();
    if (is_there) {
        #pragma unroll 4
        for (int x = row; x < rows; x += rows_at_once) to[first + x * inner] = panel[(x + x / 128) * columns + column];
    }
}
