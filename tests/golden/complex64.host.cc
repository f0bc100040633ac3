// x0 * s0
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: rounded, store_nontemporal, complex, c64, complex_of, complex_mul
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_mul_c64

    // ... as in contiguous
    i64 stop = nontemporal ? least_index(end, (begin + 7) / 8 * 8) : end;
    for (i64 next = begin; next < end;) {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], s0, y0[i]);
        const i64 lines_end = stop + (end - stop) / 8 * 8;
        for (i64 first_of_line = stop; first_of_line < lines_end; first_of_line += 8) {
            alignas(64) c64 line_y0[8];
            for (int j = 0; j < 8; ++j) {
                const i64 i = first_of_line + j;
                body(x0[i], s0, line_y0[j]);
            // ... as in contiguous
