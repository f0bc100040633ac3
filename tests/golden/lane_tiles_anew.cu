// sum(reciprocal(sqrt((x0 - x1) * (x0 - x1)))), sum(reciprocal(sqrt((x0 - x1) * (x0 - x1))) * (x0 - x1)), sum(reciprocal(sqrt((x0 - x1) * (x0 - x1))) * reciprocal(sqrt((x0 - x1) * (x0 - x1))))
// ... shared/helpers.cu: shuffle, wait_for_earlier_kernels, root_in_range, root_of_any, reciprocal_in_range, reciprocal_of_root, is_scalar_in_range, is_quotient_by_root_in_range
// ... shared/accumulators.cu: sum_of, finish_0, finish_1, finish_2, accumulators, identity, combine
// ... shared/heads.cu: layout, kiln_sum_sum_sum_of_sub_mul3_sqrt_reciprocal_f32_v4_axes2_values4_lane_tiles
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: body, fast_body

    // ... as in lane_tiles
