// x0 + x0 + x0 + x0 + x0
// ... shared/types.host.cc: i64
// ... shared/nontemporal.host.cc: part_of_line, store_nontemporal
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_add4_f32

    const bool nontemporal = library[58] && ((i64)y0) % 64 == 0;
    i64 next = begin, stop = nontemporal ? least_index(end, (begin + 15) / 16 * 16) : end;
    do {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], y0[i]);
        for (next = stop; end - next >= 16; next += 16) {
            alignas(64) float line_y0[16];
            for (int j = 0; j < 16; ++j) { const i64 i = next + j; body(x0[i], line_y0[j]); }
            store_nontemporal(y0 + next, line_y0, 64);
        }
        stop = end;
    } while (next < stop);
}
