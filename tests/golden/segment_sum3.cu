// segments: parts of float32
// ... shared/types.cu: i64
// ... shared/helpers.cu: bits_of, double_of, rounded, wait_for_earlier_kernels, atomic_sum, is_one_place, atomic_sum_of_wave, segment_real, segment_power, segment_scaled, segment_nearest, segment_part
// ... shared/vectors.cu: i32x4, load_i32x4, f32x4, load_f32x4
// ... shared/heads.cu: kiln_segment_parts_i32_f32_shared

    __shared__ i64 table[4096];
    // ... as in segment_sum2
            long long word[4];
            // ... as in segment_sum2
                        word[k] = segment_part(segment_real(loaded2.v[k]), static_cast<long long>(words[s]), setting);
                    }
                }
            }
            int held = segment[0];
            long long sum = held >= 0 ? word[0] : 0;
            // ... as in segment_sum2
                    sum = sum + word[1];
                } else {
                    if (held >= 0) {
                        atomic_sum(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum);
                    // ... as in segment_sum2
                    sum = sum + word[2];
                } else {
                    if (held >= 0) {
                        atomic_sum(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum);
                    // ... as in segment_sum2
                    sum = sum + word[3];
                } else {
                    if (held >= 0) {
                        atomic_sum(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum);
                    // ... as in segment_sum2
            atomic_sum_of_wave(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum, is_there);
        // ... as in segment_sum2
                long long word[1];
                // ... as in segment_sum2
                        word[0] = segment_part(segment_real(loaded2), static_cast<long long>(words[s]), setting);
                    }
                }
                int held = segment[0];
                long long sum = held >= 0 ? word[0] : 0;
                const bool is_there = held >= 0;
                atomic_sum_of_wave(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum, is_there);
            // ... as in segment_sum2
            long long word[1];
            // ... as in segment_sum2
                    word[0] = segment_part(segment_real(loaded2), static_cast<long long>(words[s]), setting);
                }
            }
            int held = segment[0];
            long long sum = held >= 0 ? word[0] : 0;
            const bool is_there = held >= 0;
            atomic_sum_of_wave(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum, is_there);
        // ... as in histogram_bytes
            atomic_sum(words + (count + i), all);
        }
    }
}
