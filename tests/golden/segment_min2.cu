// segments: min of bfloat16
// ... shared/types.cu: i64
// ... shared/helpers.cu: bits_of, float_of, wait_for_earlier_kernels, atomic_least, atomic_least_of_wave, bf16, f32_from_bf16, segment_real, segment_ordered, segment_ordered_least
// ... shared/vectors.cu: i32x4, load_i32x4, bf16x4, load_bf16x4
// ... shared/heads.cu: kiln_segment_min_i32_bf16_shared

    // ... as in segment_min_rows2
    // ... as in histogram_range
    if (reinterpret_cast<unsigned long long>(numbers) % 16 == 0 && reinterpret_cast<unsigned long long>(values) % 8 == 0) {
        // ... as in segment_sum3
                const bf16x4 loaded2 = load_bf16x4(values + at);
                // ... as in segment_sum2
                        word[k] = segment_ordered_least(segment_real(loaded2.v[k]));
                    // ... as in segment_sum3
                    sum = sum < word[1] ? sum : word[1];
                } else {
                    if (held >= 0) {
                        atomic_least(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum);
                    // ... as in segment_sum2
                    sum = sum < word[2] ? sum : word[2];
                } else {
                    if (held >= 0) {
                        atomic_least(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum);
                    // ... as in segment_sum2
                    sum = sum < word[3] ? sum : word[3];
                } else {
                    if (held >= 0) {
                        atomic_least(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum);
                    // ... as in segment_sum2
            atomic_least_of_wave(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum, is_there);
        // ... as in segment_sum3
                    const bf16 loaded2 = values[at];
                    // ... as in segment_sum2
                        word[0] = segment_ordered_least(segment_real(loaded2));
                    // ... as in segment_sum3
                atomic_least_of_wave(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum, is_there);
            // ... as in segment_sum3
                const bf16 loaded2 = values[at];
                // ... as in segment_sum2
                    word[0] = segment_ordered_least(segment_real(loaded2));
                // ... as in segment_sum3
            atomic_least_of_wave(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum, is_there);
        // ... as in segment_min_rows2
