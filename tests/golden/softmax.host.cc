// exp(x0 - max(x0)) / sum(exp(x0 - max(x0)))
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/library.host.cc: block_exp_f32
// ... shared/accumulators.host.cc: max_of, sum_of, finish_0, finish_1, identity_0, run_0, identity_1, run_1
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: element_1_0, element_2
// ... shared/heads.host.cc: kiln_max_sub_exp_sum_div_f32_axes2_persistent

    const i64 reduced = at[2];
    const i64 room = (reduced + 63) / 64 * 64;
    char* const memory = static_cast<char*>(
        reinterpret_cast<void* (*)(i64)>(const_cast<void*>(library[63]))(room * 4));
    float* const row_t2 = reinterpret_cast<float*>(memory + room * 0);
    // ... as in contiguous
    i64 p0 = begin;
    for (i64 value = begin; value < end; ++value) {
        const i64 row = value * reduced;
        float all_0 = identity_0();
        for (i64 piece = 0; piece < reduced; piece += 2048) {
            const i64 piece_end = least_index(piece + 2048, reduced);
            all_0 = run_0(all_0, x0 + (row + piece), piece_end - piece, piece, library);
        }
        const float t0 = finish_0(all_0, reduced);
        float all_1 = identity_1();
        for (i64 piece = 0; piece < reduced; piece += 2048) {
            const i64 piece_end = least_index(piece + 2048, reduced);
            for (i64 strip = piece; strip < piece_end; strip += 256) {
                const i64 count = least_index(piece_end - strip, 256);
                alignas(64) float buffer[256];
                #pragma GCC ivdep
                for (i64 j = 0; j < count; ++j) element_1_0(x0[row + (strip + j)], t0, buffer[j], library);
                block_exp_f32(library, buffer, row_t2 + strip, count);
            }
            all_1 = run_1(all_1, row_t2 + piece, piece_end - piece, piece, library);
        }
        const float t3 = finish_1(all_1, reduced);
        i64 stop = nontemporal ? least_index(reduced, (row + 15) / 16 * 16 - row) : reduced;
        for (i64 next = 0; next < reduced;) {
            #pragma GCC ivdep
            for (i64 i = next; i < stop; ++i) element_2(row_t2[i], t3, y0[row + i], library);
            const i64 lines_end = stop + (reduced - stop) / 16 * 16;
            // ... as in contiguous
                alignas(64) float line_t4[16];
                // ... as in contiguous
                    element_2(row_t2[i], t3, line_t4[j], library);
                }
                store_nontemporal(y0 + (row + first_of_line), line_t4, 64);
            }
            next = lines_end;
            stop = reduced;
        }
        p0 = p0 + 1;
    }
}
