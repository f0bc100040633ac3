// dot(x0 * x1)
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies
// ... shared/accumulators.cu: dot_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, f32x2, store
// ... shared/heads.cu: layout, kiln_dot_of_mul_f32_axes3_contraction256x8
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    // ... as in finished_product_of_floats
    float* const shared_x1 = reinterpret_cast<float*>(dynamic_shared + 33280);
    // ... as in contraction
    int first_column = (block - tile_row * at.word[7]) * 8;
    int first_row = (tile_row - outer * at.word[9]) * 256;
    // ... as in finished_product_of_floats
        first_row = (first_together + within % 8) * 256;
        first_column = within / 8 * 8;
    // ... as in finished_product_of_floats
    const int thread_row = warp % 4 * 64 + of_warp % 8 * 4;
    const int thread_column = warp / 4 * 8 + of_warp / 8 * 2;
    accumulators part[16];
    // ... as in contraction_of_rows
    f32x4 v_x0[2];
    const int deep_of_x0 = thread % 8;
    const int across_x0 = thread / 8 % 16;
    int next_at_x0[16];
    #pragma unroll
    for (int p = 0; p < 16; ++p) {
        // ... as in finished_product_of_floats
    f32x2 v_x1[1];
    const int deep_of_x1 = thread / 8;
    const int across_x1 = thread / 1 % 8;
    // ... as in contraction
    // ... as in contraction_copied
        if (first + 16 <= reduced) {
            #pragma unroll
            for (int p = 0; p < 16; ++p) {
                #pragma unroll
                for (int u = 0; u < 2; ++u) {
                    copy_async<4>(shared_x0 + ((filled * 16 + (deep_of_x0 + u * 8)) * 260 + (across_x0 + p * 16)), x0 + (next_at_x0[p] + u * 8));
                }
            }
            #pragma unroll
            for (int p = 0; p < 16; ++p) next_at_x0[p] = next_at_x0[p] + 1 * 16;
            copy_async<4>(shared_x1 + ((filled * 16 + deep_of_x1) * 12 + across_x1), x1 + next_at_x1);
            next_at_x1 = next_at_x1 + int(at.word[13]) * 16;
            first = first + 16;
            // ... as in contraction_copied
    const unsigned int whole = reduced / 16 * 16;
    #pragma unroll 1
    for (unsigned int next = 0; next < whole; next += 16) {
        wait_copies<0>();
        __syncthreads();
        if (first + 16 <= reduced) {
            #pragma unroll
            for (int p = 0; p < 16; ++p) {
                #pragma unroll
                for (int u = 0; u < 2; ++u) {
                    copy_async<4>(shared_x0 + ((filled * 16 + (deep_of_x0 + u * 8)) * 260 + (across_x0 + p * 16)), x0 + (next_at_x0[p] + u * 8));
                }
            }
            #pragma unroll
            for (int p = 0; p < 16; ++p) next_at_x0[p] = next_at_x0[p] + 1 * 16;
            copy_async<4>(shared_x1 + ((filled * 16 + deep_of_x1) * 12 + across_x1), x1 + next_at_x1);
            next_at_x1 = next_at_x1 + int(at.word[13]) * 16;
            first = first + 16;
            // ... as in contraction_copied
        #pragma unroll 16
        for (int round = 0; round < 16; ++round) {
            const int deep = round;
            #pragma unroll
            for (int v = 0; v < 2; ++v) v_x0[v] = reinterpret_cast<const f32x4&>(shared_x0[(stage * 16 + deep) * 260 + (thread_row + v * 4 / 4 * 32 + v * 4 % 4)]);
            v_x1[0] = reinterpret_cast<const f32x2&>(shared_x1[(stage * 16 + deep) * 12 + thread_column]);
            #pragma unroll
            for (int r = 0; r < 8; ++r) {
                #pragma unroll
                for (int c = 0; c < 2; ++c) {
                    float one_y0;
                    body(v_x0[r / 4].v[r % 4], v_x1[c / 2].v[c % 2], one_y0);
                    // ... as in rows
                    part[r * 2 + c] = combine(part[r * 2 + c], one);
                // ... as in contraction_copied
        for (int p = 0; p < 16; ++p) {
            #pragma unroll
            for (int u = 0; u < 2; ++u) {
                // ... as in contraction_copied
                    copy_async<4>(shared_x0 + ((filled * 16 + (deep_of_x0 + u * 8)) * 260 + (across_x0 + p * 16)), x0 + (next_at_x0[p] + u * 8));
                }
            }
        }
        #pragma unroll
        for (int p = 0; p < 16; ++p) next_at_x0[p] = next_at_x0[p] + 1 * 16;
        if (whole + deep_of_x1 < reduced) {
            copy_async<4>(shared_x1 + ((filled * 16 + deep_of_x1) * 12 + across_x1), x1 + next_at_x1);
        }
        next_at_x1 = next_at_x1 + int(at.word[13]) * 16;
        // ... as in contraction_copied
        for (int deep = 0; deep < depth; ++deep) {
            #pragma unroll
            for (int v = 0; v < 2; ++v) v_x0[v] = reinterpret_cast<const f32x4&>(shared_x0[(stage * 16 + deep) * 260 + (thread_row + v * 4 / 4 * 32 + v * 4 % 4)]);
            v_x1[0] = reinterpret_cast<const f32x2&>(shared_x1[(stage * 16 + deep) * 12 + thread_column]);
            #pragma unroll
            for (int r = 0; r < 8; ++r) {
                #pragma unroll
                for (int c = 0; c < 2; ++c) {
                    float one_y0;
                    body(v_x0[r / 4].v[r % 4], v_x1[c / 2].v[c % 2], one_y0);
                    // ... as in rows
                    part[r * 2 + c] = combine(part[r * 2 + c], one);
                }
            }
        }
    }
    #pragma unroll
    for (int r = 0; r < 8; ++r) {
        const int row = first_row + (thread_row + r / 4 * 32 + r % 4);
        if (row < int(at.word[1])) {
            // ... as in contraction_of_rows
            // ... as in finished_product_of_floats
            f32x2 v_y0;
            #pragma unroll
            for (int k = 0; k < 2; ++k) v_y0.v[k] = finish_0(part[r * 2 + k].s0, reduced);
            if (left >= 2 && reinterpret_cast<unsigned long long>(y0 + value) % 8 == 0) {
                store(y0 + value, v_y0);
            } else {
                #pragma unroll
                for (int k = 0; k < 2; ++k) {
                    if (k < left) y0[value + k] = v_y0.v[k];
                }
            }
        }
    }
}
