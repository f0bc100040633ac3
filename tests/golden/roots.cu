// sqrt(x0), reciprocal((x0 * sqrt(x0)) + x0), x0 / (abs(x0) * sqrt(abs(x0)))
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_sqrt2_mul2_add_reciprocal_abs_div_f32_v4

    // ... as in contiguous
    f32x4 v_y1;
    f32x4 v_y2;
    #pragma unroll
    for (int k = 0; k < 4; ++k) body(v_x0.v[k], v_y0.v[k], v_y1.v[k], v_y2.v[k]);
    // ... as in several_outputs
        store(y2 + first, v_y2);
    } else {
        #pragma unroll
        for (int k = 0; k < 3; ++k) {
            if (first + k < count) {
                y0[first + k] = v_y0.v[k];
                y1[first + k] = v_y1.v[k];
                y2[first + k] = v_y2.v[k];
            }
        }
    }
}
