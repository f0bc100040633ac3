// reduction(x0)
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: bits_of, float_of, rounded, bf16, f32_from_bf16, bf16_from_f32
// ... shared/users.host.cc: user0_reduction, #line, combine0, __attribute__
// ... shared/heads.host.cc: kiln_reduction_bf16_run0, kiln_reduction_bf16_clear0, kiln_reduction_bf16_each0, kiln_reduction_bf16
// ... shared/moves.host.cc: copy_rows_of_2
// ... shared/bodies.host.cc: body

    // ... as in users_reduction_float16
