// cumsum of float32
// ... shared/types.cu: u64
// ... shared/helpers.cu: shuffle, shuffle_down, barrier_of, wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, published, publish, await, next_number
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, write
// ... shared/heads.cu: kiln_cumsum_f32_row_parts

    // ... as in scan_few_row_parts
    const long long rounds_of_line = (parts + 127) / 128;
    const long long rounds = outer * parts + row * rounds_of_line + 1;
    // ... as in scan_few_row_parts
            const long long last = p - 1;
            const long long round = last / 128;
            const int in_round = static_cast<int>(last - round * 128);
            accumulators total[4];
            float next[4];
            const int there = in_round + 1 - lane * 4 > 0 ? in_round + 1 - lane * 4 < 4 ? in_round + 1 - lane * 4 : 4 : 0;
            await<4>(next, states + (totals + round * 128 + lane * 4), 1, there);
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                total[k] = identity();
                if (k < there) total[k].s0 = next[k];
            }
            #pragma unroll
            for (int k = 1; k < 4; ++k) total[k] = combine(total[k - 1], total[k]);
            accumulators sum = total[3];
            // ... as in scan_rows
            if (in_round == 127 && lane == 31) {
                publish(states + (rounds + round), sum.s0);
            }
            const int of_line = static_cast<int>(round);
            const int w = of_line / 8;
            accumulators of_rounds = identity();
            float of_round[8];
            const int there2 = static_cast<int>(lane < w ? 8 : lane == w ? of_line % 8 : 0);
            await<8>(of_round, states + (rounds + (lane < 7 ? lane : 7) * 8), 1, there2);
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                if (u < there2) {
                    accumulators one;
                    one.s0 = of_round[u];
                    of_rounds = combine(of_rounds, one);
                }
            }
            const accumulators before_round = shuffle(of_rounds, w);
            accumulators ahead = before_round;
            if (lane > 0) ahead = combine(before_round, beside);
            accumulators came = ahead;
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                if (k == in_round % 4) came = combine(ahead, total[k]);
            }
            came = shuffle(came, in_round / 4);
            if (parts > 1024) {
                accumulators before_warps = identity();
                for (int i = 0; i < w; ++i) before_warps = combine(before_warps, shuffle(of_rounds, i));
                came = combine(before_warps, came);
            }
            // ... as in scan_few_row_parts
