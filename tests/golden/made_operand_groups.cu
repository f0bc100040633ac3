// dot(float32(x0) * float32(x1 * s0))
// ... shared/helpers.cu: bits_of, float_of, rounded, wait_for_earlier_kernels, copy_async, copy_async_part, commit_copies, wait_copies, publish_copies, lines_of_group, multiply_lines_bf16, multiply_group_bf16, wait_products, bf16, bits16_of, f32_from_bf16, bf16_from_f32, bf16_mul
// ... shared/accumulators.cu: dot_of, finish_1, accumulators_0, identity_0, combine
// ... shared/vectors.cu: bf16x8, load_bf16x8, store, write, bf16x2
// ... shared/heads.cu: layout, kiln_cast2_mul2_dot_bf16_axes3_contraction128x256
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: make_x1

    // ... as in tensor_contraction_groups
    uint4 next_of_x1[8];
    if (in_line_of_x1 < int(at.word[2])) {
        #pragma unroll
        for (int u = 0; u < 8; ++u) next_of_x1[u] = load_bf16x8(x1 + places_of_x1[u]);
    // ... as in made_operand
            // ... as in tensor_contraction_groups
                const bf16x8 v_x1 = reinterpret_cast<const bf16x8&>(next_of_x1[u]);
                bf16x8 made;
                #pragma unroll
                for (int k2 = 0; k2 < 8; ++k2) make_x1(v_x1.v[k2], s0, made.v[k2]);
                write(shared_x1 + (s * 16384 + (place_of_x1 + u * 2048)), made);
            // ... as in tensor_contraction_groups
                    const bf16x8 v_x1 = reinterpret_cast<const bf16x8&>(next_of_x1[u]);
                    bf16x8 made;
                    #pragma unroll
                    for (int k2 = 0; k2 < 8; ++k2) {
                        if (k2 < least_index(left2, 8)) {
                            make_x1(v_x1.v[k2], s0, made.v[k2]);
                        } else {
                            made.v[k2] = {};
                        }
                    }
                    write(shared_x1 + (s * 16384 + (place_of_x1 + u * 2048)), made);
                // ... as in tensor_contraction_groups
        if (k + 64 + in_line_of_x1 < int(at.word[2])) {
            #pragma unroll
            for (int u = 0; u < 8; ++u) next_of_x1[u] = load_bf16x8(x1 + places_of_x1[u]);
        }
        // ... as in tensor_contraction_groups
                const bf16x8 v_x1 = reinterpret_cast<const bf16x8&>(next_of_x1[u]);
                bf16x8 made;
                #pragma unroll
                for (int k2 = 0; k2 < 8; ++k2) make_x1(v_x1.v[k2], s0, made.v[k2]);
                write(shared_x1 + (filled * 16384 + (place_of_x1 + u * 2048)), made);
            // ... as in tensor_contraction_groups
                    const bf16x8 v_x1 = reinterpret_cast<const bf16x8&>(next_of_x1[u]);
                    bf16x8 made;
                    #pragma unroll
                    for (int k2 = 0; k2 < 8; ++k2) {
                        if (k2 < least_index(left2, 8)) {
                            make_x1(v_x1.v[k2], s0, made.v[k2]);
                        } else {
                            made.v[k2] = {};
                        }
                    }
                    write(shared_x1 + (filled * 16384 + (place_of_x1 + u * 2048)), made);
                // ... as in tensor_contraction_groups
        if (k + 64 + in_line_of_x1 < int(at.word[2])) {
            #pragma unroll
            for (int u = 0; u < 8; ++u) next_of_x1[u] = load_bf16x8(x1 + places_of_x1[u]);
        }
        // ... as in finished_product_groups
                    values.v[k] = sum;
                // ... as in finished_product_groups
