// x0 * s0
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: rounded, complex, c64, complex_of, complex_mul
// ... shared/nontemporal.host.cc: part_of_line, store_nontemporal
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_mul_c64

    // ... as in contiguous
    i64 next = begin, stop = nontemporal ? least_index(end, (begin + 7) / 8 * 8) : end;
    do {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], s0, y0[i]);
        for (next = stop; end - next >= 8; next += 8) {
            alignas(64) c64 line_y0[8];
            for (int j = 0; j < 8; ++j) { const i64 i = next + j; body(x0[i], s0, line_y0[j]); }
            // ... as in contiguous
