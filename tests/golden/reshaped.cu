// exp(x0)
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/heads.cu: layout, kiln_exp_f32_axes1
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    // ... as in from_outside
        // ... as in gathered
            const int x0_0 = static_cast<int>(divide(int(at.word[5]) + p0, at.word[4]));
            const int at_x0 = p0 * int(at.word[6]) + x0_0 * int(at.word[7]);
            all_x0[k] = x0[at_x0];
        // ... as in from_outside
            const int p0 = i;
            body(all_x0[k], y0[i]);
        // ... as in gathered
            const int x0_0 = static_cast<int>(divide(int(at.word[5]) + p0, at.word[4]));
            const int at_x0 = p0 * int(at.word[6]) + x0_0 * int(at.word[7]);
            body(x0[at_x0], y0[i]);
        }
    }
}
