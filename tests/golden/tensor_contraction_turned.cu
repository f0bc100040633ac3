// bfloat16(dot(float32(x0) * float32(x1)))
// ... shared/helpers.cu: bits_of, float_of, rounded, wait_for_earlier_kernels, commit_copies, wait_copies, load_tile, multiply_tile_bf16, bf16, f32_from_bf16, bf16_from_f32
// ... shared/accumulators.cu: dot_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: bf16x2, store
// ... shared/heads.cu: layout, kiln_dot_of_cast2_mul_bf16_axes3_contraction128x128
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    // ... as in finished_product_of_floats
    bf16* const shared_x0 = reinterpret_cast<bf16*>(dynamic_shared + 0);
    bf16* const shared_x1 = reinterpret_cast<bf16*>(dynamic_shared + 40960);
    // ... as in tensor_contraction
    const int first_column = among / together * 128;
    // ... as in tensor_contraction
    const int warp_column = warp % 2 * 64;
    bf16x2 a[32];
    const int a_of_warp = (warp_row + lane / 8 % 2 * 8 + lane % 8) * 40 + lane / 8 / 2 * 8;
    bf16x2 b[32];
    const int b_of_warp = (warp_column + lane / 8 / 2 * 8 + lane % 8) * 40 + lane / 8 % 2 * 8;
    float sums[128];
    #pragma unroll
    for (int v = 0; v < 128; ++v) sums[v] = 0;
    const int line_of_x0 = thread / 32;
    const int in_line_of_x0 = thread % 32;
    // ... as in tensor_contraction
    const int line_of_x1 = thread / 32;
    const int in_line_of_x1 = thread % 32;
    const int along2 = in_line_of_x1;
    const int at_x1 = along2;
    int next_at_x1 = at_x1;
    #pragma unroll
    for (int s = 0; s < 3; ++s) {
        const int k = s * 32;
        if (k + 32 <= int(at.word[2])) {
            #pragma unroll
            for (int u = 0; u < 32; ++u) shared_x0[s * 5120 + ((line_of_x0 + u * 4) * 40 + in_line_of_x0)] = x0[next_at_x0 + least_index(first_row + (line_of_x0 + u * 4), int(at.word[1]) - 1) * int(at.word[12])];
            #pragma unroll
            for (int u = 0; u < 32; ++u) shared_x1[s * 5120 + ((line_of_x1 + u * 4) * 40 + in_line_of_x1)] = x1[next_at_x1 + least_index(first_column + (line_of_x1 + u * 4), int(at.word[3]) - 1) * int(at.word[13])];
        // ... as in tensor_contraction
                for (int u = 0; u < 32; ++u) shared_x0[s * 5120 + ((line_of_x0 + u * 4) * 40 + in_line_of_x0)] = x0[next_at_x0 + least_index(first_row + (line_of_x0 + u * 4), int(at.word[1]) - 1) * int(at.word[12])];
            } else {
                #pragma unroll
                for (int u = 0; u < 32; ++u) shared_x0[s * 5120 + ((line_of_x0 + u * 4) * 40 + in_line_of_x0)] = {};
            }
            const int left2 = int(at.word[2]) - (k + in_line_of_x1);
            if (left2 > 0) {
                #pragma unroll
                for (int u = 0; u < 32; ++u) shared_x1[s * 5120 + ((line_of_x1 + u * 4) * 40 + in_line_of_x1)] = x1[next_at_x1 + least_index(first_column + (line_of_x1 + u * 4), int(at.word[3]) - 1) * int(at.word[13])];
            } else {
                #pragma unroll
                for (int u = 0; u < 32; ++u) shared_x1[s * 5120 + ((line_of_x1 + u * 4) * 40 + in_line_of_x1)] = {};
            }
        }
        next_at_x0 = next_at_x0 + 1 * 32;
        next_at_x1 = next_at_x1 + 1 * 32;
        commit_copies();
    }
    wait_copies<2>();
    // ... as in tensor_contraction
        load_tile<4, false>(a + i * 4, shared_x0 + (a_of_warp + stage * 5120 + i * 640));
    }
    #pragma unroll
    for (int j = 0; j < 4; ++j) {
        load_tile<4, false>(b + j * 4, shared_x1 + (b_of_warp + stage * 5120 + j * 640));
    }
    int filled = 3;
    #pragma unroll 1
    for (int next = 0; next < int(at.word[2]); next += 32) {
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            load_tile<4, false>(a + (i * 4 + 16), shared_x0 + (a_of_warp + stage * 5120 + 16 + i * 640));
        }
        #pragma unroll
        for (int j = 0; j < 4; ++j) {
            load_tile<4, false>(b + (j * 4 + 16), shared_x1 + (b_of_warp + stage * 5120 + 16 + j * 640));
        }
        const int k = next + 96;
        if (k < int(at.word[2])) {
            if (k + 32 <= int(at.word[2])) {
                #pragma unroll
                for (int u = 0; u < 32; ++u) shared_x0[filled * 5120 + ((line_of_x0 + u * 4) * 40 + in_line_of_x0)] = x0[next_at_x0 + least_index(first_row + (line_of_x0 + u * 4), int(at.word[1]) - 1) * int(at.word[12])];
                #pragma unroll
                for (int u = 0; u < 32; ++u) shared_x1[filled * 5120 + ((line_of_x1 + u * 4) * 40 + in_line_of_x1)] = x1[next_at_x1 + least_index(first_column + (line_of_x1 + u * 4), int(at.word[3]) - 1) * int(at.word[13])];
            // ... as in tensor_contraction
                    for (int u = 0; u < 32; ++u) shared_x0[filled * 5120 + ((line_of_x0 + u * 4) * 40 + in_line_of_x0)] = x0[next_at_x0 + least_index(first_row + (line_of_x0 + u * 4), int(at.word[1]) - 1) * int(at.word[12])];
                } else {
                    #pragma unroll
                    for (int u = 0; u < 32; ++u) shared_x0[filled * 5120 + ((line_of_x0 + u * 4) * 40 + in_line_of_x0)] = {};
                }
                const int left2 = int(at.word[2]) - (k + in_line_of_x1);
                if (left2 > 0) {
                    #pragma unroll
                    for (int u = 0; u < 32; ++u) shared_x1[filled * 5120 + ((line_of_x1 + u * 4) * 40 + in_line_of_x1)] = x1[next_at_x1 + least_index(first_column + (line_of_x1 + u * 4), int(at.word[3]) - 1) * int(at.word[13])];
                } else {
                    #pragma unroll
                    for (int u = 0; u < 32; ++u) shared_x1[filled * 5120 + ((line_of_x1 + u * 4) * 40 + in_line_of_x1)] = {};
                }
            }
            next_at_x0 = next_at_x0 + 1 * 32;
            next_at_x1 = next_at_x1 + 1 * 32;
        }
        // ... as in tensor_contraction
        if (filled == 4) filled = 0;
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                multiply_tile_bf16(sums + (i * 32 + j * 4), a + i * 4, b + j * 2);
            }
        }
        wait_copies<2>();
        __syncthreads();
        stage = stage + 1;
        if (stage == 4) stage = 0;
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            load_tile<4, false>(a + i * 4, shared_x0 + (a_of_warp + stage * 5120 + i * 640));
        }
        #pragma unroll
        for (int j = 0; j < 4; ++j) {
            load_tile<4, false>(b + j * 4, shared_x1 + (b_of_warp + stage * 5120 + j * 640));
        }
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                multiply_tile_bf16(sums + (i * 32 + j * 4), a + (i * 4 + 16), b + (j * 2 + 16));
            // ... as in tensor_contraction
            for (int j = 0; j < 8; ++j) {
                // ... as in tensor_contraction
                bf16x2 pair;
                // ... as in tensor_contraction
                    part.s0 = sums[i / 2 * 32 + j * 4 + i % 2 * 2 + k];
                    // ... as in tensor_contraction
