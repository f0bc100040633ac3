// segments: sum of float32
// ... shared/helpers.cu: wait_for_earlier_kernels, atomic_sum
// ... shared/heads.cu: kiln_segment_sum_i32_f32_rows3_any_order

    // ... as in segment_sum_rows2
            const long long s = number * 3 + (place - row * 3);
            // ... as in segment_sum_rows2
        float word[4];
        // ... as in segment_sum_rows2
            word[k] = static_cast<float>(element[k]);
        // ... as in segment_sum_rows3
