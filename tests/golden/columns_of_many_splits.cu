// x0 / sum(x0)
// ... shared/types.cu: u32, u64
// ... shared/helpers.cu: wait_for_earlier_kernels, of_block, say_begun, await_begun, init_mbarrier, arrive, wait_mbarrier, store_async
// ... shared/accumulators.cu: sum_of, finish_0, accumulators_0, identity_0, combine
// ... shared/heads.cu: layout, kiln_sum_div_f32_axes2_persistent_columns8_cluster8x2
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: element_1

    __shared__ accumulators_0 shared_0[512];
    // ... as in columns_of_cluster
    __shared__ float of_blocks_0_0[512];
    // ... as in columns_of_cluster
    const int block_of_cluster = blockIdx.x % 8;
    // ... as in contiguous
    const int split = block_of_cluster * 2 + thread / 256;
    const int thread_of_split = thread % 256;
    const int lane = thread_of_split / 32;
    // ... as in columns_of_cluster
    const unsigned int end = least_index(reduced, begin + part_of_split);
    // ... as in columns_of_cluster
        arrive(full_0, 2048);
    }
    say_begun();
    float column_x0[8];
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int number = mine + u * 8;
        // ... as in columns_of_cluster
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int number = mine + u * 8;
        // ... as in columns_of_cluster
    const int first_lane = thread - lane * 32;
    part_0 = combine(combine(combine(shared_0[first_lane], shared_0[first_lane + 128]), combine(shared_0[first_lane + 64], shared_0[first_lane + 192])), combine(combine(shared_0[first_lane + 32], shared_0[first_lane + 160]), combine(shared_0[first_lane + 96], shared_0[first_lane + 224])));
    // ... as in columns_of_cluster
    const int block2 = lane;
    // ... as in columns_of_cluster
    others2.s0 = of_blocks_0_0[thread % 32 + 256];
    accumulators_0 others3;
    others3.s0 = of_blocks_0_0[thread % 32 + 32];
    accumulators_0 others4;
    others4.s0 = of_blocks_0_0[thread % 32 + 288];
    accumulators_0 others5;
    others5.s0 = of_blocks_0_0[thread % 32 + 64];
    accumulators_0 others6;
    others6.s0 = of_blocks_0_0[thread % 32 + 320];
    accumulators_0 others7;
    others7.s0 = of_blocks_0_0[thread % 32 + 96];
    accumulators_0 others8;
    others8.s0 = of_blocks_0_0[thread % 32 + 352];
    accumulators_0 others9;
    others9.s0 = of_blocks_0_0[thread % 32 + 128];
    accumulators_0 others10;
    others10.s0 = of_blocks_0_0[thread % 32 + 384];
    accumulators_0 others11;
    others11.s0 = of_blocks_0_0[thread % 32 + 160];
    accumulators_0 others12;
    others12.s0 = of_blocks_0_0[thread % 32 + 416];
    accumulators_0 others13;
    others13.s0 = of_blocks_0_0[thread % 32 + 192];
    accumulators_0 others14;
    others14.s0 = of_blocks_0_0[thread % 32 + 448];
    accumulators_0 others15;
    others15.s0 = of_blocks_0_0[thread % 32 + 224];
    accumulators_0 others16;
    others16.s0 = of_blocks_0_0[thread % 32 + 480];
    part_0 = combine(combine(combine(combine(combine(identity_0(), others), others2), combine(combine(identity_0(), others9), others10)), combine(combine(combine(identity_0(), others5), others6), combine(combine(identity_0(), others13), others14))), combine(combine(combine(combine(identity_0(), others3), others4), combine(combine(identity_0(), others11), others12)), combine(combine(combine(identity_0(), others7), others8), combine(combine(identity_0(), others15), others16))));
    // ... as in columns_of_cluster
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const unsigned int number = mine + u * 8;
        const float v_x0 = column_x0[u];
        float t1;
        element_1(v_x0, t0, t1);
        // ... as in columns_of_cluster
        if (is_there) y0[i] = t1;
    }
}
