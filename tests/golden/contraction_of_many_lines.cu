// dot(x0 * x1)
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies
// ... shared/accumulators.cu: dot_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, store
// ... shared/heads.cu: layout, kiln_dot_of_mul_f32_axes3_contraction64x128
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    // ... as in finished_product_of_floats
    float* const shared_x1 = reinterpret_cast<float*>(dynamic_shared + 20480);
    // ... as in contraction
    int first_column = (block - tile_row * at.word[7]) * 128;
    // ... as in finished_product_of_floats
        first_column = within / 8 * 128;
    // ... as in finished_product_of_floats
    const int thread_row = warp % 1 * 64 + of_warp % 8;
    const int thread_column = warp / 1 * 32 + of_warp / 8 * 4;
    // ... as in contraction
    f32x4 v_x0[8];
    const int deep_of_x0 = thread % 4 * 4;
    const int across_x0 = thread / 4;
    // ... as in contraction_copied
    const int deep_of_x1 = thread / 32;
    const int across_x1 = thread / 1 % 32 * 4;
    // ... as in finished_product_of_floats
    for (int s = 0; s < 3; ++s) {
        if (first + 16 <= reduced) {
            #pragma unroll
            for (int p = 0; p < 2; ++p) {
                copy_async<16>(shared_x0 + ((filled * 64 + (across_x0 + p * 32)) * 20 + deep_of_x0), x0 + next_at_x0[p]);
            }
            #pragma unroll
            for (int p = 0; p < 2; ++p) next_at_x0[p] = next_at_x0[p] + 1 * 16;
            #pragma unroll
            for (int u = 0; u < 4; ++u) {
                copy_async<16>(shared_x1 + ((filled * 16 + (deep_of_x1 + u * 4)) * 128 + across_x1), x1 + (next_at_x1 + u * 4 * int(at.word[13])));
            // ... as in contraction_of_few_columns
            first = first + 16;
            filled = filled == 3 ? 0 : filled + 1;
        }
        commit_copies();
    }
    int stage = 0;
    #pragma unroll 1
    for (unsigned int next = 0; next < reduced; next += 16) {
        wait_copies<2>();
        // ... as in contraction_of_few_columns
            for (int p = 0; p < 2; ++p) {
                copy_async<16>(shared_x0 + ((filled * 64 + (across_x0 + p * 32)) * 20 + deep_of_x0), x0 + next_at_x0[p]);
            }
            #pragma unroll
            for (int p = 0; p < 2; ++p) next_at_x0[p] = next_at_x0[p] + 1 * 16;
            #pragma unroll
            for (int u = 0; u < 4; ++u) {
                copy_async<16>(shared_x1 + ((filled * 16 + (deep_of_x1 + u * 4)) * 128 + across_x1), x1 + (next_at_x1 + u * 4 * int(at.word[13])));
            // ... as in contraction_of_few_columns
            first = first + 16;
            filled = filled == 3 ? 0 : filled + 1;
        }
        commit_copies();
        #pragma unroll 4
        for (int round = 0; round < 4; ++round) {
            const int deep = round * 4;
            #pragma unroll
            for (int v = 0; v < 8; ++v) v_x0[v] = reinterpret_cast<const f32x4&>(shared_x0[(stage * 64 + (thread_row + v / 1 * 8 + v % 1)) * 20 + deep]);
            // ... as in finished_product_of_floats
                for (int v = 0; v < 2; ++v) v_x1[v] = reinterpret_cast<const f32x4&>(shared_x1[(stage * 16 + here) * 128 + (thread_column + v * 4 / 4 * 16 + v * 4 % 4)]);
                // ... as in contraction
                        // ... as in contraction_of_lines
        stage = stage == 3 ? 0 : stage + 1;
    }
    #pragma unroll
    for (int r = 0; r < 8; ++r) {
        // ... as in contraction_of_lines
