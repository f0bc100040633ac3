// exp(x0 - max(x0)) / sum(exp(x0 - max(x0)))
// ... shared/helpers.cu: shuffle_down, wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, reads_are_underway, quotient_by_positive_of_column_in_range, is_quotient_in_range
// ... shared/accumulators.cu: max_of, sum_of, finish_0, finish_1, accumulators_0, identity_0, combine, accumulators_1, identity_1
// ... shared/vectors.cu: f32x4, load_f32x4, store, write
// ... shared/heads.cu: layout, kiln_max_sub_exp_sum_div_f32_v4_axes3_persistent_columns16
// ... shared/indices.cu: divide
// ... shared/bodies.cu: element_1, element_2_made, element_2_called, element_2, fast_element_2

    // ... as in finished_product_of_floats
    __shared__ accumulators_0 shared_0[1024];
    __shared__ accumulators_0 totals_0[32];
    __shared__ accumulators_1 shared_1[256];
    __shared__ accumulators_1 totals_1[32];
    float* const slots0 = reinterpret_cast<float*>(dynamic_shared + 0);
    // ... as in contiguous
    const int lane = thread / 8;
    // ... as in finished_distances
    const unsigned int wanted = (block * 8 + thread % 8) * 4;
    // ... as in columns
    const int p0 = divide(value, at.word[6]);
    const int p2 = value - p0 * int(at.word[3]);
    const int lane_of_column = lane % 8;
    const int part_of_column = lane / 8;
    const int first_column = thread % 8 * 4;
    const unsigned int mine = lane_of_column;
    const unsigned int first_of_part = mine + part_of_column * 128;
    #pragma unroll 2
    for (int slot = 0; slot < 8; ++slot) {
        const unsigned int number = first_of_part + (slot + 8) * 8;
        const int p1 = number;
        const unsigned int i = (static_cast<unsigned int>(p0) * int(at.word[2]) + p1) * int(at.word[3]) + p2;
        copy_async<16>(slots0 + (slot * 256 + thread) * 4, x0 + i);
    }
    commit_copies();
    float columns_x0[32];
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int number = first_of_part + u * 8;
        const int p1 = number;
        const unsigned int i = (static_cast<unsigned int>(p0) * int(at.word[2]) + p1) * int(at.word[3]) + p2;
        // ... as in softmax
        for (int k = 0; k < 4; ++k) columns_x0[u * 4 + k] = v_x0.v[k];
    }
    accumulators_0 sum_0[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) sum_0[k] = identity_0();
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int number = first_of_part + u * 8;
        const int p1 = number;
        // ... as in softmax
            one.s0 = columns_x0[u * 4 + k];
            sum_0[k] = combine(sum_0[k], one);
        }
    }
    reads_are_underway();
    wait_copies<0>();
    #pragma unroll 4
    for (int slot = 0; slot < 8; ++slot) {
        const unsigned int number = first_of_part + (slot + 8) * 8;
        const int p1 = number;
        const f32x4 v_x0 = reinterpret_cast<const f32x4&>(slots0[(slot * 256 + thread) * 4]);
        // ... as in softmax
            one.s0 = v_x0.v[k];
            sum_0[k] = combine(sum_0[k], one);
        }
    }
    #pragma unroll
    for (int k = 0; k < 4; ++k) shared_0[lane * 32 + first_column + k] = sum_0[k];
    __syncthreads();
    const int column = thread / 8;
    const int lane_of_sum = thread % 8;
    accumulators_0 total_0 = shared_0[lane_of_sum * 32 + column];
    total_0 = combine(total_0, shared_0[(lane_of_sum + 8) * 32 + column]);
    total_0 = combine(total_0, shared_0[(lane_of_sum + 16) * 32 + column]);
    total_0 = combine(total_0, shared_0[(lane_of_sum + 24) * 32 + column]);
    #pragma unroll
    for (int apart = 4; apart > 0; apart /= 2) total_0 = combine(total_0, shuffle_down(total_0, apart));
    if (lane_of_sum == 0) totals_0[column] = total_0;
    __syncthreads();
    float of_column_t0[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
        accumulators_0 of_all_0 = totals_0[first_column + k];
        of_column_t0[k] = finish_0(of_all_0.s0, reduced);
    }
    float columns_t2[32];
    accumulators_1 sum_1[4];
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int number = first_of_part + u * 8;
        const int p1 = number;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            float t2;
            element_1(columns_x0[u * 4 + k], of_column_t0[k], t2);
            columns_t2[u * 4 + k] = t2;
        }
    }
    #pragma unroll 1
    for (int slot = 0; slot < 8; ++slot) {
        const unsigned int number = first_of_part + (slot + 8) * 8;
        const int p1 = number;
        const f32x4 v_x0 = reinterpret_cast<const f32x4&>(slots0[(slot * 256 + thread) * 4]);
        f32x4 v_t2;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            float t2;
            element_1(v_x0.v[k], of_column_t0[k], t2);
            v_t2.v[k] = t2;
        }
        write(slots0 + (slot * 256 + thread) * 4, v_t2);
    }
    #pragma unroll 1
    for (int turn = 0; turn < 4; ++turn) {
        if (part_of_column == turn) {
            if (turn == 0) {
                #pragma unroll
                for (int k = 0; k < 4; ++k) sum_1[k] = identity_1();
            } else {
                #pragma unroll
                for (int k = 0; k < 4; ++k) sum_1[k] = shared_1[lane_of_column * 32 + first_column + k];
            }
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                const unsigned int number = first_of_part + u * 8;
                const int p1 = number;
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    accumulators_1 one;
                    one.s1 = columns_t2[u * 4 + k];
                    sum_1[k] = combine(sum_1[k], one);
                }
            }
            #pragma unroll 4
            for (int slot = 0; slot < 8; ++slot) {
                const unsigned int number = first_of_part + (slot + 8) * 8;
                const int p1 = number;
                const f32x4 v_t2 = reinterpret_cast<const f32x4&>(slots0[(slot * 256 + thread) * 4]);
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    accumulators_1 one;
                    one.s1 = v_t2.v[k];
                    sum_1[k] = combine(sum_1[k], one);
                }
            }
            #pragma unroll
            for (int k = 0; k < 4; ++k) shared_1[lane_of_column * 32 + first_column + k] = sum_1[k];
        }
        __syncthreads();
    }
    const int column2 = thread / 8;
    const int lane_of_sum2 = thread % 8;
    accumulators_1 total_1 = shared_1[lane_of_sum2 * 32 + column2];
    #pragma unroll
    for (int apart = 4; apart > 0; apart /= 2) total_1 = combine(total_1, shuffle_down(total_1, apart));
    if (lane_of_sum2 == 0) totals_1[column2] = total_1;
    __syncthreads();
    float of_column_t3[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
        accumulators_1 of_all_1 = totals_1[first_column + k];
        of_column_t3[k] = finish_1(of_all_1.s1, reduced);
    }
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int number = first_of_part + u * 8;
        const int p1 = number;
        const unsigned int i = (static_cast<unsigned int>(p0) * int(at.word[2]) + p1) * int(at.word[3]) + p2;
        // ... as in softmax
            fast_element_2(columns_t2[u * 4 + k], of_column_t3[k], t4, in_range);
            v_y0.v[k] = t4;
        }
        if (!in_range) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                float t4;
                element_2(columns_t2[u * 4 + k], of_column_t3[k], t4);
                v_y0.v[k] = t4;
            }
        }
        if (is_there) store(y0 + i, v_y0);
    }
    #pragma unroll 1
    for (int slot = 0; slot < 8; ++slot) {
        const unsigned int number = first_of_part + (slot + 8) * 8;
        const int p1 = number;
        const f32x4 v_t2 = reinterpret_cast<const f32x4&>(slots0[(slot * 256 + thread) * 4]);
        const unsigned int i = (static_cast<unsigned int>(p0) * int(at.word[2]) + p1) * int(at.word[3]) + p2;
        // ... as in softmax
            fast_element_2(v_t2.v[k], of_column_t3[k], t4, in_range);
            v_y0.v[k] = t4;
        }
        if (!in_range) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                float t4;
                element_2(v_t2.v[k], of_column_t3[k], t4);
                v_y0.v[k] = t4;
            }
        }
        if (is_there) store(y0 + i, v_y0);
    }
}
