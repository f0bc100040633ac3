// sqrt(sum((x0 - x1) * (x0 - x1)))
// ... shared/helpers.cu: shuffle, shuffle_down, wait_for_earlier_kernels, root_in_range, is_root_in_range
// ... shared/accumulators.cu: sum_of, finish_0, accumulators_0, identity_0, combine
// ... shared/heads.cu: layout, kiln_sub_mul_sum_sqrt_f32_axes3_persistent16
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: element_0, row_1_exact, row_1

    __shared__ accumulators_0 shared_0[8];
    __shared__ float rows_f32[4160];
    // ... as in contiguous
    const int lane = thread % 4;
    const unsigned int kept = at.word[9];
    const unsigned int reduced = at.word[10];
    const unsigned int wanted = block * 64 + thread / 4;
    // ... as in rows
    const int p0 = divide(value, at.word[5]);
    const int p1 = value - p0 * int(at.word[2]);
    float row_x0[16];
    float row_x1[16];
    __syncwarp();
    const int lane_of_warp = thread % 32;
    const int warp = thread / 32;
    const unsigned int first_row = block * 64 + warp * 8;
    #pragma unroll
    for (int j = 0; j < 16; ++j) {
        const int number = j * 32 + lane_of_warp;
        const unsigned int element = number % 64;
        const int row = number / 64;
        if (element < reduced) {
            const unsigned int which = first_row + row;
            const unsigned int row_read = least_index(which, kept - 1);
            const int p02 = divide(row_read, at.word[5]);
            const int p12 = row_read - p02 * int(at.word[2]);
            const int p2 = element;
            const int at_x0 = p02 * int(at.word[13]) + p2;
            rows_f32[warp * 520 + row * 65 + element] = x0[at_x0];
        }
    }
    __syncwarp();
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int vector = (lane + u * 4) * 4;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = vector + k;
            if (u < 2 || first < reduced) row_x0[u * 4 + k] = rows_f32[thread / 4 * 65 + first];
        }
    }
    __syncwarp();
    const int lane_of_warp2 = thread % 32;
    const int warp2 = thread / 32;
    const unsigned int first_row2 = block * 64 + warp2 * 8;
    #pragma unroll
    for (int j = 0; j < 16; ++j) {
        const int number = j * 32 + lane_of_warp2;
        const unsigned int element = number % 64;
        const int row = number / 64;
        if (element < reduced) {
            const unsigned int which = first_row2 + row;
            const unsigned int row_read = least_index(which, kept - 1);
            const int p02 = divide(row_read, at.word[5]);
            const int p12 = row_read - p02 * int(at.word[2]);
            const int p2 = element;
            const int at_x1 = p12 * int(at.word[14]) + p2;
            rows_f32[warp2 * 520 + row * 65 + element] = x1[at_x1];
        }
    }
    __syncwarp();
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int vector = (lane + u * 4) * 4;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = vector + k;
            if (u < 2 || first < reduced) row_x1[u * 4 + k] = rows_f32[thread / 4 * 65 + first];
        }
    }
    accumulators_0 part_0[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) part_0[k] = identity_0();
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int vector = (lane + u * 4) * 4;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = vector + k;
            if (u < 2 || first < reduced) {
                float t1;
                element_0(row_x0[u * 4 + k], row_x1[u * 4 + k], t1);
                accumulators_0 one;
                one.s0 = t1;
                part_0[k] = combine(part_0[k], one);
            }
        }
    }
    accumulators_0 mine_0 = combine(combine(part_0[0], part_0[1]), combine(part_0[2], part_0[3]));
    #pragma unroll
    for (int apart = 2; apart > 0; apart /= 2) mine_0 = combine(mine_0, shuffle_down(mine_0, apart));
    mine_0 = shuffle(mine_0, thread & 28);
    const float t2 = finish_0(mine_0.s0, reduced);
    float t3;
    row_1(t2, t3);
    if (lane == 0 && is_there) y0[value] = t3;
}
