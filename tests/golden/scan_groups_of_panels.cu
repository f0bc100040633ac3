// cumsum of float32
// ... shared/types.cu: u64
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, published, publish, await, next_number
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/heads.cu: kiln_cumsum_f32_256x32_level2_panels

    // ... as in scan_panels
            if (p % 64 == 0) {
                accumulators of_group = identity();
                const int end = p / 1;
                float published[16];
                #pragma unroll 1
                for (int q = end - 64; q < end; q += 16) {
                    // ... as in scan_panels
                            of_group = combine(of_group, one);
                        }
                    }
                }
                publish(states + ((outer * parts + o * ((parts + 63) / 64) + (p / 64 - 1)) * inner + column + 1), of_group.s0);
            }
            const int end = (p - 1) / 64 * 64 / 64;
            // ... as in scan_panels
                await<16>(published, states + ((outer * parts + o * ((parts + 63) / 64) + q) * inner + column + 1), inner, there);
                // ... as in scan_panels
            const int end2 = p;
            float published2[16];
            #pragma unroll 1
            for (int q = (end2 - 1) / 64 * 64; q < end2; q += 16) {
                const int there = end2 - q < 16 ? end2 - q : 16;
                await<16>(published2, states + ((outer * 0 + o * parts + q) * inner + column + 1), inner, there);
                // ... as in scan_panels
                        one.s0 = published2[u];
                        // ... as in scan_panels
