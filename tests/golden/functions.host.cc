// (floor_divide(x0, x0) * sigmoid(x0)) + sin(x0)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: exp_f32, exp_f64, sin_f32
// ... shared/helpers.host.cc: LIBRARY_exp, EXACT_fabs, EXACT_floor, EXACT_copysign, EXACT_fmod, quotient_downwards, logistic
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_floor_divide_sigmoid_mul_sin_add_f32

    // ... as in complex
