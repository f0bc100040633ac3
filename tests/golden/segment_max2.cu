// segments: max of uint64
// ... shared/types.cu: u64, i64
// ... shared/helpers.cu: wait_for_earlier_kernels, atomic_greatest, atomic_greatest_of_wave, segment_signed
// ... shared/vectors.cu: i32x2, load_i32x2, u64x2, load_u64x2
// ... shared/heads.cu: kiln_segment_max_i32_u64_shared

    // ... as in segment_min_rows2
    // ... as in segment_sum_any_order2
            int segment[2];
            long long word[2];
            // ... as in segment_sum_any_order2
                const u64x2 loaded2 = load_u64x2(values + at);
                // ... as in segment_sum_doubles2
                        word[k] = segment_signed(loaded2.v[k]);
                    // ... as in segment_sum3
                    // ... as in segment_sum_doubles2
                // ... as in segment_sum3
                    const u64 loaded2 = values[at];
                    // ... as in segment_sum2
                        word[0] = segment_signed(loaded2);
                    // ... as in segment_sum3
                // ... as in segment_sum_doubles2
            // ... as in segment_sum3
                const u64 loaded2 = values[at];
                // ... as in segment_sum2
                    word[0] = segment_signed(loaded2);
                // ... as in segment_sum3
            // ... as in segment_sum2
        // ... as in segment_min_rows2
            all = all > one ? all : one;
        }
        if (!(all == setting)) {
            atomic_greatest(words + i, all);
        }
    }
}
