// segments: parts of float32
// ... shared/types.cu: i64
// ... shared/helpers.cu: double_of, rounded, wait_for_earlier_kernels, atomic_sum, is_one_place, atomic_sum_of_wave, segment_real, segment_power, segment_scaled, segment_nearest, segment_part
// ... shared/vectors.cu: i32x4, load_i32x4, f32x4, load_f32x4
// ... shared/heads.cu: kiln_segment_parts_i32_f32_shared

    // ... as in segment_sum2
                        word[k] = segment_part(segment_real(loaded2.v[k]), static_cast<long long>(words[s]), setting);
                    // ... as in segment_sum2
                    // ... as in histogram_range
                // ... as in segment_sum2
                        word[0] = segment_part(segment_real(loaded2), static_cast<long long>(words[s]), setting);
                    // ... as in segment_sum2
                // ... as in histogram_range
            // ... as in segment_sum2
                    word[0] = segment_part(segment_real(loaded2), static_cast<long long>(words[s]), setting);
                // ... as in segment_sum2
            // ... as in histogram_range
            atomic_sum(words + (count + i), all);
        }
    }
}
