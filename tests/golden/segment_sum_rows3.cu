// segments: parts of float32
// ... shared/types.cu: i64
// ... shared/helpers.cu: bits_of, double_of, rounded, wait_for_earlier_kernels, atomic_sum, segment_power, segment_scaled, segment_nearest, segment_part, segment_scale, segment_part_by, segment_small_part
// ... shared/heads.cu: kiln_segment_parts_i32_f32_rows3

    // ... as in segment_sum_rows2
        long long word[4];
        // ... as in segment_sum_rows2
            word[k] = segment_small_part(element[k], magnitudes[s], setting);
        }
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (segment[k] >= 0) {
                atomic_sum(words + segment[k], word[k]);
            }
        }
    }
}
