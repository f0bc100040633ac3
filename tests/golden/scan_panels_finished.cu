// x0 * x1 + x2 of x0 = cumsum(x)
// ... shared/types.cu: u64
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, published, publish, await, next_number
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/users.cu: finished
// ... shared/heads.cu: kiln_cumsum_f32_256x32_level1_panels_then2_f32_sl

    // ... as in scan_panels
    const long long before_part = static_cast<long long>(p) * part;
    const long long beside_column = is_there ? column : 0;
    const long long base0 = static_cast<long long>(o) * outer_stride0 + beside_column * inner_stride0;
    const long long base1 = static_cast<long long>(o) * outer_stride1 + beside_column * inner_stride1;
    // ... as in scan_columns_finished
    // ... as in scan_panels
    accumulators sum = identity();
    float loaded0[32];
    #pragma unroll
    for (int u = 0; u < 32; ++u) {
        const int x = u < rows ? u : 0;
        loaded0[u] = beside0[base0 + (before_part + static_cast<long long>(x)) * stride0];
    }
    // ... as in scan_panels_together
                // ... as in scan_panels
    }
    #pragma unroll 1
    for (int row = 0; row < rows; row += 32) {
        float loaded02[32];
        #pragma unroll
        for (int u = 0; u < 32; ++u) loaded02[u] = loaded0[u];
        #pragma unroll
        for (int u = 0; u < 32; ++u) {
            const int x = row + 32 + u < rows ? row + 32 + u : 0;
            loaded0[u] = beside0[base0 + (before_part + static_cast<long long>(x)) * stride0];
        }
        if (is_there) {
            #pragma unroll
            for (int u = 0; u < 32; ++u) {
                // ... as in scan_panels_together
                    // ... as in scan_panels
                    float t;
                    finished(sum.s0, loaded02[u], stayed1, t);
                    to[first + lane + x * inner] = t;
                }
            }
        }
    }
}
