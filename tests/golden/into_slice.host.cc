// x0 * x0
// ... shared/types.host.cc: i64
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_mul_f32_axes1

    (void)library;
    const i64 at_y0 = 0;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], y0[at_y0 + i * at[3]]);
}
