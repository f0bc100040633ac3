// x0 * x1 + x2 of x0 = cumsum(x)
// ... shared/types.cu: u64
// ... shared/helpers.cu: shuffle, shuffle_down, barrier_of, wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, published, publish, await, next_number
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4, write
// ... shared/users.cu: finished
// ... shared/heads.cu: kiln_cumsum_f32_few_row_parts_then2_f32_nn

    // ... as in scan_few_row_parts
    // ... as in scan_rows_finished
    // ... as in scan_few_row_parts
        // ... as in scan_rows_finished
            for (int b = 0; b < 8; ++b) {
                float loaded0[4];
                float loaded1[4];
                const f32x4 read0 = load_f32x4(beside0 + (base0 + (at + b * 128 - line)));
                #pragma unroll
                for (int k = 0; k < 4; ++k) loaded0[k] = read0.v[k];
                const f32x4 read1 = load_f32x4(beside1 + (base1 + (at + b * 128 - line)));
                #pragma unroll
                for (int k = 0; k < 4; ++k) loaded1[k] = read1.v[k];
                const f32x4 loaded = reinterpret_cast<const f32x4&>(tile[warp * 1024 + b * 128 + lane * 4]);
                // ... as in scan_few_row_parts
                for (int k = 0; k < 4; ++k) {
                    float t;
                    finished(v[k].s0, loaded0[k], loaded1[k], t);
                    stored.v[k] = t;
                }
                write(to + (at + b * 128), stored);
            // ... as in scan_rows
            for (int b = 0; b < 8; ++b) {
                float loaded0[4];
                float loaded1[4];
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    const long long place = b * 128 + k * 32 + lane < left ? side_by_side + (b * 128 + k * 32) - line : 0;
                    loaded0[k] = beside0[base0 + place];
                    loaded1[k] = beside1[base1 + place];
                }
                // ... as in scan_few_row_parts
                    of_lane.s0 = tile[warp * 1024 + (b * 128 + k * 32 + lane)];
                    // ... as in scan_few_row_parts
                    float t;
                    finished(of_lane.s0, loaded0[k], loaded1[k], t);
                    if (b * 128 + k * 32 + lane < left) to[side_by_side + (b * 128 + k * 32)] = t;
                }
            }
        }
    }
}
