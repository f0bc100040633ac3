// (x0 * x1) + x2
// ... shared/types.host.cc: u32, i64
// ... shared/shuffles.host.cc: __has_builtin, spread_block_of_4
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/moves.host.cc: copy_rows_of_4, spread_rows_of_4, repeat_rows_of_4
// ... shared/indices.host.cc: clamp_index, least_index, inside_run
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_mul_add_f32_axes2

    // ... as in contiguous
    const i64 extent = 3;
    // ... as in reshaped
    alignas(64) float many_x1[2128];
    alignas(64) float many_x2[2128];
    const i64 rows = (skipped + least_index(chunk, end - begin) + extent - 1) / extent;
    for (i64 i = 0; i < extent; ++i) {
        const i64 at_x0 = i;
        many_x0[i] = x0[at_x0];
    }
    repeat_rows_of_4(library, many_x0, extent, rows * extent);
    // ... as in reshaped
        const float* rows_x1 = many_x1;
        const float* in_x2 = many_x2;
        bool by_blocks = false;
        const i64 rows2 = (skipped + count + extent - 1) / extent;
        // ... as in reshaped
        for (i64 row = 0; row < rows2;) {
            i64 run = least_index(rows2 - row, at[1] - p0);
            run = least_index(run, inside_run(at[6] + p0, at[5]));
            if (run < 1) run = 1;
            by_blocks = run == rows2 && skipped == 0 && !nontemporal;
            const i64 at_x1 = p0;
            if (by_blocks) {
                rows_x1 = x1 + at_x1;
            } else {
                spread_rows_of_4(library, many_x1 + row * extent, x1 + at_x1, run, extent, 1);
            }
            const i64 x2_0 = clamp_index(at[6] + p0, at[5]);
            const i64 at_x2 = x2_0 * at[7];
            if (run == rows2 && at[7] == extent) {
                in_x2 = x2 + at_x2;
            } else {
                copy_rows_of_4(library, many_x2 + row * extent, x2 + at_x2, run, extent, at[7]);
            }
            p0 = p0 + run;
            row = row + run;
        }
        i64 done = 0;
        if (by_blocks) {
            const i64 whole_blocks = count / 24 * 24;
            for (i64 block = 0; block < whole_blocks;) {
                alignas(32) float block_x1[24];
                spread_block_of_4(block_x1, rows_x1);
                rows_x1 = rows_x1 + 8;
                const i64 linear = first + block;
                #pragma GCC ivdep
                for (i64 i = 0; i < 24; ++i) body(many_x0[i], block_x1[i], in_x2[block + i], y0[linear + i]);
                block = block + 24;
            }
            done = whole_blocks;
            spread_rows_of_4(library, many_x1 + done, rows_x1, rows2 - done / extent, extent, 1);
        }
        i64 stop = nontemporal ? least_index(count, (first + done + 15) / 16 * 16 - first) : count;
        for (i64 next = done; next < count;) {
            #pragma GCC ivdep
            for (i64 i = next; i < stop; ++i) body(many_x0[skipped + i], many_x1[skipped + i], in_x2[skipped + i], y0[first + i]);
            const i64 lines_end = stop + (count - stop) / 16 * 16;
            // ... as in contiguous
                    body(many_x0[skipped + i], many_x1[skipped + i], in_x2[skipped + i], line_y0[j]);
                }
                store_nontemporal(y0 + (first + first_of_line), line_y0, 64);
            }
            next = lines_end;
            stop = count;
        }
    }
}
