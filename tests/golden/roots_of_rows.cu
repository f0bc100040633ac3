// sqrt(float32(x0) - min(float32(x0))), reciprocal((float32(x0) - min(float32(x0))) + float32(x0))
// ... shared/helpers.cu: shuffle, shuffle_down, wait_for_earlier_kernels, root_in_range, is_root_in_range, reciprocal_in_range, is_reciprocal_in_range, f16, bits16_of, f32_from_f16, anew
// ... shared/accumulators.cu: min_of, finish_0, accumulators_0, identity_0, combine
// ... shared/heads.cu: layout, kiln_cast_min_sub_sqrt_add_reciprocal_f32_axes2_persistent32
// ... shared/bodies.cu: element_0, element_1_results, element_1_exact, element_1_made, element_1_called, element_1, fast_element_1

    // ... as in rows_by_neighbours
        float made_y0[4];
        float made_y1[4];
        // ... as in softmax
            // ... as in rows_by_neighbours
                float t3;
                float t5;
                fast_element_1(anew(row_x0[u * 4 + k]), t1, t3, t5, in_range);
                made_y0[k] = t3;
                made_y1[k] = t5;
            }
        }
        if (!in_range) {
            // ... as in rows_by_neighbours
                    float t3;
                    float t5;
                    element_1(anew(row_x0[u * 4 + k]), t1, t3, t5);
                    made_y0[k] = t3;
                    made_y1[k] = t5;
                }
            // ... as in rows_by_neighbours
                    y1[begin + (u * 128 + k * 32)] = made_y1[k];
                }
            }
        }
    }
}
