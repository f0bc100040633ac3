// segments: min of int32
// ... shared/helpers.cu: wait_for_earlier_kernels, atomic_least, atomic_least_of_wave
// ... shared/vectors.cu: i32x4, load_i32x4
// ... shared/heads.cu: kiln_segment_min_i32_i32_narrow

    // ... as in histogram_bytes
    // ... as in segment_sum2
            long long segment[4];
            // ... as in segment_sum2
                const i32x4 loaded2 = load_i32x4(values + at);
                // ... as in segment_sum2
                        // ... as in segment_max_narrow2
                    sum = sum < word[1] ? sum : word[1];
                } else {
                    if (held >= 0) {
                        atomic_least(words + held, sum);
                    // ... as in segment_min2
                        atomic_least(words + held, sum);
                    // ... as in segment_min2
                        atomic_least(words + held, sum);
                    // ... as in segment_sum2
            atomic_least_of_wave(words + held, sum, is_there);
        // ... as in segment_max_narrow2
                    const int loaded = numbers[at];
                    // ... as in segment_max_narrow2
                atomic_least_of_wave(words + held, sum, is_there);
            // ... as in histogram_range
            // ... as in segment_max_narrow2
                const int loaded = numbers[at];
                // ... as in segment_max_narrow2
            atomic_least_of_wave(words + held, sum, is_there);
        }
    }
}
