// segments: histogram of float32
// ... shared/types.cu: u32, i64
// ... shared/helpers.cu: bits_of, rounded, is_last_of, wait_for_earlier_kernels, atomic_sum, segment_real, bin_edge, bin_rate, bin_clearance, bin_of_float
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: kiln_segment_histogram_f32_float_bins_shared_counters

    // ... as in histogram_bytes
    const u32 bins = static_cast<u32>(count);
    const float low_float = static_cast<float>(low);
    const float rate = static_cast<float>(bin_rate(low, high, count));
    const float clearance = bin_clearance(low, high, width, count);
    // ... as in histogram_bytes
    const long long first = (block * 1024 + warp * 32) * 4;
    // ... as in histogram_bytes
        const long long whole = element_count / 4 * 4;
        // ... as in histogram_bytes
            const long long at = x + lane * 4;
            // ... as in histogram_bytes
                const f32x4 loaded = load_f32x4(numbers + at);
                const f32x4 loaded2 = load_f32x4(numbers + next);
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    const u32 s = bin_of_float(static_cast<float>(segment_real(loaded.v[k])), low_float, rate, clearance, low, high, width, bins);
                    if (s < bins) {
                        // ... as in histogram_bytes
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    const u32 s = bin_of_float(static_cast<float>(segment_real(loaded2.v[k])), low_float, rate, clearance, low, high, width, bins);
                    if (s < bins) {
                        // ... as in histogram_bytes
            } else {
                if (at < whole) {
                    const f32x4 loaded = load_f32x4(numbers + at);
                    #pragma unroll
                    for (int k = 0; k < 4; ++k) {
                        const u32 s = bin_of_float(static_cast<float>(segment_real(loaded.v[k])), low_float, rate, clearance, low, high, width, bins);
                        if (s < bins) {
                            // ... as in histogram_bytes
                    const float loaded = numbers[at];
                    const u32 s = bin_of_float(static_cast<float>(segment_real(loaded)), low_float, rate, clearance, low, high, width, bins);
                    if (s < bins) {
                        // ... as in histogram_bytes
        for (long long x = one; x < element_count; x += stride / 4) {
            // ... as in histogram_bytes
                const float loaded = numbers[at];
                const u32 s = bin_of_float(static_cast<float>(segment_real(loaded)), low_float, rate, clearance, low, high, width, bins);
                if (s < bins) {
                    // ... as in histogram_bytes
    if (thread == 0) is_last[0] = is_last_of(stride / 4096, counters + 8191);
    // ... as in histogram_bytes
