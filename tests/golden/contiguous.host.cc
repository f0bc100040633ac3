// x0 + x0 + x0 + x0 + x0
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_add4_f32

    const bool nontemporal = library[62] && ((i64)y0) % 64 == 0;
    i64 stop = nontemporal ? least_index(end, (begin + 15) / 16 * 16) : end;
    for (i64 next = begin; next < end;) {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], y0[i]);
        const i64 lines_end = stop + (end - stop) / 16 * 16;
        for (i64 first_of_line = stop; first_of_line < lines_end; first_of_line += 16) {
            alignas(64) float line_y0[16];
            for (int j = 0; j < 16; ++j) {
                const i64 i = first_of_line + j;
                body(x0[i], line_y0[j]);
            }
            store_nontemporal(y0 + first_of_line, line_y0, 64);
        }
        next = lines_end;
        stop = end;
    }
}
