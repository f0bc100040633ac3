// segments: magnitude of float32
// ... shared/types.cu: i64
// ... shared/helpers.cu: bits_of, wait_for_earlier_kernels, atomic_greatest, atomic_greatest_of_wave, segment_real, segment_magnitude
// ... shared/vectors.cu: i32x4, load_i32x4, f32x4, load_f32x4
// ... shared/heads.cu: kiln_segment_magnitude_i32_f32_shared

    __shared__ int table[8192];
    // ... as in histogram_bytes
    // ... as in histogram_range
    if (reinterpret_cast<unsigned long long>(numbers) % 16 == 0 && reinterpret_cast<unsigned long long>(values) % 16 == 0) {
        // ... as in histogram_range
        for (long long x = first; x < whole; x += stride) {
            const long long at = x + lane * 4;
            int segment[4];
            int word[4];
            #pragma unroll
            for (int k = 0; k < 4; ++k) segment[k] = -1;
            if (at < whole) {
                const i32x4 loaded = load_i32x4(numbers + at);
                const f32x4 loaded2 = load_f32x4(values + at);
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    const long long s = static_cast<long long>(loaded.v[k]);
                    if (s >= 0 && s < count) {
                        segment[k] = static_cast<int>(s);
                        word[k] = static_cast<int>(segment_magnitude(segment_real(loaded2.v[k])));
                    }
                }
            }
            int held = segment[0];
            int sum = held >= 0 ? word[0] : 0;
            if (segment[1] >= 0) {
                if (segment[1] == held) {
                    sum = sum > word[1] ? sum : word[1];
                } else {
                    if (held >= 0) {
                        atomic_greatest(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum);
                    }
                    held = segment[1];
                    sum = word[1];
                }
            }
            if (segment[2] >= 0) {
                if (segment[2] == held) {
                    sum = sum > word[2] ? sum : word[2];
                } else {
                    if (held >= 0) {
                        atomic_greatest(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum);
                    }
                    held = segment[2];
                    sum = word[2];
                }
            }
            if (segment[3] >= 0) {
                if (segment[3] == held) {
                    sum = sum > word[3] ? sum : word[3];
                } else {
                    if (held >= 0) {
                        atomic_greatest(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum);
                    }
                    held = segment[3];
                    sum = word[3];
                }
            }
            const bool is_there = held >= 0;
            atomic_greatest_of_wave(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum, is_there);
        // ... as in histogram_bytes
                int segment[1];
                int word[1];
                segment[0] = -1;
                if (at < element_count) {
                    const int loaded = numbers[at];
                    const float loaded2 = values[at];
                    const long long s = static_cast<long long>(loaded);
                    if (s >= 0 && s < count) {
                        segment[0] = static_cast<int>(s);
                        word[0] = static_cast<int>(segment_magnitude(segment_real(loaded2)));
                    }
                }
                int held = segment[0];
                int sum = held >= 0 ? word[0] : 0;
                const bool is_there = held >= 0;
                atomic_greatest_of_wave(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum, is_there);
            // ... as in histogram_range
            int segment[1];
            int word[1];
            segment[0] = -1;
            if (at < element_count) {
                const int loaded = numbers[at];
                const float loaded2 = values[at];
                const long long s = static_cast<long long>(loaded);
                if (s >= 0 && s < count) {
                    segment[0] = static_cast<int>(s);
                    word[0] = static_cast<int>(segment_magnitude(segment_real(loaded2)));
                }
            }
            int held = segment[0];
            int sum = held >= 0 ? word[0] : 0;
            const bool is_there = held >= 0;
            atomic_greatest_of_wave(table + (static_cast<int>(held) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), sum, is_there);
        // ... as in histogram_bytes
            all = all > one ? all : one;
        }
        if (!(all == 0)) {
            atomic_greatest(words + i, all);
        }
    }
}
