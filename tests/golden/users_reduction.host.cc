// reduction(x0)
// ... shared/types.host.cc: i64
// ... shared/users.host.cc: fabsf, user0_reduction, #line, combine0, __attribute__
// ... shared/heads.host.cc: kiln_reduction_f32_run0, kiln_reduction_f32_clear0, kiln_reduction_f32_each0, kiln_reduction_f32
// ... shared/moves.host.cc: copy_rows_of_4
// ... shared/bodies.host.cc: body

    const i64 count2 = end - begin;
    copy_rows_of_4(library, y0 + begin, x0 + begin, 1, count2, count2);
}
