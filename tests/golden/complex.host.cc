// x0 * abs(x0)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: hypot_f32, hypot_f64
// ... shared/helpers.host.cc: LIBRARY_hypot, complex, c128, complex_of
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_abs_scale_c128

    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], y0[i], library);
}
