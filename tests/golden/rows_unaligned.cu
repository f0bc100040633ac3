// mean(x0)
// ... shared/helpers.cu: shuffle, shuffle_down, wait_for_earlier_kernels, complex, c64, complex_of, complex_add
// ... shared/accumulators.cu: mean_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: layout, kiln_mean_c64_axes2
// ... shared/bodies.cu: body

    // ... as in rows
    const unsigned int own = lane / 32 * 128 + (lane % 32 % 8 * 4 + lane % 32 / 8);
    const unsigned int whole = reduced / 256 * 256;
    #pragma unroll 1
    for (unsigned int next = own; next < whole; next += 256) {
        #pragma unroll
        for (int u = 0; u < 2; ++u) {
            const unsigned int round = next + u * 128;
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const unsigned int first = round + k * 32;
                // ... as in rows
                c64 one_y0;
                // ... as in rows
    #pragma unroll 1
    for (unsigned int next = whole + own; next < reduced; next += 128) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = next + k * 32;
            // ... as in rows
                c64 one_y0;
                // ... as in rows
    const int lane_of_warp = lane % 32;
    const bool is_upper = lane_of_warp / 16 % 2 == 1;
    const int other_lane = is_upper ? lane_of_warp - 16 : lane_of_warp + 16;
    const bool is_upper2 = lane_of_warp / 8 % 2 == 1;
    const int other_lane2 = is_upper2 ? lane_of_warp - 8 : lane_of_warp + 8;
    const accumulators given = is_upper ? part[0] : part[2];
    const accumulators taken = shuffle(given, other_lane);
    part[0] = is_upper ? taken : part[0];
    part[2] = is_upper ? part[2] : taken;
    const accumulators given2 = is_upper ? part[1] : part[3];
    const accumulators taken2 = shuffle(given2, other_lane);
    part[1] = is_upper ? taken2 : part[1];
    part[3] = is_upper ? part[3] : taken2;
    const accumulators given3 = is_upper2 ? part[0] : part[1];
    const accumulators taken3 = shuffle(given3, other_lane2);
    part[0] = is_upper2 ? taken3 : part[0];
    part[1] = is_upper2 ? part[1] : taken3;
    const accumulators given4 = is_upper2 ? part[2] : part[3];
    const accumulators taken4 = shuffle(given4, other_lane2);
    part[2] = is_upper2 ? taken4 : part[2];
    part[3] = is_upper2 ? part[3] : taken4;
    // ... as in rows
