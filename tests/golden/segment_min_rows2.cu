// segments: min of float16
// ... shared/types.cu: i64
// ... shared/helpers.cu: bits_of, wait_for_earlier_kernels, atomic_least, f16, bits16_of, f32_from_f16, segment_real, segment_ordered, segment_ordered_least
// ... shared/heads.cu: kiln_segment_min_i64_f16_rows3_shared

    // ... as in segment_sum3
    for (long long i = static_cast<long long>(thread); i < count * copy_count; i += 1024) table[i] = setting;
    __syncthreads();
    // ... as in segment_sum_rows2
    const long long step = stride / 2 * 4;
    // ... as in segment_sum_rows2
        int segment[4];
        f16 element[4];
        // ... as in segment_sum_rows_any_order2
            segment[k] = is_there ? static_cast<int>(s) : -1;
        // ... as in segment_sum_rows3
            const int s = segment[k] >= 0 ? segment[k] : 0;
            word[k] = segment_ordered_least(segment_real(element[k]));
        }
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (segment[k] >= 0) {
                atomic_least(table + (static_cast<int>(segment[k]) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), word[k]);
            // ... as in histogram_bytes
        long long all = setting;
        // ... as in histogram_bytes
            all = all < one ? all : one;
        }
        if (!(all == setting)) {
            atomic_least(words + i, all);
        }
    }
}
