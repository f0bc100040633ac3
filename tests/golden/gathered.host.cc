// take(x1, int64(x0)) * s0
// ... shared/types.host.cc: i64
// ... shared/indices.host.cc: lookup_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_cast_take_mul_f32_axes1

    (void)library;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], x1, s0, at, i, y0[i]);
}
