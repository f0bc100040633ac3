// float32(x0) * x1
// ... shared/types.cu: u8
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: u8x4, load_u8x4
// ... shared/heads.cu: layout, kiln_cast_mul_f32_axes3_tile64
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    __shared__ u8 tile_x0[5041];
    // ... as in contiguous
    const unsigned int along_outer = divide(block, at.word[8]);
    const int inner_first = (block - along_outer * int(at.word[7])) * 64;
    const unsigned int others = divide(along_outer, at.word[10]);
    const int outer_first = (along_outer - others * int(at.word[9])) * 64;
    const int p1 = others;
    const bool all_begin_there = (int(at.word[3]) & 7) == 0 && int(reinterpret_cast<unsigned long long>(y0 + ((outer_first * int(at.word[2]) + p1) * int(at.word[3]) + inner_first)) % 32 / 4) == 0;
    const int rows = least_index(int(at.word[3]) - inner_first, all_begin_there ? 64 : 71);
    const int first_across = thread / 64;
    const unsigned int first_number = ((outer_first + first_across) * int(at.word[2]) + p1) * int(at.word[3]) + inner_first;
    const int word = thread % 64;
    const int skew_y = int(reinterpret_cast<unsigned long long>(y0 + first_number) % 32 / 4);
    const int turn = int(at.word[3]) * int(at.word[2]) * 4;
    // ... as in aligned_tiles
    const int first_row = thread / 16;
    const int at_x0 = outer_first + p1 * int(at.word[11]) + (inner_first + first_row) * int(at.word[12]);
    const int skew = int(reinterpret_cast<unsigned long long>(x0 + at_x0) % 4 / 1);
    const int across = thread % 16 * 4 - skew;
    const int count2 = outer_first + across >= 0 && outer_first + across + 4 <= int(at.word[1]) ? rows - first_row : 0;
    const int stride = int(at.word[12]) * 16;
    const int begin = at_x0 + across;
    u8x4 words_x0[5];
    // ... as in aligned_tiles
    u8 loaded_before[3];
    u8 loaded_behind[3];
    if (thread < rows) {
        const int at_x02 = outer_first + p1 * int(at.word[11]) + (inner_first + thread) * int(at.word[12]);
        const int skew2 = int(reinterpret_cast<unsigned long long>(x0 + at_x02) % 4 / 1);
        // ... as in aligned_tiles
        before = least_index(rest, outer_first == 0 ? (4 - skew2) & 3 : 0);
        const int in_words = (rest + skew2) & -4;
        // ... as in aligned_tiles
        #pragma unroll
        for (int e = 0; e < 3; ++e) {
            if (e < before) loaded_before[e] = x0[at_x02 + e];
            if (e < behind) loaded_behind[e] = x0[at_x02 + (first_behind + e)];
        }
    }
    #pragma unroll
    for (int k = 0; k < 5; ++k) {
        if (k * 16 < count2) words_x0[k] = load_u8x4(x0 + (begin + k * stride));
    }
    #pragma unroll
    for (int k = 0; k < 5; ++k) {
        if (k * 16 < count2) {
            const u8x4 moved = words_x0[k];
            #pragma unroll
            for (int e = 0; e < 4; ++e) tile_x0[(first_row + k * 16) * 71 + (across + e + 3)] = moved.v[e];
        }
    }
    if (thread < rows) {
        #pragma unroll
        for (int e = 0; e < 3; ++e) {
            if (e < before) tile_x0[thread * 71 + (e + 3)] = loaded_before[e];
            if (e < behind) tile_x0[thread * 71 + (first_behind + e + 3)] = loaded_behind[e];
        }
    }
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < 16; ++k) {
        if (k * 4 < count) {
            const int across2 = first_across + k * 4;
            // ... as in aligned_tiles
            const int row = word + ((0 - (skew_y + k * turn)) & 7);
            if (inner_first + row + 1 <= int(at.word[3])) {
                const int at_x1 = inner_first + row;
                body(tile_x0[row * 71 + (across2 + 3)], x1[at_x1], y0[number + row]);
            // ... as in aligned_tiles
        for (int item = thread; item < 512; item += 256) {
            const int across2 = item / 8;
            const int row = item % 8;
            if (outer_first + across2 < int(at.word[1]) && row < int(at.word[3])) {
                const unsigned int number = ((outer_first + across2) * int(at.word[2]) + p1) * int(at.word[3]) + inner_first;
                const int skew_y2 = int(reinterpret_cast<unsigned long long>(y0 + number) % 32 / 4);
                if (row < ((0 - skew_y2) & 7)) {
                    const int at_x1 = inner_first + row;
                    body(tile_x0[row * 71 + (across2 + 3)], x1[at_x1], y0[number + row]);
                }
            }
        }
    }
}
