// cumsum(flip(float32(x0))) of float16
// ... shared/types.cu: u32, u64
// ... shared/helpers.cu: wait_for_earlier_kernels, published, publish, await, next_number, barrier_of_stage, stage_end, stage_slots, f16, bits16_of, f32_from_f16
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, write
// ... shared/heads.cu: kiln_cumsum_f32_of_f16_reversed_5x32_narrow_panels

    // ... as in scan_narrow_panels
    if (threadIdx.x == 0) in_slots.take<0, 0>(states, items);
    // ... as in scan_narrow_panels
            const long long last2 = (static_cast<long long>(o) * count + (count - 1 - static_cast<long long>(p) * part)) * inner + static_cast<long long>(column);
            if (is_there) {
                #pragma unroll 1
                for (int first_row = row; first_row < rows; first_row += rows_at_once * 8) {
                    f16 next[8];
                    #pragma unroll
                    for (int u = 0; u < 8; ++u) {
                        const int x = first_row + u * rows_at_once;
                        const int there = x < rows ? x : first_row;
                        next[u] = from[last2 - there * inner];
                    }
                    #pragma unroll
                    for (int u = 0; u < 8; ++u) {
                        const int x = first_row + u * rows_at_once;
                        if (x < rows) panel[slot * 8640 + x * columns + x / 32 * gap + column] = f32_from_f16(next[u]);
                    }
                }
            }
            in_slots.end(0, slot);
        // ... as in scan_narrow_panels
