// max(x0)
// ... shared/types.cu: u16
// ... shared/helpers.cu: bits_of, float_of, rounded, shuffle_down, wait_for_earlier_kernels, bf16, bits16_of, f32_from_bf16, bf16_from_f32, bf16_is_next_greater
// ... shared/accumulators.cu: max_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: bf16x4, load_bf16x4
// ... shared/heads.cu: layout, kiln_max_bf16_v4_axes2
// ... shared/bodies.cu: body

    // ... as in rows
        bf16x4 v_x0[4];
        // ... as in rows
                v_x0[u] = load_bf16x4(x0 + i);
            // ... as in rows
                    bf16 one_y0;
                    // ... as in rows
                bf16 one_y0;
                // ... as in rows
