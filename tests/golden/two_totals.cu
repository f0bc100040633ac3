// float16(sum(float32(x0))), max(x0)
// ... shared/types.cu: u16, u32
// ... shared/helpers.cu: shuffle_down, is_last_of, wait_for_earlier_kernels, f16, bits16_of, f32_from_f16, f16_from_f32, f16_is_next_greater
// ... shared/accumulators.cu: sum_of, max_of, finish_0, finish_1, accumulators, identity, combine
// ... shared/vectors.cu: f16x4, load_f16x4
// ... shared/heads.cu: layout, kiln_sum_max_f16_v4_axes1
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    // ... as in total
        f16x4 v_x0[2];
        // ... as in total
                reinterpret_cast<uint2&>(v_x0[u]) = load_f16x4(x0 + i);
            // ... as in total
                    f16 one_y1;
                    body(v_x0[u].v[k], one_y0, one_y1);
                    // ... as in rows
                    one.s1 = one_y1;
                    // ... as in total
                f16 one_y1;
                body(x0[i], one_y0, one_y1);
                // ... as in rows
                one.s1 = one_y1;
                // ... as in total
    if (lane == 0 && is_there) {
        y0[value] = finish_0(mine.s0, reduced);
        y1[value] = finish_1(mine.s1, reduced);
    }
}
