// sum(rsqrt(x0 - x1)), sum(sqrt(x0 - x1)), max(x0 - x1)
// ... shared/helpers.cu: shuffle, wait_for_earlier_kernels, root_in_range, root_of_any, is_root_in_range, rsqrt_of_normal, is_rsqrt_of_normal
// ... shared/accumulators.cu: sum_of, max_of, finish_0, finish_1, finish_2, accumulators, identity, combine
// ... shared/heads.cu: layout, kiln_sum_sum_max_of_sub_rsqrt_sqrt_f32_v4_axes2_values4_lane_tiles
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: body, fast_body

    __shared__ float tile[512];
    // ... as in lane_values
    const int tiles = (reduced + 16383) / 16384;
    // ... as in lane_values
        for (int tile_of_row = 0; tile_of_row < tiles; ++tile_of_row) {
            const unsigned int from = thread_of_value * 4 + static_cast<unsigned int>(tile_of_row) * 16384;
            __syncwarp();
            float of_row;
            const unsigned int there = least_index(from + static_cast<unsigned int>(lane % 4 + lane / 4 * 2048), reduced - 1);
            const int p1 = there;
            const int at_x0 = p1;
            of_row = x0[at_x0];
            tile[thread] = of_row;
            __syncwarp();
            const int begin = warp * 32;
            const int end = begin + least_index((whole + 2047 - from) / 2048, 8) * 4;
            #pragma unroll 1
            for (int position = begin; position < end; position += 4) {
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    const float of_row2 = tile[position + k];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        float one_y0;
                        float one_y1;
                        float one_y2;
                        fast_body(of_row2, v_x1[v], one_y0, one_y1, one_y2, in_range);
                        // ... as in two_totals
                        one.s2 = one_y2;
                        // ... as in shared_rows
        // ... as in lane_values
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        float one_y0;
                        float one_y1;
                        float one_y2;
                        body(v_x0, v_x1[v], one_y0, one_y1, one_y2);
                        // ... as in two_totals
                        one.s2 = one_y2;
                        part[v * 4] = combine(part[v * 4], one);
                    }
                // ... as in lane_values
        if (number < kept) {
            y0[number] = finish_0(shared[of_block].s0, reduced);
            y1[number] = finish_1(shared[of_block].s1, reduced);
            y2[number] = finish_2(shared[of_block].s2, reduced);
        }
    }
}
