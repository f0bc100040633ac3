// segments: max of int32
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels, atomic_greatest, atomic_greatest_of_wave
// ... shared/vectors.cu: i64x2, load_i64x2, i32x2, load_i32x2
// ... shared/heads.cu: kiln_segment_max_i64_i32_narrow

    // ... as in segment_sum_doubles3
    // ... as in segment_min2
        // ... as in segment_sum_doubles3
            // ... as in segment_sum_doubles2
                const i32x2 loaded2 = load_i32x2(values + at);
                // ... as in segment_sum_doubles3
                        word[k] = static_cast<int>(loaded2.v[k]);
                    }
                }
            }
            long long held = segment[0];
            // ... as in segment_sum2
                        atomic_greatest(words + held, sum);
                    // ... as in segment_sum_doubles2
            atomic_greatest_of_wave(words + held, sum, is_there);
        // ... as in segment_sum_doubles3
                // ... as in segment_sum_doubles2
                    const int loaded2 = values[at];
                    // ... as in segment_sum_doubles3
                        word[0] = static_cast<int>(loaded2);
                    }
                }
                long long held = segment[0];
                // ... as in segment_sum2
                atomic_greatest_of_wave(words + held, sum, is_there);
            // ... as in segment_sum_doubles3
            // ... as in segment_sum_doubles2
                const int loaded2 = values[at];
                // ... as in segment_sum_doubles3
                    word[0] = static_cast<int>(loaded2);
                }
            }
            long long held = segment[0];
            // ... as in segment_sum2
            atomic_greatest_of_wave(words + held, sum, is_there);
        }
    }
}
