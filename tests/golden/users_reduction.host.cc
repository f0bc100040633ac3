// reduction(x0)
// ... shared/types.host.cc: i64
// ... shared/users.host.cc: fabsf, user0_reduction, #line, combine0, __attribute__
// ... shared/heads.host.cc: kiln_reduction_f32_clear0, kiln_reduction_f32_run0, kiln_reduction_f32_each0, kiln_reduction_f32
// ... shared/bodies.host.cc: body

    (void)library;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], y0[i]);
}
