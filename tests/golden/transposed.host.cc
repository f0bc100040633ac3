// x0 + x1
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/moves.host.cc: turn_rows_of_4
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_add_f32_axes2_tile64

    // ... as in contiguous
    for (i64 tile = begin; tile < end; ++tile) {
        const i64 row_begin = tile % at[5] * 64;
        const i64 row_end = least_index(row_begin + 64, at[2]);
        i64 rest = tile / at[5];
        const i64 tile_begin = rest % at[7] * 64;
        const i64 tile_end = least_index(tile_begin + 64, at[1]);
        rest = rest / at[7];
        alignas(64) float tile_x1[4096];
        turn_rows_of_4(library, tile_x1, x1 + (tile_begin + row_begin * at[9]), at[9], row_end - row_begin, tile_end - tile_begin, 64);
        for (i64 p0 = tile_begin; p0 < tile_end; ++p0) {
            const i64 row = p0 * at[2];
            const i64 line = (p0 - tile_begin) * 64 - row_begin;
            i64 stop = nontemporal ? least_index(row_end, (row + row_begin + 15) / 16 * 16 - row) : row_end;
            for (i64 next = row_begin; next < row_end;) {
                #pragma GCC ivdep
                for (i64 i = next; i < stop; ++i) body(x0[row + i], tile_x1[line + i], y0[row + i]);
                const i64 lines_end = stop + (row_end - stop) / 16 * 16;
                // ... as in contiguous
                        body(x0[row + i], tile_x1[line + i], line_y0[j]);
                    }
                    store_nontemporal(y0 + (row + first_of_line), line_y0, 64);
                }
                next = lines_end;
                stop = row_end;
            }
        }
    }
}
