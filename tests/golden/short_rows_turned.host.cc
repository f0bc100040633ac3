// x0 + x1
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/moves.host.cc: gather_rows_of_4
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_add_f32_axes2

    // ... as in contiguous
    // ... as in reshaped
    // ... as in short_rows
    // ... as in reshaped
            const i64 at_x1 = p0;
            gather_rows_of_4(library, many_x1 + row * extent, x1 + at_x1, run, extent, 1, at[5]);
            p0 = p0 + run;
            row = row + run;
        }
        i64 stop = nontemporal ? least_index(count, (first + 15) / 16 * 16 - first) : count;
        for (i64 next = 0; next < count;) {
            #pragma GCC ivdep
            for (i64 i = next; i < stop; ++i) body(x0[first + i], many_x1[skipped + i], y0[first + i]);
            // ... as in short_rows
                    body(x0[first + i], many_x1[skipped + i], line_y0[j]);
                // ... as in short_rows
