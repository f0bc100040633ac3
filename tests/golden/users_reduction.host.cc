// reduction(x0)
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/users.host.cc: fabsf, user0_reduction, #line, combine0
// ... shared/heads.host.cc: kiln_reduction_f32_clear0, kiln_reduction_f32_run0, kiln_reduction_f32_each0, kiln_reduction_f32
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body

    // ... as in contiguous
