// x0 * x1 + x2 of x0 = cumsum(x)
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/users.cu: finished
// ... shared/heads.cu: kiln_cumsum_f32_256_lines_then2_f32_sl

    // ... as in scan_lines
    const long long i = line % inner;
    const long long o = line / inner;
    // ... as in scan_columns_finished
    accumulators next[16];
    float loaded0[16];
    #pragma unroll
    for (int u = 0; u < 16; ++u) {
        if (u < rows) {
            next[u].s0 = from[first + static_cast<long long>(u) * inner];
            loaded0[u] = beside0[base0 + static_cast<long long>(u) * stride0];
        }
    // ... as in scan_lines
        float loaded02[16];
        #pragma unroll
        for (int u = 0; u < 16; ++u) loaded02[u] = loaded0[u];
        #pragma unroll
        for (int u = 0; u < 16; ++u) {
            if (x + 16 + u < rows) {
                next[u].s0 = from[first + static_cast<long long>(x + 16 + u) * inner];
                loaded0[u] = beside0[base0 + static_cast<long long>(x + 16 + u) * stride0];
            }
        // ... as in scan_lines
                if (is_there) {
                    // ... as in scan_panels_finished
                    to[first + static_cast<long long>(x + u) * inner] = t;
                }
            }
        }
    }
}
