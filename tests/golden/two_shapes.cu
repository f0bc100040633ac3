// x0 * x1, x1 + x1
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: f32x2, load_f32x2, store
// ... shared/heads.cu: layout, kiln_mul_add_f32_v2_axes2_rows
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    // ... as in broadcast
        f32x2 v_y0;
        f32x2 v_y1;
        #pragma unroll
        for (int k = 0; k < 2; ++k) body(v_x0.v[k], v_x1.v[k], v_y0.v[k], v_y1.v[k]);
        if (is_there) {
            // ... as in several_outputs
        }
    }
}
