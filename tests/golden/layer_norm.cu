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
        const int lane_of_warp = lane % 32;
        const int quarter = lane_of_warp / 8;
        const int place = lane_of_warp & 3;
        float taken[4];
        #pragma unroll
        for (int r = 0; r < 4; ++r) {
            const float given = ((quarter + r) & 3) < 2 ? ((quarter + r) & 3) == 0 ? made_y0[0] : made_y0[1] : ((quarter + r) & 3) == 2 ? made_y0[2] : made_y0[3];
            taken[r] = shuffle(given, ((place - r) & 3) * 8 + lane_of_warp / 4);
        }
        #pragma unroll
        for (int j = 0; j < 4; ++j) made_y0[j] = ((place - j) & 3) < 2 ? ((place - j) & 3) == 0 ? taken[0] : taken[1] : ((place - j) & 3) == 2 ? taken[2] : taken[3];
        const unsigned int begin = vector - lane_of_warp * 4 + lane_of_warp;
        #pragma unroll
        for (int j = 0; j < 4; ++j) {
            const unsigned int first = begin + j * 32;
            if (u < 4 || first < reduced) {
                if (is_there) {
                    const int p12 = first;
                    const unsigned int i2 = static_cast<unsigned int>(p0) * int(at.word[2]) + p12;
                    y0[i2] = made_y0[j];
                }
            }
        }
    }
}
