// cumsum of float32
// ... shared/helpers.cu: shuffle, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4, write
// ... shared/heads.cu: kiln_cumsum_f32_3_round_rows

    // ... as in scan_rows
    accumulators v[12];
    const long long number = block * 8 + warp;
    if (number >= outer) return;
    const long long row = number / parts;
    const long long p = number - row * parts;
    const long long first = p * 384;
    // ... as in scan_rows
    if (left >= 384 && reinterpret_cast<unsigned long long>(from + begin) % 16 == 0) {
        #pragma unroll
        for (int r = 0; r < 3; ++r) {
            // ... as in scan_rows
        for (int r = 0; r < 3; ++r) {
            // ... as in scan_rows
    for (int r = 0; r < 3; ++r) {
        // ... as in scan_rows
    if (left >= 384 && reinterpret_cast<unsigned long long>(to + begin) % 16 == 0) {
        #pragma unroll
        for (int r = 0; r < 3; ++r) {
            // ... as in scan_rows
        for (int r = 0; r < 3; ++r) {
            // ... as in scan_rows
