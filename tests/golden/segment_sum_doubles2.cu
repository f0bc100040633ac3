// segments: magnitude of float64
// ... shared/types.cu: i64
// ... shared/helpers.cu: bits_of, wait_for_earlier_kernels, atomic_greatest, atomic_greatest_of_wave, segment_real, segment_magnitude
// ... shared/vectors.cu: i64x2, load_i64x2, f64x2, load_f64x2
// ... shared/heads.cu: kiln_segment_magnitude_i64_f64_shared

    // ... as in segment_sum2
    // ... as in histogram_range_doubles
    // ... as in segment_sum2
        // ... as in histogram_range_doubles
        // ... as in segment_sum2
            const long long at = x + lane * 2;
            int segment[2];
            int word[2];
            #pragma unroll
            for (int k = 0; k < 2; ++k) segment[k] = -1;
            if (at < whole) {
                const i64x2 loaded = load_i64x2(numbers + at);
                const f64x2 loaded2 = load_f64x2(values + at);
                #pragma unroll
                for (int k = 0; k < 2; ++k) {
                    // ... as in segment_sum2
                    const i64 loaded = numbers[at];
                    const double loaded2 = values[at];
                    // ... as in segment_sum2
        // ... as in histogram_range_doubles
            // ... as in segment_sum2
                const i64 loaded = numbers[at];
                const double loaded2 = values[at];
                // ... as in segment_sum2
