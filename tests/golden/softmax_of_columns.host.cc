// exp(x0 - max(x0)) / sum(exp(x0 - max(x0)))
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/library.host.cc: block_exp_f32
// ... shared/accumulators.host.cc: max_of, sum_of, finish_0, finish_1, identity_0, combine_0, identity_1, combine_1
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: element_0, element_1_0, element_2
// ... shared/heads.host.cc: kiln_max_sub_exp_sum_div_f32_axes3_persistent

    const i64 reduced = at[2];
    const i64 columns = at[3];
    const i64 wide = least_index(columns, 1024);
    const i64 rows_of_piece = least_index(65536 / wide, 2048);
    const i64 part = rows_of_piece < 64 ? 64 : rows_of_piece;
    const i64 room = reduced * 128;
    // ... as in softmax
    float* const columns_x0 = reinterpret_cast<float*>(memory + room * 0);
    alignas(64) float all_0[4096];
    alignas(64) float of_column_t0[128];
    alignas(64) float all_1[4096];
    alignas(64) float of_column_t3[128];
    const bool nontemporal = library[62] && ((i64)y0) % 64 == 0 && columns % 64 == 0 && begin % 64 == 0;
    for (i64 value = begin; value < end;) {
        const i64 outer = value / columns;
        const i64 first = value % columns;
        const i64 most = least_index(columns - first, 128);
        const i64 count = least_index(most, end - value);
        const i64 before = outer * reduced;
        i64 p0 = outer;
        const i64 parts = (reduced + part - 1) / part;
        for (i64 number = 0; number < parts; ++number) {
            const i64 to_part = number * 128;
            const i64 part_begin = number * part;
            const i64 part_end = least_index(part_begin + part, reduced);
            const i64 whole = count / 64 * 64;
            for (i64 tile = 0; tile < whole; tile += 64) {
                alignas(64) float tile_0[64];
                #pragma GCC ivdep
                for (i64 j = 0; j < 64; ++j) tile_0[j] = identity_0();
                for (i64 row = part_begin; row < part_end; ++row) {
                    const i64 linear = (before + row) * columns;
                    const i64 kept = row * 128 - first;
                    #pragma GCC ivdep
                    for (i64 j = 0; j < 64; ++j) {
                        float x02;
                        element_0(x0[linear + (first + (tile + j))], x02, library);
                        columns_x0[kept + (first + (tile + j))] = x02;
                        tile_0[j] = combine_0(tile_0[j], x02);
                    }
                }
                #pragma GCC ivdep
                for (i64 j = 0; j < 64; ++j) all_0[to_part + tile + j] = tile_0[j];
            }
            if (whole < 128) {
                #pragma GCC ivdep
                for (i64 j = whole; j < 128; ++j) all_0[to_part + j] = identity_0();
                for (i64 row = part_begin; row < part_end; ++row) {
                    const i64 linear = (before + row) * columns;
                    const i64 kept = row * 128 - first;
                    #pragma GCC ivdep
                    for (i64 j = whole; j < count; ++j) {
                        float x02;
                        element_0(x0[linear + (first + j)], x02, library);
                        columns_x0[kept + (first + j)] = x02;
                        all_0[to_part + j] = combine_0(all_0[to_part + j], x02);
                    }
                }
            }
        }
        for (i64 apart = 1; apart < parts;) {
            for (i64 left = 0; left < parts - apart;) {
                const i64 to_left = left * 128;
                const i64 to_right = (left + apart) * 128;
                #pragma GCC ivdep
                for (i64 j = 0; j < 128; ++j) all_0[to_left + j] = combine_0(all_0[to_left + j], all_0[to_right + j]);
                left = left + apart * 2;
            }
            apart = apart * 2;
        }
        #pragma GCC ivdep
        for (i64 j = 0; j < 128; ++j) of_column_t0[j] = finish_0(all_0[j], reduced);
        const i64 parts2 = (reduced + part - 1) / part;
        for (i64 number = 0; number < parts2; ++number) {
            const i64 to_part = number * 128;
            const i64 part_begin = number * part;
            const i64 part_end = least_index(part_begin + part, reduced);
            for (i64 row = part_begin; row < part_end; ++row) {
                const i64 linear = (before + row) * columns;
                const i64 kept = row * 128 - first;
                for (i64 strip = first; strip < first + count; strip += 256) {
                    const i64 count2 = least_index(first + count - strip, 256);
                    alignas(64) float buffer[256];
                    #pragma GCC ivdep
                    for (i64 j = 0; j < count2; ++j) element_1_0(columns_x0[kept + (strip + j)], of_column_t0[strip + j - first], buffer[j], library);
                    block_exp_f32(library, buffer, columns_x0 + (kept + strip), count2);
                }
            }
            const i64 whole = count / 64 * 64;
            for (i64 tile = 0; tile < whole; tile += 64) {
                alignas(64) float tile_1[64];
                #pragma GCC ivdep
                for (i64 j = 0; j < 64; ++j) tile_1[j] = identity_1();
                for (i64 row = part_begin; row < part_end; ++row) {
                    const i64 linear = (before + row) * columns;
                    const i64 kept = row * 128 - first;
                    #pragma GCC ivdep
                    for (i64 j = 0; j < 64; ++j) tile_1[j] = combine_1(tile_1[j], columns_x0[kept + (first + (tile + j))]);
                }
                #pragma GCC ivdep
                for (i64 j = 0; j < 64; ++j) all_1[to_part + tile + j] = tile_1[j];
            }
            if (whole < 128) {
                #pragma GCC ivdep
                for (i64 j = whole; j < 128; ++j) all_1[to_part + j] = identity_1();
                for (i64 row = part_begin; row < part_end; ++row) {
                    const i64 linear = (before + row) * columns;
                    const i64 kept = row * 128 - first;
                    #pragma GCC ivdep
                    for (i64 j = whole; j < count; ++j) all_1[to_part + j] = combine_1(all_1[to_part + j], columns_x0[kept + (first + j)]);
                }
            }
        }
        for (i64 apart = 1; apart < parts2;) {
            for (i64 left = 0; left < parts2 - apart;) {
                const i64 to_left = left * 128;
                const i64 to_right = (left + apart) * 128;
                #pragma GCC ivdep
                for (i64 j = 0; j < 128; ++j) all_1[to_left + j] = combine_1(all_1[to_left + j], all_1[to_right + j]);
                left = left + apart * 2;
            }
            apart = apart * 2;
        }
        #pragma GCC ivdep
        for (i64 j = 0; j < 128; ++j) of_column_t3[j] = finish_1(all_1[j], reduced);
        const i64 whole = count / 64 * 64;
        for (i64 row = 0; row < reduced; ++row) {
            const i64 linear = (before + row) * columns;
            const i64 kept = row * 128 - first;
            for (i64 tile = 0; tile < whole; tile += 64) {
                alignas(64) float line_t4[64];
                #pragma GCC ivdep
                for (i64 j = 0; j < 64; ++j) {
                    float t4;
                    element_2(columns_x0[kept + (first + (tile + j))], of_column_t3[tile + j], t4, library);
                    line_t4[j] = t4;
                }
                if (nontemporal) {
                    store_nontemporal(y0 + (linear + first + tile), line_t4, 256);
                } else {
                    #pragma GCC ivdep
                    for (i64 j = 0; j < 64; ++j) y0[linear + first + tile + j] = line_t4[j];
                }
            }
            #pragma GCC ivdep
            for (i64 j = whole; j < count; ++j) {
                float t4;
                element_2(columns_x0[kept + (first + j)], of_column_t3[j], t4, library);
                y0[linear + (first + j)] = t4;
            }
        }
        value = value + count;
    }
}
