// cumsum of float32
// ... shared/types.cu: u64
// ... shared/helpers.cu: shuffle, shuffle_down, barrier_of, wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, published, publish, await, next_number
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, write
// ... shared/heads.cu: kiln_cumsum_f32_few_row_parts

    __shared__ long long taken[1];
    __shared__ accumulators before_warp[8];
    __shared__ float carry[1];
    __shared__ __align__(16) float tile[8192];
    // ... as in scan_row_totals
    if (warp * 32 + lane == 0) taken[0] = next_number(states);
    __syncthreads();
    const long long number = taken[0];
    accumulators v[4];
    // ... as in scan_short_rows
    const long long totals = row * parts + 1;
    // ... as in scan_rows
    const bool scans = warp < 8;
    if (scans) {
        // ... as in scan_rows
                copy_async<16>(tile + (warp * 1024 + r * 128 + lane * 4), from + (at + r * 128));
            }
            commit_copies();
            wait_copies<0>();
        // ... as in scan_rows
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    accumulators element = identity();
                    if (r * 128 + k * 32 + lane < left) element.s0 = from[side_by_side + (r * 128 + k * 32)];
                    tile[warp * 1024 + (r * 128 + k * 32 + lane)] = element.s0;
                }
            }
            __syncwarp();
        // ... as in scan_row_totals
            const f32x4 loaded = reinterpret_cast<const f32x4&>(tile[warp * 1024 + r * 128 + lane * 4]);
            #pragma unroll
            for (int k = 0; k < 4; ++k) v[k].s0 = loaded.v[k];
            #pragma unroll
            for (int k = 0; k < 4; ++k) sum = combine(sum, v[k]);
        // ... as in scan_row_totals
        barrier_of<256>();
        // ... as in scan_row_totals
        if (warp * 32 + lane == 0 && p + 1 < parts) {
            publish(states + (totals + p), sum.s0);
        // ... as in scan_rows
            const f32x4 loaded = reinterpret_cast<const f32x4&>(tile[warp * 1024 + r * 128 + lane * 4]);
            #pragma unroll
            for (int k = 0; k < 4; ++k) v[k].s0 = loaded.v[k];
            #pragma unroll
            for (int k = 1; k < 4; ++k) v[k] = combine(v[k - 1], v[k]);
            accumulators sum2 = v[3];
            // ... as in scan_rows
                const accumulators other = shuffle(sum2, (lane - apart) & 31);
                if (lane >= apart) sum2 = combine(other, sum2);
            }
            const accumulators beside = shuffle(sum2, (lane - 1) & 31);
            // ... as in scan_rows
            for (int k = 0; k < 4; ++k) v[k] = combine(ahead, v[k]);
            f32x4 stored;
            #pragma unroll
            for (int k = 0; k < 4; ++k) stored.v[k] = v[k].s0;
            write(tile + (warp * 1024 + r * 128 + lane * 4), stored);
            before = combine(before, shuffle(sum2, 31));
        }
        if (lane == 0) before_warp[warp] = before;
    } else {
        if (p > 0) {
            float total[1];
            accumulators mine = identity();
            const int there = lane < p ? 1 : 0;
            await<1>(total, states + (totals + lane), 1, there);
            if (there > 0) mine.s0 = total[0];
            accumulators came = identity();
            for (int i = 0; i < static_cast<int>(p); ++i) came = combine(came, shuffle(mine, i));
            if (lane == 0) carry[0] = came.s0;
        }
    }
    __syncthreads();
    if (scans) {
        // ... as in scan_rows
        if (p > 0) before.s0 = carry[0];
        for (int w = 0; w < warp; ++w) before = combine(before, before_warp[w]);
        // ... as in scan_rows
                const f32x4 loaded = reinterpret_cast<const f32x4&>(tile[warp * 1024 + r * 128 + lane * 4]);
                #pragma unroll
                for (int k = 0; k < 4; ++k) v[k].s0 = loaded.v[k];
                #pragma unroll
                for (int k = 0; k < 4; ++k) v[k] = combine(before, v[k]);
                f32x4 stored;
                #pragma unroll
                for (int k = 0; k < 4; ++k) stored.v[k] = v[k].s0;
                // ... as in scan_rows
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    accumulators of_lane;
                    of_lane.s0 = tile[warp * 1024 + (r * 128 + k * 32 + lane)];
                    of_lane = combine(before, of_lane);
                    if (r * 128 + k * 32 + lane < left) to[side_by_side + (r * 128 + k * 32)] = of_lane.s0;
                }
            }
        }
    }
}
