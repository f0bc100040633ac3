// sum(rsqrt(x0 - x1)), sum(sqrt(x0 - x1)), max(x0 - x1)
// ... shared/helpers.cu: wait_for_earlier_kernels, root_in_range, is_root_in_range, rsqrt_of_normal, is_rsqrt_of_normal
// ... shared/accumulators.cu: sum_of, max_of, finish_0, finish_1, finish_2, accumulators, identity, combine
// ... shared/heads.cu: layout, kiln_sum_sum_max_of_sub_rsqrt_sqrt_f32_v4_axes2_values4_lane_tiles
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: body, fast_body

    __shared__ float tile[512];
    // ... as in lane_values
    accumulators waiting[32];
    const int tiles = (reduced + 16383) / 16384;
    #pragma unroll 1
    for (int thread_of_warp = 0; thread_of_warp < 32; ++thread_of_warp) {
        const unsigned int thread_of_value = (((static_cast<unsigned int>((warp * 32 + thread_of_warp) / 32) * 2050) & 139536) | ((static_cast<unsigned int>((warp * 32 + thread_of_warp) / 32) * 32800) & 558144)) * 65793 / 65536 % 256 / 16 * 32 + (((static_cast<unsigned int>((warp * 32 + thread_of_warp) % 32) * 2050) & 139536) | ((static_cast<unsigned int>((warp * 32 + thread_of_warp) % 32) * 32800) & 558144)) * 65793 / 65536 % 256 / 8;
        const unsigned int vector = thread_of_value * 4;
        #pragma unroll 1
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = vector + static_cast<unsigned int>(k);
            const int place = warp * 32 + k;
            bool in_range = true;
            #pragma unroll
            for (int v = 0; v < 4; ++v) mine[v] = identity();
            #pragma unroll 1
            for (int tile_of_row = 0; tile_of_row < tiles; ++tile_of_row) {
                const unsigned int from = static_cast<unsigned int>(tile_of_row) * 16384;
                if (k == 0 || tiles > 1) {
                    __syncwarp();
                    float of_row;
                    const unsigned int there = least_index(vector + from + static_cast<unsigned int>(lane % 4 + lane / 4 * 2048), reduced - 1);
                    const int p1 = there;
                    const int at_x0 = p1;
                    of_row = x0[at_x0];
                    tile[thread] = of_row;
                    __syncwarp();
                }
                const int rounds = least_index((reduced + 2047 - (first + from)) / 2048, 8);
                #pragma unroll 4
                for (int r = 0; r < rounds; ++r) {
                    const float of_row = tile[place + r * 4];
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        float one_y0;
                        float one_y1;
                        float one_y2;
                        fast_body(of_row, v_x1[v], one_y0, one_y1, one_y2, in_range);
                        // ... as in two_totals
                        one.s2 = one_y2;
                        mine[v] = combine(mine[v], one);
                    }
                }
            }
            if (!in_range) {
                #pragma unroll
                for (int v = 0; v < 4; ++v) mine[v] = identity();
                const int rounds = (reduced + 2047 - first) / 2048;
                #pragma unroll 1
                for (int r = 0; r < rounds; ++r) {
                    float of_row;
                    if (tiles == 1) {
                        of_row = tile[place + r * 4];
                    } else {
                        const unsigned int there = least_index(first + static_cast<unsigned int>(r) * 2048, reduced - 1);
                        const int p1 = there;
                        const int at_x0 = p1;
                        of_row = x0[at_x0];
                    }
                    #pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        float one_y0;
                        float one_y1;
                        float one_y2;
                        body(of_row, v_x1[v], one_y0, one_y1, one_y2);
                        // ... as in two_totals
                        one.s2 = one_y2;
                        mine[v] = combine(mine[v], one);
                    }
                }
            }
            int ones = thread_of_warp * 4 + k;
            int height = 0;
            #pragma unroll 1
            for (int each = 0; each < 7; ++each) {
                // ... as in lane_values
    }
    #pragma unroll
    for (int v = 0; v < 4; ++v) mine[v] = waiting[7 * 4 + v];
    // ... as in lane_values
            if (number < kept) {
                y0[number] = finish_0(mine[v].s0, reduced);
                y1[number] = finish_1(mine[v].s1, reduced);
                y2[number] = finish_2(mine[v].s2, reduced);
            }
        }
    }
}
