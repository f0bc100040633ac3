// tanh(dot(float32(x0) * float32(x1)) + x2)
// ... shared/helpers.cu: bits_of, float_of, rounded, wait_for_earlier_kernels, copy_async, copy_async_part, commit_copies, wait_copies, publish_copies, lines_of_group, multiply_lines_bf16, multiply_group_bf16, wait_products, bf16, bits16_of, f32_from_bf16, bf16_from_f32, bf16_add
// ... shared/accumulators.cu: dot_of, finish_1, accumulators_0, identity_0, combine
// ... shared/vectors.cu: bf16x8, store, write, bf16x2
// ... shared/heads.cu: layout, kiln_cast2_mul_dot_add_tanh_bf16_axes3_contraction128x256
// ... shared/indices.cu: least_index, divide
// ... shared/users.cu: finished

    // ... as in finished_product_groups
        #pragma unroll 1
        // ... as in finished_product_groups
