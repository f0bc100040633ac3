// round((x0 * x0) + x0)
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: bits_of, float_of, rounded, store_nontemporal, f16, f32_from_f16, f16_from_f32, f16_rounded
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_mul_add_round_f16

    // ... as in contiguous
    i64 stop = nontemporal ? least_index(end, (begin + 31) / 32 * 32) : end;
    // ... as in contiguous
        const i64 lines_end = stop + (end - stop) / 32 * 32;
        for (i64 first_of_line = stop; first_of_line < lines_end; first_of_line += 32) {
            alignas(64) f16 line_y0[32];
            for (int j = 0; j < 32; ++j) {
                // ... as in contiguous
