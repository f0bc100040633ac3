// x0 * s0
// ... shared/helpers.cu: wait_for_earlier_kernels, f16, bits16_of, f32_from_f16, f16_from_f32, f16_mul
// ... shared/vectors.cu: f16x2, load_f16x2, store
// ... shared/heads.cu: layout, kiln_mul_f16_axes2_tile64
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    __shared__ f16 tile_x0[5293];
    // ... as in transposed
    const bool all_begin_there = (int(at.word[2]) & 15) == 0 && int(reinterpret_cast<unsigned long long>(y0 + (outer_first * int(at.word[2]) + inner_first)) % 32 / 2) == 0;
    const int rows = least_index(int(at.word[2]) - inner_first, all_begin_there ? 64 : 79);
    const int first_across = thread / 32;
    const unsigned int first_number = (outer_first + first_across) * int(at.word[2]) + inner_first;
    const int word = thread % 32 * 2;
    const int skew_y = int(reinterpret_cast<unsigned long long>(y0 + first_number) % 32 / 2);
    const int turn = int(at.word[2]) * 8;
    const int count = int(at.word[1]) - outer_first - first_across;
    const int first_row = thread / 32;
    const int at_x0 = outer_first + (inner_first + first_row) * int(at.word[9]);
    const int skew = int(reinterpret_cast<unsigned long long>(x0 + at_x0) % 4 / 2);
    const int across = thread % 32 * 2 - skew;
    const int count2 = outer_first + across >= 0 && outer_first + across + 2 <= int(at.word[1]) ? rows - first_row : 0;
    const int stride = int(at.word[9]) * 8;
    const int begin = at_x0 + across;
    f16x2 words_x0[10];
    int before = 0;
    int first_behind = 0;
    int behind = 0;
    f16 loaded_before[1];
    f16 loaded_behind[1];
    if (thread < rows) {
        const int at_x02 = outer_first + (inner_first + thread) * int(at.word[9]);
        const int skew2 = int(reinterpret_cast<unsigned long long>(x0 + at_x02) % 4 / 2);
        const int rest = int(at.word[1]) - outer_first;
        before = least_index(rest, outer_first == 0 ? (2 - skew2) & 1 : 0);
        const int in_words = (rest + skew2) & -2;
        const int end = least_index(in_words, 64) - skew2;
        first_behind = end < 0 ? 0 : end;
        behind = least_index(rest, 64) - first_behind;
        if (0 < before) loaded_before[0] = x0[at_x02];
        if (0 < behind) loaded_behind[0] = x0[at_x02 + first_behind];
    }
    #pragma unroll
    for (int k = 0; k < 10; ++k) {
        if (k * 8 < count2) words_x0[k] = load_f16x2(x0 + (begin + k * stride));
    }
    #pragma unroll
    for (int k = 0; k < 10; ++k) {
        if (k * 8 < count2) {
            const f16x2 moved = words_x0[k];
            #pragma unroll
            for (int e = 0; e < 2; ++e) tile_x0[(first_row + k * 8) * 67 + (across + e + 1)] = moved.v[e];
        }
    }
    if (thread < rows) {
        if (0 < before) tile_x0[thread * 67 + 1] = loaded_before[0];
        if (0 < behind) tile_x0[thread * 67 + (first_behind + 1)] = loaded_behind[0];
    }
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < 8; ++k) {
        if (k * 8 < count) {
            const int across2 = first_across + k * 8;
            const unsigned int number = first_number + k * turn;
            const int row = word + ((0 - (skew_y + k * turn)) & 15);
            if (inner_first + row + 2 <= int(at.word[2])) {
                f16x2 v_y;
                #pragma unroll
                for (int e = 0; e < 2; ++e) body(tile_x0[(row + e) * 67 + (across2 + 1)], s0, v_y.v[e]);
                store(y0 + (number + row), v_y);
            } else {
                #pragma unroll 1
                for (int i = row; i < int(at.word[2]) - inner_first; ++i) body(tile_x0[i * 67 + (across2 + 1)], s0, y0[number + i]);
            }
        }
    }
    if (inner_first == 0 && !all_begin_there) {
        #pragma unroll 1
        for (int item = thread; item < 1024; item += 256) {
            const int across2 = item / 16;
            const int row = item % 16;
            if (outer_first + across2 < int(at.word[1]) && row < int(at.word[2])) {
                const unsigned int number = (outer_first + across2) * int(at.word[2]) + inner_first;
                const int skew_y2 = int(reinterpret_cast<unsigned long long>(y0 + number) % 32 / 2);
                if (row < ((0 - skew_y2) & 15)) body(tile_x0[row * 67 + (across2 + 1)], s0, y0[number + row]);
            }
        }
    }
}
