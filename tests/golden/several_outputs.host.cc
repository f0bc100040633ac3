// float64(x0 + x1) * x2, x2 < s0
// ... shared/types.host.cc: u8, i64
// ... shared/nontemporal.host.cc: part_of_line, store_nontemporal
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_add_mul_lt_f64

    const bool nontemporal = library[58] && ((i64)y0 | (i64)y1) % 64 == 0;
    i64 next = begin, stop = nontemporal ? least_index(end, (begin + 63) / 64 * 64) : end;
    do {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], x1[i], x2[i], s0, y0[i], y1[i]);
        for (next = stop; end - next >= 64; next += 64) {
            alignas(64) double line_y0[64];
            alignas(64) bool line_y1[64];
            for (int j = 0; j < 64; ++j) { const i64 i = next + j; body(x0[i], x1[i], x2[i], s0, line_y0[j], line_y1[j]); }
            store_nontemporal(y0 + next, line_y0, 512);
            store_nontemporal(y1 + next, line_y1, 64);
        }
        stop = end;
    } while (next < stop);
}
