// sum(rsqrt(square(x0 - x1)) + (s0 / sqrt(square(x0 - x1))) + (s2 / (square(x0 - x1) + s1)))
// ... shared/helpers.cu: shuffle, wait_for_earlier_kernels, root_in_range, quotient_by_positive_in_range, is_scalar_in_range, is_quotient_by_root_in_range, rsqrt_of_normal, is_rsqrt_of_normal
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, kiln_sum_of_sub_square_rsqrt_sqrt_div2_add3_f32_v4_axes2_values4_lanes
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: body, fast_body

    __shared__ accumulators shared[2048];
    // ... as in contiguous
    // ... as in rows
    // ... as in tensor_contraction
    const unsigned int first_value = block * 128;
    const unsigned int thread_of_lane = (((static_cast<unsigned int>((warp * 32 + lane) / 32) * 2050) & 139536) | ((static_cast<unsigned int>((warp * 32 + lane) / 32) * 32800) & 558144)) * 65793 / 65536 % 256 / 16 * 32 + (((static_cast<unsigned int>((warp * 32 + lane) % 32) * 2050) & 139536) | ((static_cast<unsigned int>((warp * 32 + lane) % 32) * 32800) & 558144)) * 65793 / 65536 % 256 / 8;
    float v_x1[4];
    #pragma unroll
    for (int v = 0; v < 4; ++v) {
        const unsigned int number = first_value + v * 32 + static_cast<unsigned int>(lane);
        const unsigned int which = least_index(number, kept - 1);
        const int p0 = which;
        const int at_x1 = p0;
        v_x1[v] = x1[at_x1];
    }
    accumulators mine[4];
    accumulators waiting[24];
    // ... as in shared_rows
    accumulators part[16];
    #pragma unroll 1
    for (int leaf = 0; leaf < 32; ++leaf) {
        const unsigned int thread_of_value = shuffle(thread_of_lane, leaf);
        #pragma unroll
        for (int k = 0; k < 16; ++k) part[k] = identity();
        bool in_range = true;
        #pragma unroll 1
        for (unsigned int next = thread_of_value * 4; next < whole; next += 2048) {
            // ... as in shared_rows
                for (int v = 0; v < 4; ++v) {
                    float one_y0;
                    fast_body(v_x0.v[k], v_x1[v], s0, s1, s2, one_y0, in_range);
                    // ... as in shared_rows
            for (int k = 0; k < 16; ++k) part[k] = identity();
            const unsigned int from = thread_of_value * 4;
            #pragma unroll 1
            for (int k = 0; k < 4; ++k) {
                #pragma unroll 1
                for (unsigned int next = from + static_cast<unsigned int>(k); next < reduced; next += 2048) {
                    // ... as in shared_rows
                    accumulators made[4];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        float one_y0;
                        fast_body(v_x0, v_x1[v], s0, s1, s2, one_y0, is_right);
                        // ... as in shared_rows
                        for (int v = 0; v < 4; ++v) {
                            float one_y0;
                            body(v_x0, v_x1[v], s0, s1, s2, one_y0);
                            // ... as in shared_rows
                    for (int v = 0; v < 4; ++v) part[v * 4] = combine(part[v * 4], made[v]);
                }
                #pragma unroll
                for (int v = 0; v < 4; ++v) {
                    // ... as in shared_rows
        #pragma unroll
        for (int v = 0; v < 4; ++v) mine[v] = combine(combine(part[v * 4], part[v * 4 + 1]), combine(part[v * 4 + 2], part[v * 4 + 3]));
        int ones = leaf;
        int height = 0;
        #pragma unroll 1
        for (int each = 0; each < 5; ++each) {
            if (ones % 2 == 0) break;
            #pragma unroll
            for (int v = 0; v < 4; ++v) mine[v] = combine(waiting[height * 4 + v], mine[v]);
            ones = ones / 2;
            height = height + 1;
        }
        #pragma unroll
        for (int v = 0; v < 4; ++v) waiting[height * 4 + v] = mine[v];
    }
    #pragma unroll
    for (int v = 0; v < 4; ++v) shared[warp * 128 + (v * 32 + lane)] = waiting[5 * 4 + v];
    __syncthreads();
    #pragma unroll 1
    for (int of_block = thread; of_block < 128; of_block += 512) {
        #pragma unroll 1
        for (int apart = 1; apart < 16; apart *= 2) {
            #pragma unroll 1
            for (int of_warp = 0; of_warp < 16; of_warp += apart * 2) shared[of_warp * 128 + of_block] = combine(shared[of_warp * 128 + of_block], shared[(of_warp + apart) * 128 + of_block]);
        }
        const unsigned int number = first_value + static_cast<unsigned int>(of_block);
        if (number < kept) y0[number] = finish_0(shared[of_block].s0, reduced);
    }
}
