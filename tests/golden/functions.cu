// (floor_divide(x0, x0) * sigmoid(x0)) + sin(x0)
// ... shared/helpers.cu: LIBRARY_exp, EXACT_fabs, EXACT_floor, EXACT_copysign, EXACT_fmod, wait_for_earlier_kernels, quotient_by_positive_in_range, logistic, quotient_downwards
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_floor_divide_sigmoid_mul_sin_add_f32_v4

    // ... as in heavy
        // ... as in heavy_float16
        // ... as in heavy
