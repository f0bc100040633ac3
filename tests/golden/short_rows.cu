// (x0 * x1) + x2
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_mul_add_f32_axes2
// ... shared/indices.cu: clamp_index, divide
// ... shared/bodies.cu: body, element

    // ... as in from_outside
            element(y0, x0, x1, x2, at, i, p0, p1);
        // ... as in from_outside
            element(y0, x0, x1, x2, at, i, p0, p1);
        }
    }
}
