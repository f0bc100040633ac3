// reduction(x0)
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: bits_of, float_of, f16, f32_from_f16, f16_from_f32
// ... shared/users.host.cc: user0_reduction, #line, combine0, __attribute__
// ... shared/heads.host.cc: kiln_reduction_f16_clear0, kiln_reduction_f16_run0, kiln_reduction_f16_each0, kiln_reduction_f16
// ... shared/bodies.host.cc: body

    // ... as in users_reduction
