// float16((float32(x0) - max(float32(x0))) * float32(x1))
// ... shared/helpers.cu: across, shuffle, shuffle_down, wait_for_earlier_kernels, f16, bits16_of, f32_from_f16, anew, f16_from_f32
// ... shared/accumulators.cu: max_of, finish_0, accumulators_0, identity_0, combine
// ... shared/vectors.cu: f16x4, load_f16x4, store
// ... shared/heads.cu: layout, kiln_cast3_max_sub_mul_f16_axes2_persistent48
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: element_0, element_1

    __shared__ accumulators_0 shared_0[16];
    // ... as in contiguous
    const int lane = thread % 512;
    // ... as in rows
    const unsigned int wanted = block + thread / 512;
    // ... as in rows
    f16 row_x0[48];
    const unsigned int first_of_row = lane * 4;
    const int p1 = first_of_row;
    // ... as in rows
    const int begin_x0 = i;
    const int skew_x0 = int(reinterpret_cast<unsigned long long>(x0 + begin_x0) % 8 / 2);
    const int count_x0 = reduced;
    const int head_x0 = value == 0 ? (4 - skew_x0) & 3 : 0;
    const int tail_x0 = value + 1 == kept ? ((count_x0 + skew_x0) & -4) - skew_x0 : count_x0 + 4;
    const int read_end_x0 = least_index(tail_x0, count_x0);
    f16x4 low_x0[12];
    f16x4 high_x0[12];
    #pragma unroll
    for (int u = 0; u < 12; ++u) {
        const int first = (lane + u * 512) * 4;
        if (((u > 0) | (first >= head_x0)) & ((u < 8) | (first - skew_x0 < read_end_x0))) low_x0[u] = load_f16x4(x0 + (begin_x0 + (u * 2048 - skew_x0)));
        if ((skew_x0 > 0) & ((u < 7) | (first - skew_x0 + 4 < read_end_x0))) high_x0[u] = load_f16x4(x0 + (begin_x0 + (u * 2048 + 4 - skew_x0)));
    }
    #pragma unroll
    for (int u = 0; u < 12; ++u) {
        const int first = (lane + u * 512) * 4;
        const f16x4 across_x0 = across(low_x0[u], high_x0[u], skew_x0);
        f16x4 v_x0 = across_x0;
        if (((u == 0) & (first < head_x0)) | ((u >= 7) & (first + 4 > tail_x0))) {
            const f16x4 ends_x0 = [](const f16x4 across_x0, const int first, const int head_x0, const int tail_x0, const int count_x0, const int begin_x0, const int u, const f16* x0) __noinline__ {
                f16x4 ends = across_x0;
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    if (((first + k < head_x0) | (first + k >= tail_x0)) & (first + k < count_x0)) ends.v[k] = x0[begin_x0 + (u * 2048 + k)];
                }
                return ends;
            }(across_x0, first, head_x0, tail_x0, count_x0, begin_x0, u, x0);
            v_x0 = ends_x0;
        }
        // ... as in softmax
    // ... as in finished_distances
    for (int u = 0; u < 12; ++u) {
        const unsigned int vector = (lane + u * 512) * 4;
        // ... as in finished_distances
            if (u < 8 || first < reduced) {
                // ... as in rows_by_neighbours
    // ... as in softmax
    mine_0 = shared_0[thread / 512 * 16 + thread % 16];
    #pragma unroll
    for (int apart = 8; apart > 0; apart /= 2) mine_0 = combine(mine_0, shuffle_down(mine_0, apart));
    // ... as in rows_by_neighbours
    const unsigned int first_of_row2 = lane * 4;
    const int p12 = first_of_row2;
    const int at_x1 = p12;
    const int begin_x1 = at_x1;
    const int skew_x1 = 0;
    const int count_x1 = reduced;
    const int head_x1 = (4 - skew_x1) & 3;
    const int tail_x1 = ((count_x1 + skew_x1) & -4) - skew_x1;
    f16x4 low_x1[1];
    f16x4 high_x1[1];
    const unsigned int first_of_row3 = lane * 4;
    const int p13 = first_of_row3;
    const unsigned int i2 = static_cast<unsigned int>(p0) * int(at.word[2]) + p13;
    const int begin_y0 = i2;
    const int skew_y0 = int(reinterpret_cast<unsigned long long>(y0 + begin_y0) % 8 / 2);
    const int count_y0 = reduced;
    const int lane_of_row = lane % 32;
    // ... as in finished_distances
    const int lane_before = (lane_of_warp + 31) & 31;
    const bool is_first_lane = lane_of_row == 0;
    const int first_part_y0 = skew_y0 == 1 ? 7 : skew_y0 == 2 ? 3 : skew_y0 == 3 ? 1 : 15;
    const bool ends_y0 = is_there & ((lane_of_row > 0) | (skew_y0 == 0));
    const int alone_y0 = is_there ? lane_of_row == 0 ? skew_y0 == 0 ? 0 : first_part_y0 : lane_of_row == 31 ? 15 - first_part_y0 : 0 : 0;
    #pragma unroll
    for (int u = 0; u < 12; ++u) {
        if ((u < 8) | (u * 2048 + thread / 32 % 16 * 128 < reduced)) {
            const unsigned int vector = (lane + u * 512) * 4;
            const int first = vector;
            if (((u > 0) | (first >= head_x1)) & ((u < 8) | (first - skew_x1 < tail_x1))) low_x1[0] = load_f16x4(x1 + (begin_x1 + (u * 2048 - skew_x1)));
            if ((skew_x1 > 0) & ((u < 7) | (first - skew_x1 + 4 < tail_x1))) high_x1[0] = load_f16x4(x1 + (begin_x1 + (u * 2048 + 4 - skew_x1)));
            const f16x4 across_x1 = across(low_x1[0], high_x1[0], skew_x1);
            f16x4 v_x1 = across_x1;
            if (((u == 0) & (first < head_x1)) | ((u >= 7) & (first + 4 > tail_x1))) {
                const f16x4 ends_x1 = [](const f16x4 across_x1, const int first, const int head_x1, const int tail_x1, const int count_x1, const int begin_x1, const int u, const f16* x1) __noinline__ {
                    f16x4 ends = across_x1;
                    #pragma unroll
                    for (int k = 0; k < 4; ++k) {
                        if (((first + k < head_x1) | (first + k >= tail_x1)) & (first + k < count_x1)) ends.v[k] = x1[begin_x1 + (u * 2048 + k)];
                    }
                    return ends;
                }(across_x1, first, head_x1, tail_x1, count_x1, begin_x1, u, x1);
                v_x1 = ends_x1;
            }
            f16x4 v_y0;
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const unsigned int first2 = vector + k;
                if (u < 8 || first2 < reduced) {
                    const int p14 = first2;
                    f16 t5;
                    element_1(anew(row_x0[u * 4 + k]), v_x1.v[k], t1, t5);
                    v_y0.v[k] = t5;
                }
            }
            const int first2 = vector;
            const f16x4 mine_y0 = v_y0;
            const f16x4 given_y0 = shuffle(mine_y0, lane_before);
            const int end_y0 = first2 - skew_y0 + 4;
            if (ends_y0 & ((u < 8) | (end_y0 <= count_y0))) store(y0 + (begin_y0 + (u * 2048 - skew_y0)), across(given_y0, mine_y0, 4 - skew_y0));
            if ((u >= 7) & (is_there & (end_y0 + 4 > count_y0))) {
                [](const int end_y0, const int count_y0, const int first_part_y0, const int alone_y0, const int first2, const int begin_y0, const int u, const f16x4 mine_y0, f16* y0) __noinline__ {
                    const int elements = ((end_y0 > count_y0 ? first_part_y0 : 0) | (15 - first_part_y0)) | alone_y0;
                    if (((elements & 1) > 0) & (first2 < count_y0)) y0[begin_y0 + u * 2048] = mine_y0.v[0];
                    if (((elements & 2) > 0) & (first2 + 1 < count_y0)) y0[begin_y0 + (u * 2048 + 1)] = mine_y0.v[1];
                    if (((elements & 4) > 0) & (first2 + 2 < count_y0)) y0[begin_y0 + (u * 2048 + 2)] = mine_y0.v[2];
                    if (((elements & 8) > 0) & (first2 + 3 < count_y0)) y0[begin_y0 + (u * 2048 + 3)] = mine_y0.v[3];
                }(end_y0, count_y0, first_part_y0, alone_y0, first2, begin_y0, u, mine_y0, y0);
            } else {
                if ((alone_y0 & 1) > 0) y0[begin_y0 + u * 2048] = mine_y0.v[0];
                if ((alone_y0 & 2) > 0) y0[begin_y0 + (u * 2048 + 1)] = mine_y0.v[1];
                if ((alone_y0 & 4) > 0) y0[begin_y0 + (u * 2048 + 2)] = mine_y0.v[2];
                if ((alone_y0 & 8) > 0) y0[begin_y0 + (u * 2048 + 3)] = mine_y0.v[3];
            }
        }
    }
}
