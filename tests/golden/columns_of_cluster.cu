// (x0 - mean(x0)) / sqrt(mean(square(x0 - mean(x0))))
// ... shared/types.cu: u32, u64
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, of_block, say_begun, await_begun, init_mbarrier, arrive, wait_mbarrier, store_async, root_in_range, is_root_in_range, quotient_by_positive_of_column_in_range, is_quotient_in_range
// ... shared/accumulators.cu: mean_of, finish_0, finish_1, accumulators_0, identity_0, combine, accumulators_1, identity_1
// ... shared/vectors.cu: f32x4, store
// ... shared/heads.cu: layout, kiln_mean2_sub_square_sqrt_div_f32_v1_axes2_persistent_columns64_cluster8
// ... shared/bodies.cu: element_1, row_2, fast_row_2, element_2, fast_element_2

    // ... as in finished_product_of_floats
    __shared__ accumulators_0 shared_0[256];
    __shared__ unsigned long long full_0[1];
    __shared__ float of_blocks_0_0[256];
    // ... as in softmax_of_columns
    __shared__ unsigned long long full_1[1];
    __shared__ float of_blocks_1_1[256];
    // ... as in softmax_of_columns
    __shared__ float columns_t0[32];
    __shared__ float columns_t4[32];
    const unsigned int block = blockIdx.x / 8;
    const int split = blockIdx.x % 8;
    // ... as in contiguous
    // ... as in columns
    const unsigned int wanted = block * 32 + thread % 32;
    // ... as in columns_unaligned
    const unsigned int end = split + 1 == 8 ? reduced : begin + part_of_split;
    const int p1 = value;
    const unsigned int mine = begin + lane;
    // ... as in softmax_of_columns
    const int first_row = thread / 8;
    const unsigned int wanted_vector = block * 32 + first_column;
    const bool vector_is_there = wanted_vector < kept;
    const unsigned int vector_of_values = vector_is_there ? wanted_vector : kept - 4;
    const int p12 = vector_of_values;
    if (thread == 0) {
        init_mbarrier(full_0, 1);
        arrive(full_0, 1024);
        init_mbarrier(full_1, 1);
        arrive(full_1, 1024);
    }
    say_begun();
    #pragma unroll 8
    for (int row = first_row; row < 128; row += 32) {
        const unsigned int number = begin + row;
        const int p0 = number;
        const unsigned int i = static_cast<unsigned int>(p0) * int(at.word[2]) + p12;
        copy_async<16>(slots0 + (row * 32 + first_column), x0 + i);
    }
    commit_copies();
    #pragma unroll 8
    for (int row = first_row + 128; row < 256; row += 32) {
        const unsigned int number = begin + row;
        const int p0 = number;
        const unsigned int i = static_cast<unsigned int>(p0) * int(at.word[2]) + p12;
        copy_async<16>(slots0 + (row * 32 + first_column), x0 + i);
    }
    commit_copies();
    float column_x0[32];
    #pragma unroll
    for (int u = 0; u < 32; ++u) {
        const unsigned int number = mine + (u + 32) * 8;
        const int p0 = number;
        // ... as in rows
        column_x0[u] = x0[i];
    }
    accumulators_0 part_0 = identity_0();
    wait_copies<1>();
    __syncthreads();
    #pragma unroll 16
    for (int slot = 0; slot < 16; ++slot) {
        const unsigned int number = mine + slot * 8;
        const float v_x0 = slots0[slot * 256 + thread];
        accumulators_0 one;
        one.s0 = v_x0;
        part_0 = combine(part_0, one);
    }
    wait_copies<0>();
    __syncthreads();
    #pragma unroll 16
    for (int slot = 16; slot < 32; ++slot) {
        const unsigned int number = mine + slot * 8;
        const float v_x0 = slots0[slot * 256 + thread];
        accumulators_0 one;
        one.s0 = v_x0;
        part_0 = combine(part_0, one);
    }
    #pragma unroll
    for (int u = 0; u < 32; ++u) {
        const unsigned int number = mine + (u + 32) * 8;
        const float v_x0 = column_x0[u];
        accumulators_0 one;
        one.s0 = v_x0;
        part_0 = combine(part_0, one);
    }
    await_begun();
    shared_0[thread] = part_0;
    __syncthreads();
    part_0 = combine(combine(combine(shared_0[thread % 32], shared_0[thread % 32 + 128]), combine(shared_0[thread % 32 + 64], shared_0[thread % 32 + 192])), combine(combine(shared_0[thread % 32 + 32], shared_0[thread % 32 + 160]), combine(shared_0[thread % 32 + 96], shared_0[thread % 32 + 224])));
    const int from = split * 32 + thread % 32;
    const int block2 = thread / 32;
    store_async(of_block(of_blocks_0_0 + from, block2), part_0.s0, of_block(full_0, block2));
    wait_mbarrier(full_0, 0);
    accumulators_0 others;
    others.s0 = of_blocks_0_0[thread % 32];
    accumulators_0 others2;
    others2.s0 = of_blocks_0_0[thread % 32 + 32];
    accumulators_0 others3;
    others3.s0 = of_blocks_0_0[thread % 32 + 64];
    accumulators_0 others4;
    others4.s0 = of_blocks_0_0[thread % 32 + 96];
    accumulators_0 others5;
    others5.s0 = of_blocks_0_0[thread % 32 + 128];
    accumulators_0 others6;
    others6.s0 = of_blocks_0_0[thread % 32 + 160];
    accumulators_0 others7;
    others7.s0 = of_blocks_0_0[thread % 32 + 192];
    accumulators_0 others8;
    others8.s0 = of_blocks_0_0[thread % 32 + 224];
    part_0 = combine(combine(combine(combine(identity_0(), others), combine(identity_0(), others5)), combine(combine(identity_0(), others3), combine(identity_0(), others7))), combine(combine(combine(identity_0(), others2), combine(identity_0(), others6)), combine(combine(identity_0(), others4), combine(identity_0(), others8))));
    const float t0 = finish_0(part_0.s0, reduced);
    accumulators_1 part_1 = identity_1();
    #pragma unroll 16
    for (int slot = 0; slot < 32; ++slot) {
        const unsigned int number = mine + slot * 8;
        const float v_x0 = slots0[slot * 256 + thread];
        float t2;
        element_1(v_x0, t0, t2);
        accumulators_1 one;
        one.s1 = t2;
        part_1 = combine(part_1, one);
    }
    #pragma unroll
    for (int u = 0; u < 32; ++u) {
        const unsigned int number = mine + (u + 32) * 8;
        const float v_x0 = column_x0[u];
        float t2;
        element_1(v_x0, t0, t2);
        accumulators_1 one;
        one.s1 = t2;
        part_1 = combine(part_1, one);
    }
    shared_1[thread] = part_1;
    __syncthreads();
    part_1 = combine(combine(combine(shared_1[thread % 32], shared_1[thread % 32 + 128]), combine(shared_1[thread % 32 + 64], shared_1[thread % 32 + 192])), combine(combine(shared_1[thread % 32 + 32], shared_1[thread % 32 + 160]), combine(shared_1[thread % 32 + 96], shared_1[thread % 32 + 224])));
    const int from2 = split * 32 + thread % 32;
    const int block3 = thread / 32;
    store_async(of_block(of_blocks_1_1 + from2, block3), part_1.s1, of_block(full_1, block3));
    wait_mbarrier(full_1, 0);
    accumulators_1 others9;
    others9.s1 = of_blocks_1_1[thread % 32];
    accumulators_1 others10;
    others10.s1 = of_blocks_1_1[thread % 32 + 32];
    accumulators_1 others11;
    others11.s1 = of_blocks_1_1[thread % 32 + 64];
    accumulators_1 others12;
    others12.s1 = of_blocks_1_1[thread % 32 + 96];
    accumulators_1 others13;
    others13.s1 = of_blocks_1_1[thread % 32 + 128];
    accumulators_1 others14;
    others14.s1 = of_blocks_1_1[thread % 32 + 160];
    accumulators_1 others15;
    others15.s1 = of_blocks_1_1[thread % 32 + 192];
    accumulators_1 others16;
    others16.s1 = of_blocks_1_1[thread % 32 + 224];
    part_1 = combine(combine(combine(combine(identity_1(), others9), combine(identity_1(), others13)), combine(combine(identity_1(), others11), combine(identity_1(), others15))), combine(combine(combine(identity_1(), others10), combine(identity_1(), others14)), combine(combine(identity_1(), others12), combine(identity_1(), others16))));
    const float t3 = finish_1(part_1.s1, reduced);
    float t4;
    row_2(t3, t4);
    if (thread < 32) {
        columns_t0[thread] = t0;
        columns_t4[thread] = t4;
    }
    // ... as in softmax_of_columns
    float of_column_t4[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
        of_column_t0[k] = columns_t0[first_column + k];
        of_column_t4[k] = columns_t4[first_column + k];
    }
    #pragma unroll 4
    for (int row = first_row; row < 256; row += 32) {
        const unsigned int number = begin + row;
        const int p0 = number;
        const f32x4 v_x0 = reinterpret_cast<const f32x4&>(slots0[row * 32 + first_column]);
        const unsigned int i = static_cast<unsigned int>(p0) * int(at.word[2]) + p12;
        // ... as in softmax
            float t5;
            fast_element_2(v_x0.v[k], of_column_t0[k], of_column_t4[k], t5, in_range);
            v_y0.v[k] = t5;
        }
        if (!in_range) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                float t5;
                element_2(v_x0.v[k], of_column_t0[k], of_column_t4[k], t5);
                v_y0.v[k] = t5;
            }
        }
        if (vector_is_there) store(y0 + i, v_y0);
    }
    #pragma unroll
    for (int u = 0; u < 32; ++u) {
        const unsigned int number = mine + (u + 32) * 8;
        const float v_x0 = column_x0[u];
        float t5;
        element_2(v_x0, t0, t4, t5);
        const int p0 = number;
        // ... as in rows
        if (is_there) y0[i] = t5;
    }
}
