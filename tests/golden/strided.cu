// exp(x0 * x1)
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_mul_exp_f32_axes3
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body, element

    // ... as in from_outside
            const unsigned int rest1 = divide(i, at.word[6]);
            const int p2 = i - rest1 * int(at.word[3]);
            const int p0 = divide(rest1, at.word[5]);
            const int p1 = rest1 - p0 * int(at.word[2]);
            element(y0, x0, x1, at, i, p0, p1, p2);
        // ... as in from_outside
            const unsigned int rest1 = divide(i, at.word[6]);
            const int p2 = i - rest1 * int(at.word[3]);
            const int p0 = divide(rest1, at.word[5]);
            const int p1 = rest1 - p0 * int(at.word[2]);
            element(y0, x0, x1, at, i, p0, p1, p2);
        }
    }
}
