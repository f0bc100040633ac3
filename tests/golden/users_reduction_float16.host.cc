// reduction(x0)
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: bits_of, float_of, f16, f32_from_f16, f16_from_f32
// ... shared/users.host.cc: user0_reduction, #line, combine0
// ... shared/heads.host.cc: kiln_reduction_f16_clear0, kiln_reduction_f16_run0, kiln_reduction_f16_each0, kiln_reduction_f16
// ... shared/nontemporal.host.cc: part_of_line, store_nontemporal
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body

    // ... as in contiguous
    i64 next = begin, stop = nontemporal ? least_index(end, (begin + 31) / 32 * 32) : end;
    // ... as in contiguous
        for (next = stop; end - next >= 32; next += 32) {
            alignas(64) f16 line_y0[32];
            for (int j = 0; j < 32; ++j) { const i64 i = next + j; body(x0[i], line_y0[j]); }
            // ... as in contiguous
