// segments: parts of float64
// ... shared/types.cu: i64
// ... shared/helpers.cu: bits_of, double_of, rounded, wait_for_earlier_kernels, atomic_sum, is_one_place, atomic_sum_of_wave, segment_power, segment_scaled, segment_nearest, segment_part, segment_rest
// ... shared/vectors.cu: i64x2, load_i64x2, f64x2, load_f64x2
// ... shared/heads.cu: kiln_segment_parts_i64_f64

    // ... as in histogram_bytes
    // ... as in segment_sum_doubles2
            long long segment[2];
            long long word[2];
            long long rest[2];
            // ... as in segment_sum_doubles2
                        segment[k] = static_cast<long long>(s);
                        const long long magnitude = static_cast<long long>(words[s]);
                        word[k] = segment_part(loaded2.v[k], magnitude, setting);
                        rest[k] = segment_rest(loaded2.v[k], magnitude, setting);
                    }
                }
            }
            long long held = segment[0];
            long long sum = held >= 0 ? word[0] : 0;
            long long sum_of_rests = held >= 0 ? rest[0] : 0;
            // ... as in segment_sum3
                    sum_of_rests = sum_of_rests + rest[1];
                } else {
                    if (held >= 0) {
                        atomic_sum(words + (count + held), sum);
                        atomic_sum(words + (count * 2 + held), sum_of_rests);
                    }
                    held = segment[1];
                    sum = word[1];
                    sum_of_rests = rest[1];
                }
            }
            const bool is_there = held >= 0;
            atomic_sum_of_wave(words + (count + held), sum, is_there);
            atomic_sum_of_wave(words + (count * 2 + held), sum_of_rests, is_there);
        // ... as in histogram_bytes
                long long segment[1];
                long long word[1];
                long long rest2[1];
                // ... as in segment_sum_doubles2
                        segment[0] = static_cast<long long>(s);
                        const long long magnitude = static_cast<long long>(words[s]);
                        word[0] = segment_part(loaded2, magnitude, setting);
                        rest2[0] = segment_rest(loaded2, magnitude, setting);
                    }
                }
                long long held = segment[0];
                long long sum = held >= 0 ? word[0] : 0;
                long long sum_of_rests = held >= 0 ? rest2[0] : 0;
                const bool is_there = held >= 0;
                atomic_sum_of_wave(words + (count + held), sum, is_there);
                atomic_sum_of_wave(words + (count * 2 + held), sum_of_rests, is_there);
            // ... as in histogram_range_doubles
            long long segment[1];
            long long word[1];
            long long rest[1];
            // ... as in segment_sum_doubles2
                    segment[0] = static_cast<long long>(s);
                    const long long magnitude = static_cast<long long>(words[s]);
                    word[0] = segment_part(loaded2, magnitude, setting);
                    rest[0] = segment_rest(loaded2, magnitude, setting);
                }
            }
            long long held = segment[0];
            long long sum = held >= 0 ? word[0] : 0;
            long long sum_of_rests = held >= 0 ? rest[0] : 0;
            const bool is_there = held >= 0;
            atomic_sum_of_wave(words + (count + held), sum, is_there);
            atomic_sum_of_wave(words + (count * 2 + held), sum_of_rests, is_there);
        }
    }
}
