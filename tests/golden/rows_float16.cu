// min(x0)
// ... shared/types.cu: u16
// ... shared/helpers.cu: shuffle_down, wait_for_earlier_kernels, f16, bits16_of, f32_from_f16, f16_from_f32, f16_is_next_less
// ... shared/accumulators.cu: min_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f16x4, load_f16x4
// ... shared/heads.cu: layout, kiln_min_f16_v4_axes2
// ... shared/bodies.cu: body

    // ... as in rows
        f16x4 v_x0[4];
        // ... as in rows
                v_x0[u] = load_f16x4(x0 + i);
            // ... as in rows
                    f16 one_y0;
                    // ... as in rows
                f16 one_y0;
                // ... as in rows
