// exp(where(index0 == i64(0ll), x0, s0) - x1)
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/heads.cu: layout, kiln_eq_where_sub_exp_f32_axes2
// ... shared/indices.cu: wrap_index, clamp_index, outside_index, divide
// ... shared/bodies.cu: body

    const unsigned int count = at.word[0];
    // ... as in misaligned
        float all_x0[4];
        float all_x1[4];
        // ... as in misaligned
            const int p0 = divide(i, at.word[4]);
            const int p1 = i - p0 * int(at.word[2]);
            const int x0_0 = clamp_index(int(at.word[10]) + p1, int(at.word[9]));
            const int x0_1 = clamp_index(int(at.word[12]) + p0, int(at.word[11]));
            const int at_x0 = x0_0 + x0_1 * int(at.word[13]);
            all_x0[k] = x0[at_x0];
            const int x1_0 = wrap_index(int(at.word[15]) + p1, int(at.word[14]));
            const int at_x1 = p0 * int(at.word[16]) + x1_0;
            all_x1[k] = x1[at_x1];
        }
        // ... as in misaligned
            const int p0 = divide(i, at.word[4]);
            const int p1 = i - p0 * int(at.word[2]);
            const int index0_0 = outside_index(int(at.word[6]) + p0, int(at.word[5]));
            const int index0_1 = outside_index(int(at.word[8]) + p1, int(at.word[7]));
            // ... as in shifted
            body(index0 + at_index0, all_x0[k], all_x1[k], s0, y0[i]);
        }
    } else {
        #pragma unroll 1
        for (unsigned int i = first; i < count; i += 256) {
            const int p0 = divide(i, at.word[4]);
            const int p1 = i - p0 * int(at.word[2]);
            const int index0_0 = outside_index(int(at.word[6]) + p0, int(at.word[5]));
            const int index0_1 = outside_index(int(at.word[8]) + p1, int(at.word[7]));
            // ... as in shifted
            const int x0_0 = clamp_index(int(at.word[10]) + p1, int(at.word[9]));
            const int x0_1 = clamp_index(int(at.word[12]) + p0, int(at.word[11]));
            const int at_x0 = x0_0 + x0_1 * int(at.word[13]);
            const int x1_0 = wrap_index(int(at.word[15]) + p1, int(at.word[14]));
            const int at_x1 = p0 * int(at.word[16]) + x1_0;
            body(index0 + at_index0, x0[at_x0], x1[at_x1], s0, y0[i]);
        }
    }
}
