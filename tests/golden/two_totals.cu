// sum(float32(x0)), max(x0)
// ... shared/types.cu: u32
// ... shared/helpers.cu: f16, bits16_of, f32_from_f16, f16_from_f32
// ... shared/accumulators.cu: sum_of, max_of, finish_0, finish_1, accumulators, identity, combine
// ... shared/vectors.cu: f16x4, load_f16x4
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_sum_max_f16_v4_axes1
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body
// ... shared/block_reduce.cu: further_on, block_reduce, is_last_of

    // ... as in total
        f16x4 v_x0[2];
        // ... as in total
                reinterpret_cast<uint2&>(v_x0[u]) = load_f16x4(x0 + i);
            // ... as in total
                    f16 one_y1;
                    body(v_x0[u].v[k], one_y0, one_y1);
                    accumulators one; one.s0 = one_y0; one.s1 = one_y1;
                    // ... as in total
                f16 one_y1;
                body(x0[i], one_y0, one_y1);
                accumulators one; one.s0 = one_y0; one.s1 = one_y1;
                // ... as in total
    f16* const left1 = reinterpret_cast<f16*>(reinterpret_cast<unsigned char*>(left0) + (static_cast<unsigned long long>(kept) * splits * sizeof(float) + 255) / 256 * 256);
    // ... as in total
            left0[split * kept + value + k] = mine[k].s0; left1[split * kept + value + k] = mine[k].s1;
        // ... as in total
                if (other_split < splits) { other[u].s0 = left0[other_split * kept + value + k]; other[u].s1 = left1[other_split * kept + value + k]; }
            // ... as in total
        y1[value] = finish_1(mine[0].s1, reduced);
    }
}
