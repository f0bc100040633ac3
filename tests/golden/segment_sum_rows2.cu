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
            const long long place = at < element_count ? at : element_count - 1;
            const long long row = place / 3;
            const long long number = static_cast<long long>(numbers[row]);
            element[k] = values[place];
            const long long s = number * 4 + (place - row * 3);
            const bool is_there = at < element_count && number >= 0 && number < known;
            segment[k] = is_there ? static_cast<long long>(s) : -1;
        }
        int word[4];
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const long long s = segment[k] >= 0 ? segment[k] : 0;
            word[k] = segment_small_magnitude(element[k]);
        }
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (segment[k] >= 0) {
                atomic_greatest(magnitudes + segment[k], word[k]);
            }
        }
    }
}
