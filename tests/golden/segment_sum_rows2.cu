// segments: magnitude of float32
// ... shared/types.cu: i64
// ... shared/helpers.cu: bits_of, wait_for_earlier_kernels, atomic_greatest, segment_magnitude, segment_small_magnitude
// ... shared/heads.cu: kiln_segment_magnitude_i32_f32_rows3

    // ... as in histogram_bytes
    const long long known = count / 3;
    // ... as in histogram_range
    const long long step = stride / 4 * 4;
    #pragma unroll 1
    for (long long x = first; x < element_count; x += step) {
        long long segment[4];
        float element[4];
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const long long at = x + k * 32 + lane;
            segment[k] = -1;
            if (at < element_count) {
                const long long row = at / 3;
                const long long number = static_cast<long long>(numbers[row]);
                element[k] = values[at];
                if (number >= 0 && number < known) segment[k] = static_cast<long long>(number * 4 + (at - row * 3));
            }
        }
        int word[4];
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (segment[k] >= 0) word[k] = segment_small_magnitude(element[k]);
        }
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (segment[k] >= 0) {
                atomic_greatest(magnitudes + segment[k], word[k]);
            }
        }
    }
}
