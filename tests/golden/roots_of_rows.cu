// sqrt(float32(x0) - min(float32(x0))), reciprocal((float32(x0) - min(float32(x0))) + float32(x0))
// ... shared/helpers.cu: across, shuffle, shuffle_down, wait_for_earlier_kernels, root_in_range, is_root_in_range, reciprocal_in_range, is_reciprocal_in_range, f16, bits16_of, f32_from_f16, anew
// ... shared/accumulators.cu: min_of, finish_0, accumulators_0, identity_0, combine
// ... shared/vectors.cu: f16x4, load_f16x4
// ... shared/heads.cu: layout, kiln_cast_min_sub_sqrt_add_reciprocal_f32_axes2_persistent32
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: element_0, element_1_results, element_1_exact, element_1_made, element_1_called, element_1, fast_element_1

    // ... as in skewed_rows
    // ... as in layer_norm
        float made_y1[4];
        // ... as in softmax
            // ... as in layer_norm
                float t3;
                float t5;
                fast_element_1(anew(row_x0[u * 4 + k]), t1, t3, t5, in_range);
                made_y0[k] = t3;
                made_y1[k] = t5;
            }
        }
        if (!in_range) {
            // ... as in layer_norm
                    float t3;
                    float t5;
                    element_1(anew(row_x0[u * 4 + k]), t1, t3, t5);
                    made_y0[k] = t3;
                    made_y1[k] = t5;
                }
            // ... as in layer_norm
        const float given5 = is_upper ? made_y1[0] : made_y1[2];
        const float taken5 = shuffle(given5, other_lane);
        made_y1[0] = is_upper ? taken5 : made_y1[0];
        made_y1[2] = is_upper ? made_y1[2] : taken5;
        const float given6 = is_upper ? made_y1[1] : made_y1[3];
        const float taken6 = shuffle(given6, other_lane);
        made_y1[1] = is_upper ? taken6 : made_y1[1];
        made_y1[3] = is_upper ? made_y1[3] : taken6;
        const float given7 = is_upper2 ? made_y1[0] : made_y1[1];
        const float taken7 = shuffle(given7, other_lane2);
        made_y1[0] = is_upper2 ? taken7 : made_y1[0];
        made_y1[1] = is_upper2 ? made_y1[1] : taken7;
        const float given8 = is_upper2 ? made_y1[2] : made_y1[3];
        const float taken8 = shuffle(given8, other_lane2);
        made_y1[2] = is_upper2 ? taken8 : made_y1[2];
        made_y1[3] = is_upper2 ? made_y1[3] : taken8;
        // ... as in layer_norm
                    y1[i2] = made_y1[j];
                }
            }
        }
    }
}
