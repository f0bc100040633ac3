// max(float32(x0) * x1)
// ... shared/types.host.cc: u8, i64
// ... shared/accumulators.host.cc: max_of, finish_0, identity_0, combine_0
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_max_of_cast_mul_f32_axes2_side_by_side

    (void)library;
    // ... as in rows_across
                const i64 at_x0_0 = row * columns * 3;
                const i64 at_x1_0 = 0;
                const float x1_0 = x1[at_x1_0];
                const i64 at_x0_1 = row * columns * 3 + 1;
                const i64 at_x1_1 = 1;
                const float x1_1 = x1[at_x1_1];
                const i64 at_x0_2 = row * columns * 3 + 2;
                const i64 at_x1_2 = 2;
                const float x1_2 = x1[at_x1_2];
                // ... as in values_side_by_side
                    body(x0[at_x0_0 + i * 3], x1_0, of_y0);
                    // ... as in values_side_by_side
                    float of_y02;
                    body(x0[at_x0_1 + i * 3], x1_1, of_y02);
                    float one_y02 = identity_0();
                    one_y02 = of_y02;
                    float of_y03;
                    body(x0[at_x0_2 + i * 3], x1_2, of_y03);
                    float one_y03 = identity_0();
                    one_y03 = of_y03;
                    const float both_y0 = combine_0(one_y0, one_y03);
                    const float both_y02 = combine_0(both_y0, one_y02);
                    y0[first_value + i] = finish_0(combine_0(identity_0(), both_y02), count);
                }
            }
        }
    }
}
