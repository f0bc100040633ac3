// x0 * x0
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/heads.cu: layout, kiln_mul_f32_axes1
// ... shared/bodies.cu: body

    // ... as in gathered
            const int at_y0 = p0 * int(at.word[3]);
            body(x0[i], y0[at_y0]);
        // ... as in gathered
            const int at_y0 = p0 * int(at.word[3]);
            body(x0[i], y0[at_y0]);
        }
    }
}
