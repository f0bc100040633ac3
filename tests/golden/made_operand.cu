// dot(float32(max(x0, s0)) * float32(x1))
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, load_tile, multiply_tile_f16, f16, bits16_of, f32_from_f16, f16_from_f32
// ... shared/accumulators.cu: dot_of, finish_1, accumulators_0, identity_0, combine
// ... shared/vectors.cu: f16x2, store, f16x8, load_f16x8, write
// ... shared/heads.cu: layout, kiln_max_cast2_mul_dot_f16_axes3_contraction128x64
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: make_x0

    // ... as in tensor_contraction
    uint4 next_of_x0[8];
    // ... as in tensor_contraction
    if (in_line_of_x0 < int(at.word[2])) {
        #pragma unroll
        for (int u = 0; u < 8; ++u) next_of_x0[u] = load_f16x8(x0 + places_of_x0[u]);
    }
    #pragma unroll 1
    // ... as in tensor_contraction
                const f16x8 v_x0 = reinterpret_cast<const f16x8&>(next_of_x0[u]);
                f16x8 made;
                #pragma unroll
                for (int k2 = 0; k2 < 8; ++k2) make_x0(v_x0.v[k2], s0, made.v[k2]);
                write(shared_x0 + (s * 9216 + ((line_of_x0 + u * 16) * 72 + in_line_of_x0)), made);
            // ... as in tensor_contraction
                    const f16x8 v_x0 = reinterpret_cast<const f16x8&>(next_of_x0[u]);
                    f16x8 made;
                    #pragma unroll
                    for (int k2 = 0; k2 < 8; ++k2) {
                        if (k2 < least_index(left, 8)) {
                            make_x0(v_x0.v[k2], s0, made.v[k2]);
                        } else {
                            made.v[k2] = {};
                        }
                    }
                    write(shared_x0 + (s * 9216 + ((line_of_x0 + u * 16) * 72 + in_line_of_x0)), made);
                // ... as in tensor_contraction
        if (k + 64 + in_line_of_x0 < int(at.word[2])) {
            #pragma unroll
            for (int u = 0; u < 8; ++u) next_of_x0[u] = load_f16x8(x0 + places_of_x0[u]);
        }
        // ... as in tensor_contraction
                const f16x8 v_x0 = reinterpret_cast<const f16x8&>(next_of_x0[u]);
                f16x8 made;
                #pragma unroll
                for (int k2 = 0; k2 < 8; ++k2) make_x0(v_x0.v[k2], s0, made.v[k2]);
                write(shared_x0 + (filled * 9216 + ((line_of_x0 + u * 16) * 72 + in_line_of_x0)), made);
            // ... as in tensor_contraction
                    const f16x8 v_x0 = reinterpret_cast<const f16x8&>(next_of_x0[u]);
                    f16x8 made;
                    #pragma unroll
                    for (int k2 = 0; k2 < 8; ++k2) {
                        if (k2 < least_index(left, 8)) {
                            make_x0(v_x0.v[k2], s0, made.v[k2]);
                        } else {
                            made.v[k2] = {};
                        }
                    }
                    write(shared_x0 + (filled * 9216 + ((line_of_x0 + u * 16) * 72 + in_line_of_x0)), made);
                // ... as in tensor_contraction
        if (k + 64 + in_line_of_x0 < int(at.word[2])) {
            #pragma unroll
            for (int u = 0; u < 8; ++u) next_of_x0[u] = load_f16x8(x0 + places_of_x0[u]);
        // ... as in tensor_contraction_turned
        // ... as in finished_product
                    pair.v[k] = sum;
                // ... as in tensor_contraction
