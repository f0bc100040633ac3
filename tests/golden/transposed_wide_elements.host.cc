// x0 + x1
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: store_nontemporal, complex, c128, complex_of, complex_add
// ... shared/moves.host.cc: turn_rows_of_16
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_add_c128_axes3_tile32

    // ... as in transposed
        const i64 row_begin = tile % at[7] * 32;
        const i64 row_end = least_index(row_begin + 32, at[3]);
        i64 rest = tile / at[7];
        const i64 tile_begin = rest % at[9] * 32;
        const i64 tile_end = least_index(tile_begin + 32, at[1]);
        rest = rest / at[9];
        const i64 p1 = rest % at[2];
        rest = rest / at[2];
        alignas(64) c128 tile_x0[1024];
        turn_rows_of_16(library, tile_x0, x0 + (tile_begin + p1 * at[11] + row_begin * at[12]), at[12], row_end - row_begin, tile_end - tile_begin, 32);
        // ... as in transposed
            const i64 row = (p0 * at[2] + p1) * at[3];
            const i64 line = (p0 - tile_begin) * 32 - row_begin;
            // ... as in transposed
                for (i64 i = next; i < stop; ++i) body(tile_x0[line + i], x1[row + i], y0[row + i]);
                // ... as in transposed
                    alignas(64) c128 line_y0[16];
                    // ... as in contiguous
                        body(tile_x0[line + i], x1[row + i], line_y0[j]);
                    }
                    store_nontemporal(y0 + (row + first_of_line), line_y0, 256);
                }
                next = lines_end;
                stop = row_end;
            }
        }
    }
}
