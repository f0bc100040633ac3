// float64(x0 + x1) * x2, x2 < s0
// ... shared/types.host.cc: u8, i64
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_add_mul_lt_f64

    const bool nontemporal = library[62] && ((i64)y0 | (i64)y1) % 64 == 0;
    i64 stop = nontemporal ? least_index(end, (begin + 63) / 64 * 64) : end;
    for (i64 next = begin; next < end;) {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], x1[i], x2[i], s0, y0[i], y1[i]);
        const i64 lines_end = stop + (end - stop) / 64 * 64;
        for (i64 first_of_line = stop; first_of_line < lines_end; first_of_line += 64) {
            alignas(64) double line_y0[64];
            alignas(64) bool line_y1[64];
            for (int j = 0; j < 64; ++j) {
                const i64 i = first_of_line + j;
                body(x0[i], x1[i], x2[i], s0, line_y0[j], line_y1[j]);
            }
            store_nontemporal(y0 + first_of_line, line_y0, 512);
            store_nontemporal(y1 + first_of_line, line_y1, 64);
        }
        next = lines_end;
        stop = end;
    }
}
