// reduction(x0)
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: rounded, f16, vector_of, vector_from_f16, f16_from_vector, rounded_to_f16, load_f16, load_f32, store_f16, store_f32
// ... shared/users.host.cc: __AVX512F__, float, int, short, user0_reduction, #line, widen0, narrow0, __attribute__, append_each0
// ... shared/heads.host.cc: kiln_reduction_f16_run0, kiln_reduction_f16_clear0, kiln_reduction_f16_each0, kiln_reduction_f16
// ... shared/moves.host.cc: copy_rows_of_2
// ... shared/bodies.host.cc: body

    const i64 count2 = end - begin;
    copy_rows_of_2(library, y0 + begin, x0 + begin, 1, count2, count2);
}
