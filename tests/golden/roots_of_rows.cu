// sqrt(float32(x0) - min(float32(x0))), reciprocal((float32(x0) - min(float32(x0))) + float32(x0))
// ... shared/helpers.cu: shuffle, shuffle_down, wait_for_earlier_kernels, root_in_range, is_root_in_range, reciprocal_in_range, is_reciprocal_in_range, f16, bits16_of, f32_from_f16
// ... shared/accumulators.cu: min_of, finish_0, accumulators_0, identity_0, combine
// ... shared/heads.cu: layout, kiln_cast_min_sub_sqrt_add_reciprocal_f32_axes2_persistent32
// ... shared/bodies.cu: element_0, element_1_results, element_1_exact, element_1

    // ... as in softmax
    // ... as in layer_norm
                float t3;
                float t5;
                element_1(row_t0[u * 4 + k], t1, t3, t5);
                // ... as in rows
                if (is_there) y0[i] = t3;
                if (is_there) y1[i] = t5;
            }
        }
    }
}
