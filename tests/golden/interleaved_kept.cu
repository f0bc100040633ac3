// rint(sum(float32(x0) * x1))
// ... shared/types.cu: u8
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators_0, identity_0, combine
// ... shared/vectors.cu: u8x4, load_u8x4, f32x4, store
// ... shared/heads.cu: layout, kiln_cast_mul_sum_rint_f32_v4_axes2_persistent4_values4
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: element_0, row_1

    // ... as in interleaved
        // ... as in finished_distances
        for (int e = 0; e < 3; ++e) {
            float t1;
            element_0(v_x0[(r * 3 + e) / 4].v[(r * 3 + e) % 4], v_x1[e], t1);
            accumulators_0 one;
            one.s0 = t1;
            part_0[e % 4] = combine(part_0[e % 4], one);
        // ... as in finished_distances
        const float t2 = finish_0(mine_0.s0, 3);
        float t3;
        row_1(t2, t3);
        v_y0[r / 4].v[r % 4] = t3;
    // ... as in interleaved
