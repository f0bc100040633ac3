// sum(x0 * x1)
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, store
// ... shared/heads.cu: layout, kiln_sum_of_mul_f32_axes3_contraction64x64
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    // ... as in finished_product_of_floats
    float* const shared_x1 = reinterpret_cast<float*>(dynamic_shared + 34816);
    __shared__ accumulators exchanged[8192];
    // ... as in contraction
    const int first_row = (tile_row - outer * at.word[9]) * 64;
    // ... as in contraction
    // ... as in contraction_of_rows
    accumulators part[128];
    #pragma unroll
    for (int v = 0; v < 128; ++v) part[v] = identity();
    f32x4 v_x0[4];
    const int deep_of_x0 = thread % 8;
    // ... as in contraction
    int next_at_x0[2];
    #pragma unroll
    for (int p = 0; p < 2; ++p) {
        const int row = least_index(first_row + (across_x0 + p * 32), int(at.word[1]) - 1);
        // ... as in finished_product_of_floats
    for (int s = 0; s < 1; ++s) {
        if (first + 64 <= reduced) {
            #pragma unroll
            for (int p = 0; p < 2; ++p) {
                #pragma unroll
                for (int u = 0; u < 8; ++u) {
                    copy_async<4>(shared_x0 + ((filled * 64 + (deep_of_x0 + u * 8)) * 68 + (across_x0 + p * 32)), x0 + (next_at_x0[p] + u * 8));
                }
            }
            #pragma unroll
            for (int p = 0; p < 2; ++p) next_at_x0[p] = next_at_x0[p] + 1 * 64;
            #pragma unroll
            for (int u = 0; u < 4; ++u) {
                copy_async<16>(shared_x1 + ((filled * 64 + (deep_of_x1 + u * 16)) * 68 + across_x1), x1 + (next_at_x1 + u * 16 * int(at.word[13])));
            }
            next_at_x1 = next_at_x1 + int(at.word[13]) * 64;
            first = first + 64;
            filled = filled == 1 ? 0 : filled + 1;
        }
        commit_copies();
    }
    int stage = 0;
    const unsigned int whole = reduced / 64 * 64;
    #pragma unroll 1
    for (unsigned int next = 0; next < whole; next += 64) {
        wait_copies<0>();
        __syncthreads();
        if (first + 64 <= reduced) {
            #pragma unroll
            for (int p = 0; p < 2; ++p) {
                #pragma unroll
                for (int u = 0; u < 8; ++u) {
                    copy_async<4>(shared_x0 + ((filled * 64 + (deep_of_x0 + u * 8)) * 68 + (across_x0 + p * 32)), x0 + (next_at_x0[p] + u * 8));
                }
            }
            #pragma unroll
            for (int p = 0; p < 2; ++p) next_at_x0[p] = next_at_x0[p] + 1 * 64;
            #pragma unroll
            for (int u = 0; u < 4; ++u) {
                copy_async<16>(shared_x1 + ((filled * 64 + (deep_of_x1 + u * 16)) * 68 + across_x1), x1 + (next_at_x1 + u * 16 * int(at.word[13])));
            }
            next_at_x1 = next_at_x1 + int(at.word[13]) * 64;
            first = first + 64;
            filled = filled == 1 ? 0 : filled + 1;
        // ... as in finished_product_of_floats
            const int deep = lane + round * 8;
            #pragma unroll
            for (int v = 0; v < 4; ++v) v_x0[v] = reinterpret_cast<const f32x4&>(shared_x0[(stage * 64 + deep) * 68 + (thread_row + v * 4 / 4 * 16 + v * 4 % 4)]);
            #pragma unroll
            for (int v = 0; v < 2; ++v) v_x1[v] = reinterpret_cast<const f32x4&>(shared_x1[(stage * 64 + deep) * 68 + (thread_column + v * 4 / 4 * 32 + v * 4 % 4)]);
            #pragma unroll
            for (int r = 0; r < 16; ++r) {
                // ... as in contraction
        stage = stage == 1 ? 0 : stage + 1;
    }
    if (whole < reduced) {
        #pragma unroll
        for (int p = 0; p < 2; ++p) {
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                if (whole + (deep_of_x0 + u * 8) < reduced) {
                    copy_async<4>(shared_x0 + ((filled * 64 + (deep_of_x0 + u * 8)) * 68 + (across_x0 + p * 32)), x0 + (next_at_x0[p] + u * 8));
                }
            }
        }
        #pragma unroll
        for (int p = 0; p < 2; ++p) next_at_x0[p] = next_at_x0[p] + 1 * 64;
        #pragma unroll
        for (int u = 0; u < 4; ++u) {
            if (whole + (deep_of_x1 + u * 16) < reduced) {
                copy_async<16>(shared_x1 + ((filled * 64 + (deep_of_x1 + u * 16)) * 68 + across_x1), x1 + (next_at_x1 + u * 16 * int(at.word[13])));
            }
        }
        next_at_x1 = next_at_x1 + int(at.word[13]) * 64;
        commit_copies();
        wait_copies<0>();
        __syncthreads();
        const int depth = reduced - whole;
        // ... as in contraction
            for (int v = 0; v < 4; ++v) v_x0[v] = reinterpret_cast<const f32x4&>(shared_x0[(stage * 64 + deep) * 68 + (thread_row + v * 4 / 4 * 16 + v * 4 % 4)]);
            #pragma unroll
            for (int v = 0; v < 2; ++v) v_x1[v] = reinterpret_cast<const f32x4&>(shared_x1[(stage * 64 + deep) * 68 + (thread_column + v * 4 / 4 * 32 + v * 4 % 4)]);
            #pragma unroll
            for (int r = 0; r < 16; ++r) {
                // ... as in contraction
    #pragma unroll
    for (int first2 = 0; first2 < 128; first2 += 64) {
        // ... as in contraction
                for (int v = 0; v < 64; ++v) exchanged[v * threads + thread - threads] = part[first2 + v];
            }
            __syncthreads();
            if (lane < apart) {
                #pragma unroll
                for (int v = 0; v < 64; ++v) part[first2 + v] = combine(part[first2 + v], exchanged[v * threads + thread]);
            }
            __syncthreads();
        }
    }
    if (lane == 0) {
        #pragma unroll
        for (int r = 0; r < 16; ++r) {
            const int row = first_row + (thread_row + r / 4 * 16 + r % 4);
            // ... as in finished_product_of_floats
                    // ... as in contraction
                    // ... as in finished_product_of_floats
                    // ... as in contraction
                    if (left > 0) store(y0 + value, v_y0);
                }
            }
        }
    }
}
