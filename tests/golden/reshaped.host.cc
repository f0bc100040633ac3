// exp(x0)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: block_exp_f32
// ... shared/moves.host.cc: gather_rows_of_4
// ... shared/indices.host.cc: least_index
// ... shared/heads.host.cc: kiln_exp_f32_axes2

    const i64 extent = at[2];
    const i64 skipped = begin % extent;
    const i64 chunk = 2048 / (extent * 16) * (extent * 16);
    alignas(64) float many_x0[2128];
    for (i64 first = begin; first < end; first += chunk) {
        const i64 count = least_index(chunk, end - first);
        const i64 rows = (skipped + count + extent - 1) / extent;
        const i64 first_row = first / extent;
        i64 p0 = first_row;
        for (i64 row = 0; row < rows;) {
            i64 run = least_index(rows - row, at[1] - p0);
            const i64 at_x0 = p0;
            gather_rows_of_4(library, many_x0 + row * extent, x0 + at_x0, run, extent, 1, at[5]);
            p0 = p0 + run;
            row = row + run;
        }
        for (i64 strip = 0; strip < count; strip += 256) {
            const i64 count2 = least_index(count - strip, 256);
            block_exp_f32(library, many_x0 + (skipped + strip), y0 + (first + strip), count2);
        }
    }
}
