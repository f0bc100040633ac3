// segments: histogram of float32
// ... shared/types.cu: u32, i64
// ... shared/helpers.cu: rounded, is_last_of, wait_for_earlier_kernels, atomic_sum, is_one_place, atomic_sum_of_wave, segment_real, bin_edge, bin_of
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: kiln_segment_histogram_f32_bins_shared_counters

    // ... as in histogram_bytes
    const long long first = (block * 1024 + warp * 32) * 4;
    // ... as in histogram_bytes
        const long long whole = element_count / 4 * 4;
        // ... as in histogram_bytes
            const long long at = x + lane * 4;
            long long segment[4];
            int word[4];
            #pragma unroll
            for (int k = 0; k < 4; ++k) segment[k] = -1;
            if (at < whole) {
                const f32x4 loaded = load_f32x4(numbers + at);
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    const long long s = bin_of(segment_real(loaded.v[k]), low, high, width, count);
                    if (s >= 0 && s < count) {
                        segment[k] = s;
                        word[k] = 1;
                    }
                }
            }
            long long held = segment[0];
            int sum = held >= 0 ? word[0] : 0;
            if (segment[1] >= 0) {
                if (segment[1] == held) {
                    sum = sum + word[1];
                } else {
                    if (held >= 0) {
                        atomic_sum(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum);
                    }
                    held = segment[1];
                    sum = word[1];
                }
            }
            if (segment[2] >= 0) {
                if (segment[2] == held) {
                    sum = sum + word[2];
                } else {
                    if (held >= 0) {
                        atomic_sum(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum);
                    }
                    held = segment[2];
                    sum = word[2];
                }
            }
            if (segment[3] >= 0) {
                if (segment[3] == held) {
                    sum = sum + word[3];
                } else {
                    if (held >= 0) {
                        atomic_sum(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum);
                    }
                    held = segment[3];
                    sum = word[3];
                }
            }
            const bool is_there = held >= 0;
            atomic_sum_of_wave(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum, is_there);
        // ... as in histogram_bytes
                long long segment[1];
                int word[1];
                segment[0] = -1;
                if (at < element_count) {
                    const float loaded = numbers[at];
                    const long long s = bin_of(segment_real(loaded), low, high, width, count);
                    if (s >= 0 && s < count) {
                        segment[0] = s;
                        word[0] = 1;
                    }
                }
                long long held = segment[0];
                int sum = held >= 0 ? word[0] : 0;
                const bool is_there = held >= 0;
                atomic_sum_of_wave(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum, is_there);
            // ... as in histogram_bytes
        for (long long x = one; x < element_count; x += stride / 4) {
            const long long at = x + lane;
            long long segment[1];
            int word[1];
            segment[0] = -1;
            if (at < element_count) {
                const float loaded = numbers[at];
                const long long s = bin_of(segment_real(loaded), low, high, width, count);
                if (s >= 0 && s < count) {
                    segment[0] = s;
                    word[0] = 1;
                }
            }
            long long held = segment[0];
            int sum = held >= 0 ? word[0] : 0;
            const bool is_there = held >= 0;
            atomic_sum_of_wave(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum, is_there);
        // ... as in histogram_bytes
    if (thread == 0) is_last[0] = is_last_of(stride / 4096, counters + 8191);
    // ... as in histogram_bytes
