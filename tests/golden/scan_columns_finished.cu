// x0 * x1 + x2 of x0 = cumsum(x)
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/users.cu: finished
// ... shared/heads.cu: kiln_cumsum_f32_columns_then2_f32_sl

    // ... as in scan_columns
    const long long base0 = o * outer_stride0 + i * inner_stride0;
    const long long base1 = o * outer_stride1 + i * inner_stride1;
    const float stayed1 = beside1[base1];
    const long long before_part = p * part;
    float loaded0[8];
    // ... as in scan_columns
        for (int u = 0; u < 8; ++u) {
            next[u].s0 = from[first + (x + u) * inner];
            loaded0[u] = beside0[base0 + (before_part + (x + u)) * stride0];
        }
        // ... as in scan_columns
            float t;
            finished(sum.s0, loaded0[u], stayed1, t);
            to[first + (x + u) * inner] = t;
        // ... as in scan_columns
        loaded0[0] = beside0[base0 + (before_part + x) * stride0];
        sum = combine(sum, next[0]);
        float t;
        finished(sum.s0, loaded0[0], stayed1, t);
        to[first + x * inner] = t;
    }
}
