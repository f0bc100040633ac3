// segments: sum of float64
// ... shared/helpers.cu: wait_for_earlier_kernels, atomic_sum, is_one_place, atomic_sum_of_wave
// ... shared/vectors.cu: i32x2, load_i32x2, f64x2, load_f64x2
// ... shared/heads.cu: kiln_segment_sum_i32_f64_any_order

    // ... as in segment_sum_doubles3
    if (reinterpret_cast<unsigned long long>(numbers) % 8 == 0 && reinterpret_cast<unsigned long long>(values) % 16 == 0) {
        // ... as in segment_sum_doubles3
            double word[2];
            // ... as in segment_sum_doubles2
                const i32x2 loaded = load_i32x2(numbers + at);
                // ... as in segment_sum_doubles3
                        word[k] = static_cast<double>(loaded2.v[k]);
                    }
                }
            }
            long long held = segment[0];
            double sum = held >= 0 ? word[0] : 0;
            // ... as in segment_sum3
                        atomic_sum(words + held, sum);
                    // ... as in segment_sum_doubles2
            atomic_sum_of_wave(words + held, sum, is_there);
        // ... as in segment_sum_doubles3
                double word[1];
                // ... as in segment_sum2
                    // ... as in segment_sum_doubles3
                        word[0] = static_cast<double>(loaded2);
                    }
                }
                long long held = segment[0];
                double sum = held >= 0 ? word[0] : 0;
                const bool is_there = held >= 0;
                atomic_sum_of_wave(words + held, sum, is_there);
            // ... as in segment_sum_doubles3
            double word[1];
            // ... as in segment_sum2
                // ... as in segment_sum_doubles3
                    word[0] = static_cast<double>(loaded2);
                }
            }
            long long held = segment[0];
            double sum = held >= 0 ? word[0] : 0;
            const bool is_there = held >= 0;
            atomic_sum_of_wave(words + held, sum, is_there);
        }
    }
}
