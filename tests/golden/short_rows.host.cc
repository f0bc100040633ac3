// (x0 * x1) + x2
// ... shared/types.host.cc: u32, i64
// ... shared/row_moves.host.cc: __has_builtin, spread_block_of_4, spread_rows_of_4, repeat_rows, gather_rows, copy_wide_rows, copy_rows
// ... shared/nontemporal.host.cc: part_of_line, store_nontemporal
// ... shared/indices.host.cc: clamp_index, least_index, inside_run
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_mul_add_f32_axes2

    // ... as in contiguous
    const i64 extent = 3;
    const i64 skipped = begin % extent;  // of a chunk's first row
    const i64 chunk = 2048 / (16 * extent) * (16 * extent);
    alignas(64) float many_x0[2128];
    alignas(64) float many_x1[2128];
    alignas(64) float many_x2[2128];
    {
        const i64 rows = (skipped + least_index(chunk, end - begin) + extent - 1) / extent;
        for (i64 i = 0; i < extent; ++i) {
            many_x0[i] = x0[i];
        }
        repeat_rows(many_x0, extent, rows * extent);
    }
    for (i64 first = begin; first < end; first += chunk) {
        const i64 count = least_index(chunk, end - first);
        const float* rows_x1 = many_x1;
        const float* in_x2 = many_x2;
        bool by_blocks = false;
        const i64 rows = (skipped + count + extent - 1) / extent;
        i64 p0 = first / extent;
        for (i64 row = 0, run; row < rows; row += run) {
            run = least_index(rows - row, at[1] - p0);
            run = least_index(run, inside_run(at[6] + p0, at[5]));
            if (run < 1) run = 1;
            by_blocks = run == rows && skipped == 0 && !nontemporal;
            if (by_blocks) rows_x1 = x1 + (p0);
            else spread_rows_of_4(many_x1 + row * extent, x1 + (p0), run);
            const i64 x2_0 = clamp_index(at[6] + p0, at[5]);
            if (run == rows && at[7] == extent) in_x2 = x2 + (x2_0 * at[7]);
            else copy_rows(many_x2 + row * extent, x2 + (x2_0 * at[7]), run, extent, at[7]);
            p0 += run;
        }
        i64 done = 0;
        if (by_blocks) {
            for (; count - done >= 24; done += 24) {
                alignas(32) float block_x1[24];
                spread_block_of_4(block_x1, rows_x1);
                rows_x1 += 8;
                #pragma GCC ivdep
                for (i64 i = 0; i < 24; ++i) body(many_x0[i], block_x1[i], in_x2[done + i], y0[first + done + i]);
            }
            spread_rows_of_4(many_x1 + done, rows_x1, rows - done / extent);
        }
        i64 next = done, stop = nontemporal ? least_index(count, (first + done + 15) / 16 * 16 - first) : count;
        do {
            #pragma GCC ivdep
            for (i64 i = next; i < stop; ++i) body(many_x0[skipped + i], many_x1[skipped + i], in_x2[skipped + i], y0[first + i]);
            for (next = stop; count - next >= 16; next += 16) {
                alignas(64) float line_y0[16];
                for (int j = 0; j < 16; ++j) { const i64 i = next + j; body(many_x0[skipped + i], many_x1[skipped + i], in_x2[skipped + i], line_y0[j]); }
                store_nontemporal(y0 + first + next, line_y0, 64);
            }
            stop = count;
        } while (next < stop);
    }
}
