// max(dot(float32(x0) * float32(x1)) + x2, s0)
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, copy_async_part, commit_copies, wait_copies, load_tile, multiply_tile_f16, f16, bits16_of, f32_from_f16, f16_from_f32, f16_add
// ... shared/accumulators.cu: dot_of, finish_1, accumulators_0, identity_0, combine
// ... shared/vectors.cu: f16x2, store, f16x8, write
// ... shared/heads.cu: layout, kiln_cast2_mul_dot_add_max_f16_axes3_contraction128x64
// ... shared/indices.cu: least_index, divide
// ... shared/users.cu: finished

    // ... as in tensor_contraction
                    accumulators_0 part;
                    part.s1 = sums[i / 2 * 16 + j * 4 + i % 2 * 2 + k];
                    const int beside2 = least_index(column + k, int(at.word[3]) - 1);
                    const f16 sum = finish_1(part.s1, int(at.word[2]));
                    const int at_x2 = beside2;
                    f16 t;
                    finished(x2[at_x2], s0, sum, t);
                    pair.v[k] = t;
                // ... as in tensor_contraction
