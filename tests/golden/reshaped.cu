// exp(x0)
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_exp_f32_axes1
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body, element

    // ... as in gathered
            element(y0, x0, at, i, p0);
        // ... as in gathered
            element(y0, x0, at, i, p0);
        }
    }
}
