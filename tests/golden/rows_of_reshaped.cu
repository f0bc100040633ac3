// sum(x0)
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_sum_f32_axes2
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body
// ... shared/block_reduce.cu: further_on, block_reduce

    // ... as in rows
    const int lane = threadIdx.x % 128;
    // ... as in rows
    const bool is_there = group * 2 + threadIdx.x / 128 < kept;
    const unsigned int value = is_there ? group * 2 + threadIdx.x / 128 : kept - 1;
    // ... as in rows_unaligned
    // ... as in rows
        // ... as in rows_unaligned
                const int x0_0 = int(divide(int(at.word[12]) + p0 * int(at.word[13]) + p1, at.word[11]));
                const int at_x0 = p0 * int(at.word[14]) + p1 * int(at.word[15]) + x0_0 * int(at.word[16]);
                float one_y0;
                body(x0[at_x0], one_y0);
                // ... as in rows
