// cumsum(flip(float32(x0))) of float16
// ... shared/types.cu: u64
// ... shared/helpers.cu: wait_for_earlier_kernels, published, publish, await, next_number, f16, bits16_of, f32_from_f16
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/heads.cu: kiln_cumsum_f32_of_f16_reversed_8x128_level2_narrow_panels

    // ... as in scan_narrow_panels
    const long long last = (o * count + (count - 1 - p * part)) * inner + column;
    // ... as in scan_narrow_panels
        #pragma unroll 1
        for (int first_row = row; first_row < rows; first_row += rows_at_once * 8) {
            f16 next[8];
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                const int x = first_row + u * rows_at_once;
                const int there = x < rows ? x : first_row;
                next[u] = from[last - there * inner];
            }
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                const int x = first_row + u * rows_at_once;
                if (x < rows) panel[(x + x / 128) * columns + column] = f32_from_f16(next[u]);
            }
        }
    }
    // ... as in scan_narrow_panels
