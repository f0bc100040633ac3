// cumsum of float32
// ... shared/types.cu: u64
// ... shared/helpers.cu: shuffle, shuffle_down, barrier_of, wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, published, publish, await, published_so_far, next_number
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, write
// ... shared/heads.cu: kiln_cumsum_f32_served_row_parts

    // ... as in scan_few_row_parts
    if (number == 0) {
        #pragma unroll 1
        for (long long row = warp; row < outer; row += 8) {
            // ... as in scan_few_row_parts
            const long long befores = (outer + row) * parts + 1;
            // ... as in scan_row_parts
            accumulators before_round = identity();
            #pragma unroll 1
            for (long long first = 0; first < parts - 1; first += 128) {
                float next[4];
                const long long mine = parts - 1 - first - lane * 4;
                const int wanted = static_cast<int>(mine > 0 ? mine < 4 ? mine : 4 : 0);
                accumulators of_round = identity();
                for (long long served = 0; served < 128;) {
                    int found = 0;
                    found = published_so_far<4>(next, states + (totals + first + lane * 4), wanted);
                    if (found > static_cast<int>(served)) {
                        const int of_lane = found - lane * 4;
                        const int there = of_lane > 0 ? of_lane < wanted ? of_lane : wanted : 0;
                        const int served_here = static_cast<int>(served) - lane * 4;
                        #pragma unroll
                        for (int k = 0; k < 4; ++k) {
                            v[k] = identity();
                            if (k < there) v[k].s0 = next[k];
                        }
                        // ... as in scan_few_row_parts
                        accumulators sum = v[3];
                        // ... as in scan_rows
                        // ... as in scan_row_parts
                        #pragma unroll
                        for (int k = 0; k < 4; ++k) {
                            if (served_here <= k && k < there) {
                                accumulators came = combine(ahead, v[k]);
                                if (parts > 1024) came = combine(before_warps, came);
                                publish(states + (befores + first + lane * 4 + k + 1), came.s0);
                            }
                        }
                        of_round = shuffle(sum, 31);
                        served = found;
                    }
                }
                before_round = combine(before_round, of_round);
                if ((first + 128) % 1024 == 0) {
                    before_warps = combine(before_warps, before_round);
                    before_round = identity();
                }
            }
        }
        return;
    }
    const long long part_number = number - 1;
    const long long row = part_number / parts;
    const long long p = part_number - row * parts;
    // ... as in scan_few_row_parts
    const long long befores = (outer + row) * parts + 1;
    // ... as in scan_rows
            // ... as in scan_few_row_parts
    #pragma unroll 2
    // ... as in scan_few_row_parts
    #pragma unroll 2
    // ... as in scan_few_row_parts
    if (warp * 32 + lane == 32 && p > 0) {
        float came[1];
        await<1>(came, states + (befores + p), 1, 1);
        carry[0] = came[0];
    }
    __syncthreads();
    accumulators before2 = identity();
    if (p > 0) before2.s0 = carry[0];
    for (int w = 0; w < warp; ++w) before2 = combine(before2, before_warp[w]);
    // ... as in scan_few_row_parts
            for (int k = 0; k < 4; ++k) v[k] = combine(before2, v[k]);
            // ... as in scan_few_row_parts
                of_lane = combine(before2, of_lane);
                // ... as in scan_few_row_parts
