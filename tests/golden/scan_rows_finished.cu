// x0 * x1 + x2 of x0 = cumsum(x)
// ... shared/helpers.cu: shuffle, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4, write
// ... shared/users.cu: finished
// ... shared/heads.cu: kiln_cumsum_f32_rows_then2_f32_nn

    // ... as in scan_rows
    const long long line = row * count;
    const long long base0 = row * outer_stride0;
    const long long base1 = row * outer_stride1;
    // ... as in scan_rows
    if (left >= 1024 && (reinterpret_cast<unsigned long long>(to + begin) % 16 == 0 && (reinterpret_cast<unsigned long long>(beside0 + (base0 + (begin - line))) % 16 == 0 && reinterpret_cast<unsigned long long>(beside1 + (base1 + (begin - line))) % 16 == 0))) {
        #pragma unroll
        for (int b = 0; b < 4; ++b) {
            float loaded0[8];
            float loaded1[8];
            #pragma unroll
            for (int u = 0; u < 2; ++u) {
                const f32x4 read0 = load_f32x4(beside0 + (base0 + (at + (b * 2 + u) * 128 - line)));
                #pragma unroll
                for (int k = 0; k < 4; ++k) loaded0[u * 4 + k] = read0.v[k];
                const f32x4 read1 = load_f32x4(beside1 + (base1 + (at + (b * 2 + u) * 128 - line)));
                #pragma unroll
                for (int k = 0; k < 4; ++k) loaded1[u * 4 + k] = read1.v[k];
            }
            #pragma unroll
            for (int u = 0; u < 2; ++u) {
                f32x4 stored;
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    float t;
                    finished(v[(b * 2 + u) * 4 + k].s0, loaded0[u * 4 + k], loaded1[u * 4 + k], t);
                    stored.v[k] = t;
                }
                write(to + (at + (b * 2 + u) * 128), stored);
            }
        // ... as in scan_rows
        for (int b = 0; b < 4; ++b) {
            float loaded0[8];
            float loaded1[8];
            #pragma unroll
            for (int u = 0; u < 2; ++u) {
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    const long long place = (b * 2 + u) * 128 + k * 32 + lane < left ? side_by_side + ((b * 2 + u) * 128 + k * 32) - line : 0;
                    loaded0[u * 4 + k] = beside0[base0 + place];
                    loaded1[u * 4 + k] = beside1[base1 + place];
                }
            }
            #pragma unroll
            for (int u = 0; u < 2; ++u) {
                f32x4 joined;
                #pragma unroll
                for (int k = 0; k < 4; ++k) joined.v[k] = v[(b * 2 + u) * 4 + k].s0;
                // ... as in scan_rows
                    float t;
                    finished(turned[warp * 128 + k * 32 + lane], loaded0[u * 4 + k], loaded1[u * 4 + k], t);
                    if ((b * 2 + u) * 128 + k * 32 + lane < left) to[side_by_side + ((b * 2 + u) * 128 + k * 32)] = t;
                }
            }
        }
    }
}
