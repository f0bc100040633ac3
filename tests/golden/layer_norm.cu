// ((float32(x0) - mean(float32(x0))) * rsqrt(mean(square(float32(x0) - mean(float32(x0)))) + s0)) * x1
// ... shared/helpers.cu: shuffle, shuffle_down, wait_for_earlier_kernels, f16, bits16_of, f32_from_f16, anew
// ... shared/accumulators.cu: mean_of, finish_0, finish_1, accumulators_0, identity_0, combine, accumulators_1, identity_1
// ... shared/heads.cu: layout, kiln_cast_mean2_sub_square_add_rsqrt_mul2_f32_axes2_persistent32
// ... shared/bodies.cu: element_0, element_1, row_2, element_2

    // ... as in softmax
    // ... as in rows_by_neighbours
    // ... as in softmax
    // ... as in rows_by_neighbours
                float t3;
                element_1(anew(row_x0[u * 4 + k]), t1, t3);
                accumulators_1 one;
                one.s1 = t3;
                part_1[k] = combine(part_1[k], one);
            }
        }
    }
    const int lane_of_warp2 = lane % 32;
    const bool is_upper3 = lane_of_warp2 / 16 % 2 == 1;
    const int other_lane3 = is_upper3 ? lane_of_warp2 - 16 : lane_of_warp2 + 16;
    const bool is_upper4 = lane_of_warp2 / 8 % 2 == 1;
    const int other_lane4 = is_upper4 ? lane_of_warp2 - 8 : lane_of_warp2 + 8;
    const accumulators_1 given5 = is_upper3 ? part_1[0] : part_1[2];
    const accumulators_1 taken5 = shuffle(given5, other_lane3);
    part_1[0] = is_upper3 ? taken5 : part_1[0];
    part_1[2] = is_upper3 ? part_1[2] : taken5;
    const accumulators_1 given6 = is_upper3 ? part_1[1] : part_1[3];
    const accumulators_1 taken6 = shuffle(given6, other_lane3);
    part_1[1] = is_upper3 ? taken6 : part_1[1];
    part_1[3] = is_upper3 ? part_1[3] : taken6;
    const accumulators_1 given7 = is_upper4 ? part_1[0] : part_1[1];
    const accumulators_1 taken7 = shuffle(given7, other_lane4);
    part_1[0] = is_upper4 ? taken7 : part_1[0];
    part_1[1] = is_upper4 ? part_1[1] : taken7;
    const accumulators_1 given8 = is_upper4 ? part_1[2] : part_1[3];
    const accumulators_1 taken8 = shuffle(given8, other_lane4);
    part_1[2] = is_upper4 ? taken8 : part_1[2];
    part_1[3] = is_upper4 ? part_1[3] : taken8;
    // ... as in softmax
    mine_1 = shuffle(mine_1, 0);
    const float t4 = finish_1(mine_1.s1, reduced);
    float t6;
    row_2(s0, t4, t6);
    // ... as in rows_by_neighbours
        float made_y0[4];
        // ... as in rows_by_neighbours
                const float v_x1 = x1[at_x1];
                float t8;
                element_2(anew(row_x0[u * 4 + k]), v_x1, t1, t6, t8);
                made_y0[k] = t8;
            // ... as in rows_by_neighbours
