// flip(float64(cumsum(int64(x0)))) of int16
// ... shared/types.cu: i16, u64, i64
// ... shared/helpers.cu: shuffle, shuffle_down, barrier_of, wait_for_earlier_kernels, published, publish, await, next_number
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: i16x2, load_i16x2, i64x2, write, f64x2
// ... shared/heads.cu: kiln_cumsum_i64_of_i16_few_row_parts_to_f64_reversed

    // ... as in scan_few_row_parts
    __shared__ i64 carry[1];
    __shared__ __align__(16) i64 tile[4096];
    // ... as in scan_few_row_parts
    accumulators v[2];
    // ... as in scan_few_row_parts
    const long long first = p * 4096 + warp * 512;
    // ... as in scan_rows
    const long long at = begin + lane * 2;
    const long long back_begin = row * count + (count - 2 - first);
    const long long back_at = back_begin - lane * 2;
    const bool scans = warp < 8;
    if (scans) {
        if (left >= 512 && reinterpret_cast<unsigned long long>(from + begin) % 4 == 0) {
            #pragma unroll
            for (int r = 0; r < 8; ++r) {
                const i16x2 loaded = load_i16x2(from + (at + r * 64));
                i64x2 cast;
                #pragma unroll
                for (int k = 0; k < 2; ++k) cast.v[k] = static_cast<i64>(loaded.v[k]);
                write(tile + (warp * 512 + r * 64 + lane * 2), cast);
            // ... as in scan_few_row_parts
                for (int k = 0; k < 2; ++k) {
                    // ... as in scan_few_row_parts
                    if (r * 64 + k * 32 + lane < left) element.s0 = static_cast<i64>(from[side_by_side + (r * 64 + k * 32)]);
                    tile[warp * 512 + (r * 64 + k * 32 + lane)] = element.s0;
                // ... as in scan_few_row_parts
            const i64x2 loaded = reinterpret_cast<const i64x2&>(tile[warp * 512 + r * 64 + lane * 2]);
            #pragma unroll
            for (int k = 0; k < 2; ++k) v[k].s0 = loaded.v[k];
            #pragma unroll
            for (int k = 0; k < 2; ++k) sum = combine(sum, v[k]);
        // ... as in scan_few_row_parts
            const i64x2 loaded = reinterpret_cast<const i64x2&>(tile[warp * 512 + r * 64 + lane * 2]);
            #pragma unroll
            for (int k = 0; k < 2; ++k) v[k].s0 = loaded.v[k];
            #pragma unroll
            for (int k = 1; k < 2; ++k) v[k] = combine(v[k - 1], v[k]);
            accumulators sum2 = v[1];
            // ... as in scan_few_row_parts
            for (int k = 0; k < 2; ++k) v[k] = combine(ahead, v[k]);
            i64x2 stored;
            #pragma unroll
            for (int k = 0; k < 2; ++k) stored.v[k] = v[k].s0;
            write(tile + (warp * 512 + r * 64 + lane * 2), stored);
            // ... as in scan_few_row_parts
            i64 total[1];
            // ... as in scan_few_row_parts
        if (left >= 512 && reinterpret_cast<unsigned long long>(to + back_begin) % 16 == 0) {
            #pragma unroll
            for (int r = 0; r < 8; ++r) {
                const i64x2 loaded = reinterpret_cast<const i64x2&>(tile[warp * 512 + r * 64 + lane * 2]);
                #pragma unroll
                for (int k = 0; k < 2; ++k) v[k].s0 = loaded.v[k];
                #pragma unroll
                for (int k = 0; k < 2; ++k) v[k] = combine(before, v[k]);
                f64x2 stored;
                #pragma unroll
                for (int k = 0; k < 2; ++k) stored.v[1 - k] = static_cast<double>(v[k].s0);
                write(to + (back_at - r * 64), stored);
            }
        } else {
            const long long side_by_side = back_begin + 1 - lane;
            #pragma unroll
            for (int r = 0; r < 8; ++r) {
                #pragma unroll
                for (int k = 0; k < 2; ++k) {
                    accumulators of_lane;
                    of_lane.s0 = tile[warp * 512 + (r * 64 + k * 32 + lane)];
                    // ... as in scan_few_row_parts
                    if (r * 64 + k * 32 + lane < left) to[side_by_side - (r * 64 + k * 32)] = static_cast<double>(of_lane.s0);
                }
            }
        }
    }
}
