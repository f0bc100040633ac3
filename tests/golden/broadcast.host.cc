// exp(x0 + x1 + x2)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: exp_f32
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_add2_exp_f32_axes2

    i64 p1 = begin % at[2];
    const i64 rest0 = begin / at[2];
    i64 p0 = rest0;
    for (i64 first = begin; first < end;) {
        const i64 row_begin = p1;
        const i64 left = end - first;
        const i64 row_end = row_begin + least_index(at[2] - row_begin, left);
        const i64 row = first - row_begin;
        const i64 at_x1 = 0;
        const i64 at_x2 = p0;
        #pragma GCC ivdep
        for (i64 i = row_begin; i < row_end; ++i) body(x0[row + i], x1[at_x1 + i], x2[at_x2 + i * 0], y0[row + i], library);
        first = first + (row_end - row_begin);
        p1 = 0;
        p0 = p0 + 1;
    }
}
