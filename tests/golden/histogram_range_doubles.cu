// segments: histogram of float64
// ... shared/types.cu: u32, i64
// ... shared/helpers.cu: bits_of, rounded, is_last_of, wait_for_earlier_kernels, atomic_sum, segment_real, bin_edge, bin_at_edge, bin_rate, bin_margin, bin_of
// ... shared/vectors.cu: f64x2, load_f64x2
// ... shared/heads.cu: kiln_segment_histogram_f64_bins_shared_counters

    // ... as in histogram_bytes
    const double rate = bin_rate(low, high, count);
    const double margin = bin_margin(low, high, width, count);
    // ... as in histogram_bytes
    const long long first = (block * 1024 + warp * 32) * 2;
    // ... as in histogram_bytes
        const long long whole = element_count / 2 * 2;
        // ... as in histogram_bytes
            const long long at = x + lane * 2;
            // ... as in histogram_bytes
                const f64x2 loaded = load_f64x2(numbers + at);
                const f64x2 loaded2 = load_f64x2(numbers + next);
                #pragma unroll
                for (int k = 0; k < 2; ++k) {
                    const long long s = bin_of(segment_real(loaded.v[k]), low, high, width, count, rate, margin);
                    if (s >= 0 && s < count) {
                        // ... as in histogram_range
                for (int k = 0; k < 2; ++k) {
                    const long long s = bin_of(segment_real(loaded2.v[k]), low, high, width, count, rate, margin);
                    if (s >= 0 && s < count) {
                        // ... as in histogram_range
                    const f64x2 loaded = load_f64x2(numbers + at);
                    #pragma unroll
                    for (int k = 0; k < 2; ++k) {
                        const long long s = bin_of(segment_real(loaded.v[k]), low, high, width, count, rate, margin);
                        if (s >= 0 && s < count) {
                            // ... as in histogram_range
                    const double loaded = numbers[at];
                    const long long s = bin_of(segment_real(loaded), low, high, width, count, rate, margin);
                    if (s >= 0 && s < count) {
                        // ... as in histogram_range
        for (long long x = one; x < element_count; x += stride / 2) {
            // ... as in histogram_bytes
                const double loaded = numbers[at];
                const long long s = bin_of(segment_real(loaded), low, high, width, count, rate, margin);
                if (s >= 0 && s < count) {
                    // ... as in histogram_range
    if (thread == 0) is_last[0] = is_last_of(stride / 2048, counters + 8191);
    // ... as in histogram_bytes
