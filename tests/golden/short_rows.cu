// (x0 * x1) + x2
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/heads.cu: layout, kiln_mul_add_f32_axes2
// ... shared/indices.cu: clamp_index, divide
// ... shared/bodies.cu: body

    // ... as in gathered_from_reshaped
            const int at_x1 = p0;
            const int x2_0 = clamp_index(int(at.word[6]) + p0, int(at.word[5]));
            const int at_x2 = p1 + x2_0 * int(at.word[7]);
            body(x0[at_x0], x1[at_x1], x2[at_x2], y0[i]);
        // ... as in gathered_from_reshaped
            const int at_x1 = p0;
            const int x2_0 = clamp_index(int(at.word[6]) + p0, int(at.word[5]));
            const int at_x2 = p1 + x2_0 * int(at.word[7]);
            body(x0[at_x0], x1[at_x1], x2[at_x2], y0[i]);
        }
    }
}
