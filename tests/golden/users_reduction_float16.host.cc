// reduction(x0)
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: bits_of, float_of, store_nontemporal, f16, f32_from_f16, f16_from_f32
// ... shared/users.host.cc: user0_reduction, #line, combine0
// ... shared/heads.host.cc: kiln_reduction_f16_clear0, kiln_reduction_f16_run0, kiln_reduction_f16_each0, kiln_reduction_f16
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body

    // ... as in rounded_steps_of_float16
