// where(index0 < s0, x0, x1)
// ... shared/types.host.cc: u8, i64
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/indices.host.cc: clamp_index, least_index, inside_run
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_lt_where_u8_axes2

    i64 at[11];
    for (int i = 0; i < 11; ++i) at[i] = static_cast<const i64*>(parameters[5])[i];
    // ... as in position
        const i64 at_index0 = 0;
        alignas(64) u8 beyond_x0[4096];
        alignas(64) u8 beyond_x1[4096];
        // ... as in stencil
            const bool is_beyond_x0 = inside_run(at[6] + from, at[5]) == 0;
            run = least_index(run, is_beyond_x0 ? least_index(at[6] + from < 0 ? 0 - (at[6] + from) : left2, 4096) : inside_run(at[6] + from, at[5]));
            // ... as in evenly_in_pieces
            const i64 at_x0 = p0 * at[7] + x0_0;
            const bool is_beyond_x1 = inside_run(at[9] + from, at[8]) == 0;
            run = least_index(run, is_beyond_x1 ? least_index(at[9] + from < 0 ? 0 - (at[9] + from) : left2, 4096) : inside_run(at[9] + from, at[8]));
            const i64 x1_0 = clamp_index(at[9] + from, at[8]);
            // ... as in stencil
                const u8* piece_x0 = x0 + at_x0;
                if (is_beyond_x0) {
                    const u8 edge_x0 = x0[at_x0];
                    #pragma GCC ivdep
                    for (i64 i = 0; i < run; ++i) beyond_x0[i] = edge_x0;
                    piece_x0 = beyond_x0;
                }
                const u8* piece_x1 = x1 + at_x1;
                if (is_beyond_x1) {
                    const u8 edge_x1 = x1[at_x1];
                    #pragma GCC ivdep
                    for (i64 i = 0; i < run; ++i) beyond_x1[i] = edge_x1;
                    piece_x1 = beyond_x1;
                }
                i64 stop = nontemporal ? least_index(to, (row + from + 63) / 64 * 64 - row) : to;
                for (i64 next = from; next < to;) {
                    #pragma GCC ivdep
                    for (i64 i = next; i < stop; ++i) body(index0 + (at_index0 + i), piece_x0[i - from], piece_x1[i - from], s0, y0[row + i]);
                    const i64 lines_end = stop + (to - stop) / 64 * 64;
                    // ... as in several_outputs
                        alignas(64) u8 line_y0[64];
                        // ... as in several_outputs
                            body(index0 + (at_index0 + i), piece_x0[i - from], piece_x1[i - from], s0, line_y0[j]);
                        // ... as in transposed
                    stop = to;
                // ... as in evenly_in_pieces
                    const i64 at_x02 = p0 * at[7] + x0_02;
                    const i64 x1_02 = clamp_index(at[9] + i, at[8]);
                    const i64 at_x12 = p0 * at[10] + x1_02;
                    body(index0 + (at_index0 + i), x0[at_x02], x1[at_x12], s0, y0[row + i]);
                // ... as in stencil
