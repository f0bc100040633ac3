// tanh(dot(x0 * x1) + x2)
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies
// ... shared/accumulators.cu: dot_of, finish_1, accumulators_0, identity_0, combine
// ... shared/vectors.cu: f32x4, store
// ... shared/heads.cu: layout, kiln_mul_dot_add_tanh_f32_axes3_contraction64x64
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: element
// ... shared/users.cu: finished

    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    float* const shared_x0 = reinterpret_cast<float*>(dynamic_shared + 0);
    float* const shared_x1 = reinterpret_cast<float*>(dynamic_shared + 27648);
    // ... as in contraction
    int first_column = (block - tile_row * at.word[7]) * 64;
    int first_row = (tile_row - outer * at.word[9]) * 64;
    const unsigned int row_of_tiles = tile_row - outer * at.word[9];
    const unsigned int first_together = row_of_tiles / 8 * 8;
    const unsigned int within = block - (outer * at.word[9] + first_together) * at.word[7];
    if (first_together + 8 <= at.word[9]) {
        first_row = (first_together + within % 8) * 64;
        first_column = within / 8 * 64;
    }
    // ... as in contraction
    const int of_warp = thread % 32;
    const int warp = thread / 32;
    const int thread_row = warp % 2 * 32 + of_warp % 8;
    const int thread_column = warp / 2 * 32 + of_warp / 8 * 4;
    accumulators_0 part[32];
    #pragma unroll
    for (int v = 0; v < 32; ++v) part[v] = identity_0();
    f32x4 v_x0[4];
    const int deep_of_x0 = thread % 8 * 4;
    const int across_x0 = thread / 8;
    int next_at_x0[4];
    #pragma unroll
    for (int p = 0; p < 4; ++p) {
        const int row = least_index(first_row + (across_x0 + p * 16), int(at.word[1]) - 1);
        // ... as in contraction
        next_at_x0[p] = at_x0;
    }
    f32x4 v_x1[2];
    const int deep_of_x1 = thread / 16;
    const int across_x1 = thread / 1 % 16 * 4;
    const int column = least_index(first_column + across_x1, int(at.word[3]) - 4);
    // ... as in contraction
    unsigned int first = 0;
    int filled = 0;
    #pragma unroll 1
    for (int s = 0; s < 2; ++s) {
        if (first + 32 <= reduced) {
            #pragma unroll
            for (int p = 0; p < 4; ++p) {
                copy_async<16>(shared_x0 + ((filled * 64 + (across_x0 + p * 16)) * 36 + deep_of_x0), x0 + next_at_x0[p]);
            }
            #pragma unroll
            for (int p = 0; p < 4; ++p) next_at_x0[p] = next_at_x0[p] + 1 * 32;
            #pragma unroll
            for (int u = 0; u < 4; ++u) {
                copy_async<16>(shared_x1 + ((filled * 32 + (deep_of_x1 + u * 8)) * 64 + across_x1), x1 + (next_at_x1 + u * 8 * int(at.word[13])));
            // ... as in contraction
            first = first + 32;
            filled = filled == 2 ? 0 : filled + 1;
        }
        commit_copies();
    }
    int stage = 0;
    // ... as in contraction
        wait_copies<1>();
        __syncthreads();
        if (first + 32 <= reduced) {
            #pragma unroll
            for (int p = 0; p < 4; ++p) {
                copy_async<16>(shared_x0 + ((filled * 64 + (across_x0 + p * 16)) * 36 + deep_of_x0), x0 + next_at_x0[p]);
            }
            #pragma unroll
            for (int p = 0; p < 4; ++p) next_at_x0[p] = next_at_x0[p] + 1 * 32;
            #pragma unroll
            for (int u = 0; u < 4; ++u) {
                copy_async<16>(shared_x1 + ((filled * 32 + (deep_of_x1 + u * 8)) * 64 + across_x1), x1 + (next_at_x1 + u * 8 * int(at.word[13])));
            // ... as in contraction
            first = first + 32;
            filled = filled == 2 ? 0 : filled + 1;
        }
        commit_copies();
        #pragma unroll 8
        for (int round = 0; round < 8; ++round) {
            const int deep = round * 4;
            #pragma unroll
            for (int v = 0; v < 4; ++v) v_x0[v] = reinterpret_cast<const f32x4&>(shared_x0[(stage * 64 + (thread_row + v / 1 * 8 + v % 1)) * 36 + deep]);
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int here = deep + k;
                #pragma unroll
                for (int v = 0; v < 2; ++v) v_x1[v] = reinterpret_cast<const f32x4&>(shared_x1[(stage * 32 + here) * 64 + (thread_column + v * 4 / 4 * 16 + v * 4 % 4)]);
                #pragma unroll
                for (int r = 0; r < 4; ++r) {
                    #pragma unroll
                    for (int c = 0; c < 8; ++c) {
                        float made;
                        element(v_x0[r].v[k], v_x1[c / 4].v[c % 4], made);
                        accumulators_0 one;
                        one.s1 = made;
                        // ... as in contraction
        stage = stage == 2 ? 0 : stage + 1;
    }
    #pragma unroll
    for (int r = 0; r < 4; ++r) {
        const int row = first_row + (thread_row + r / 1 * 8 + r % 1);
        if (row < int(at.word[1])) {
            #pragma unroll
            for (int g = 0; g < 2; ++g) {
                const int column2 = first_column + (thread_column + g * 4 / 4 * 16 + g * 4 % 4);
                const unsigned int value = static_cast<unsigned int>(row) * int(at.word[3]) + column2;
                // ... as in contraction
                for (int k = 0; k < 4; ++k) {
                    const int beside = least_index(column2 + k, int(at.word[3]) - 1);
                    const float came_to = finish_1(part[r * 8 + g * 4 + k].s1, reduced);
                    const int at_x2 = beside;
                    float t;
                    finished(x2[at_x2], came_to, t);
                    v_y0.v[k] = t;
                }
                if (left > 0) store(y0 + value, v_y0);
            }
        }
    }
}
