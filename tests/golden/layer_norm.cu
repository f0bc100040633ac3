// ((float32(x0) - mean(float32(x0))) * rsqrt(mean(square(float32(x0) - mean(float32(x0)))) + s0)) * x1
// ... shared/helpers.cu: across, shuffle, shuffle_down, wait_for_earlier_kernels, f16, bits16_of, f32_from_f16, anew
// ... shared/accumulators.cu: mean_of, finish_0, finish_1, accumulators_0, identity_0, combine, accumulators_1, identity_1
// ... shared/vectors.cu: f16x4, load_f16x4
// ... shared/heads.cu: layout, kiln_cast_mean2_sub_square_add_rsqrt_mul2_f32_axes2_persistent32
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: element_0, element_1, row_2, element_2

    // ... as in softmax
    // ... as in skewed_rows
    // ... as in softmax
    // ... as in skewed_rows
                float t3;
                element_1(anew(row_x0[u * 4 + k]), t1, t3);
                accumulators_1 one;
                one.s1 = t3;
                // ... as in softmax
    mine_1 = shuffle(mine_1, 0);
    const float t4 = finish_1(mine_1.s1, reduced);
    float t6;
    row_2(s0, t4, t6);
    const int lane_of_warp = lane % 32;
    const int turned = lane_of_warp % 8 * 4 + lane_of_warp / 8;
    const bool is_upper = lane_of_warp / 16 % 2 == 1;
    const int other_lane = is_upper ? lane_of_warp - 16 : lane_of_warp + 16;
    const bool is_upper2 = lane_of_warp / 8 % 2 == 1;
    const int other_lane2 = is_upper2 ? lane_of_warp - 8 : lane_of_warp + 8;
    // ... as in skewed_rows
        float made_y0[4];
        // ... as in skewed_rows
                const int p12 = first;
                const int at_x1 = p12;
                const float v_x1 = x1[at_x1];
                float t8;
                element_2(anew(row_x0[u * 4 + k]), v_x1, t1, t6, t8);
                made_y0[k] = t8;
            }
        }
        const float given = is_upper ? made_y0[0] : made_y0[2];
        const float taken = shuffle(given, other_lane);
        made_y0[0] = is_upper ? taken : made_y0[0];
        made_y0[2] = is_upper ? made_y0[2] : taken;
        const float given2 = is_upper ? made_y0[1] : made_y0[3];
        const float taken2 = shuffle(given2, other_lane);
        made_y0[1] = is_upper ? taken2 : made_y0[1];
        made_y0[3] = is_upper ? made_y0[3] : taken2;
        const float given3 = is_upper2 ? made_y0[0] : made_y0[1];
        const float taken3 = shuffle(given3, other_lane2);
        made_y0[0] = is_upper2 ? taken3 : made_y0[0];
        made_y0[1] = is_upper2 ? made_y0[1] : taken3;
        const float given4 = is_upper2 ? made_y0[2] : made_y0[3];
        const float taken4 = shuffle(given4, other_lane2);
        made_y0[2] = is_upper2 ? taken4 : made_y0[2];
        made_y0[3] = is_upper2 ? made_y0[3] : taken4;
        const unsigned int begin = vector - lane_of_warp * 4 + turned;
        #pragma unroll
        for (int j = 0; j < 4; ++j) {
            const unsigned int first = begin + j * 32;
            if (u < 7 || first < reduced) {
                if (is_there) {
                    const int p12 = first;
                    const unsigned int i2 = static_cast<unsigned int>(p0) * int(at.word[2]) + p12;
                    y0[i2] = made_y0[j];
                }
            }
        }
    }
}
