// exp(where(index0 == s0, x0, s1) - x1)
// ... shared/types.cu: i64
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_eq_where_sub_exp_f32_axes2
// ... shared/indices.cu: wrap_index, clamp_index, outside_index, divide
// ... shared/bodies.cu: body, element

    const unsigned int count = at.word[0];
    // ... as in misaligned
            const int p0 = divide(i, at.word[4]);
            const int p1 = i - p0 * int(at.word[2]);
            element(y0, index0, x0, x1, s0, s1, at, i, p0, p1);
        }
    } else {
        #pragma unroll 1
        for (unsigned int i = first; i < count; i += 256) {
            const int p0 = divide(i, at.word[4]);
            const int p1 = i - p0 * int(at.word[2]);
            element(y0, index0, x0, x1, s0, s1, at, i, p0, p1);
        }
    }
}
