// sqrt(float32(x0) - min(float32(x0))), reciprocal((float32(x0) - min(float32(x0))) + float32(x0))
// ... shared/helpers.cu: across, shuffle, shuffle_down, wait_for_earlier_kernels, root_in_range, is_root_in_range, reciprocal_in_range, is_reciprocal_in_range, f16, bits16_of, f32_from_f16, anew
// ... shared/accumulators.cu: min_of, finish_0, accumulators_0, identity_0, combine
// ... shared/vectors.cu: f16x4, load_f16x4
// ... shared/heads.cu: layout, kiln_cast_min_sub_sqrt_add_reciprocal_f32_axes2_persistent32
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: element_0, element_1_results, element_1_exact, element_1

    // ... as in skewed_rows
    // ... as in layer_norm
        float made_y1[4];
        // ... as in layer_norm
                float t3;
                float t5;
                element_1(anew(row_x0[u * 4 + k]), t1, t3, t5);
                made_y0[k] = t3;
                made_y1[k] = t5;
            // ... as in layer_norm
        const int quarter2 = lane_of_warp / 8;
        const int place2 = lane_of_warp & 3;
        float taken2[4];
        #pragma unroll
        for (int r = 0; r < 4; ++r) {
            const float given = ((quarter2 + r) & 3) < 2 ? ((quarter2 + r) & 3) == 0 ? made_y1[0] : made_y1[1] : ((quarter2 + r) & 3) == 2 ? made_y1[2] : made_y1[3];
            taken2[r] = shuffle(given, ((place2 - r) & 3) * 8 + lane_of_warp / 4);
        }
        #pragma unroll
        for (int j = 0; j < 4; ++j) made_y1[j] = ((place2 - j) & 3) < 2 ? ((place2 - j) & 3) == 0 ? taken2[0] : taken2[1] : ((place2 - j) & 3) == 2 ? taken2[2] : taken2[3];
        // ... as in layer_norm
                    y1[i2] = made_y1[j];
                }
            }
        }
    }
}
