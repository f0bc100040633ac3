// exp(x0 + x1 + x2)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: block_exp_f32
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body_0
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
        const float x2_of_row = x2[at_x2];
        for (i64 strip = row_begin; strip < row_end; strip += 256) {
            const i64 count = least_index(row_end - strip, 256);
            alignas(64) float buffer[256];
            #pragma GCC ivdep
            for (i64 j = 0; j < count; ++j) body_0(x0[row + (strip + j)], x1[at_x1 + (strip + j)], x2_of_row, buffer[j], library);
            block_exp_f32(library, buffer, y0 + (row + strip), count);
        }
        first = first + (row_end - row_begin);
        p1 = 0;
        p0 = p0 + 1;
    }
}
