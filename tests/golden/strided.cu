// exp(x0 * x1)
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/heads.cu: layout, kiln_mul_exp_f32_axes3
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    // ... as in from_outside
            const unsigned int rest1 = divide(i, at.word[6]);
            const int p2 = i - rest1 * int(at.word[3]);
            const int p0 = divide(rest1, at.word[5]);
            const int p1 = rest1 - p0 * int(at.word[2]);
            const int at_x0 = p0 * int(at.word[7]) + p1 * int(at.word[8]) + p2 * int(at.word[9]);
            all_x0[k] = x0[at_x0];
            all_x1[k] = x1[i];
        // ... as in from_outside
            const unsigned int rest1 = divide(i, at.word[6]);
            const int p2 = i - rest1 * int(at.word[3]);
            const int p0 = divide(rest1, at.word[5]);
            const int p1 = rest1 - p0 * int(at.word[2]);
            body(all_x0[k], all_x1[k], y0[i]);
        // ... as in from_outside
            const unsigned int rest1 = divide(i, at.word[6]);
            const int p2 = i - rest1 * int(at.word[3]);
            const int p0 = divide(rest1, at.word[5]);
            const int p1 = rest1 - p0 * int(at.word[2]);
            const int at_x0 = p0 * int(at.word[7]) + p1 * int(at.word[8]) + p2 * int(at.word[9]);
            body(x0[at_x0], x1[i], y0[i]);
        }
    }
}
