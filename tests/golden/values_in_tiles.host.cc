// dot(max(x0, s0) * (x1 + s1))
// ... shared/types.host.cc: i64
// ... shared/accumulators.host.cc: dot_of, finish_0, identity_0, combine_0
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: of_row, of_columns, element
// ... shared/heads.host.cc: kiln_dot_of_max_add_mul_f32_axes3_tiles

    alignas(64) float parts_y0[2048];
    const i64 columns = at[3];
    const i64 reduced = at[2];
    const i64 rows = at[1];
    // ... as in softmax_of_columns
    const i64 room = reduced * 32;
    // ... as in layer_norm
    float* const panel_0 = reinterpret_cast<float*>(memory + room * 0);
    float* const made_of_rows = reinterpret_cast<float*>(memory + room * 4);
    const i64 tiles = (rows + 3) / 4;
    const i64 panels = (columns + 31) / 32;
    for (i64 number = begin; number < end;) {
        const i64 outer = number / (tiles * panels);
        const i64 in_outer = number - outer * tiles * panels;
        const i64 group = in_outer / (panels * 32) * 32;
        const i64 of_group = least_index(tiles - group, 32);
        const i64 in_group = in_outer - group * panels;
        const i64 panel = in_group / of_group;
        const i64 block = panel * 32;
        const i64 count = least_index(columns - block, 32);
        for (i64 k = 0; k < reduced; ++k) {
            const i64 at_x1 = k * at[8] + block;
            const i64 to = k * 32;
            #pragma GCC ivdep
            for (i64 j = 0; j < count; ++j) {
                float t;
                of_columns(x1[at_x1 + j], s1, t);
                panel_0[to + j] = t;
            }
            for (i64 j = count; j < 32; ++j) panel_0[to + j] = panel_0[to];
        }
        const i64 first = in_group - panel * of_group;
        const i64 left = end - number;
        const i64 end2 = least_index(of_group, first + left);
        for (i64 tile = first; tile < end2; ++tile) {
            const i64 row = (group + tile) * 4;
            const i64 at_x0_0 = row * at[7];
            const i64 tile_row = least_index(row + 1, rows - 1);
            const i64 at_x0_1 = tile_row * at[7];
            const i64 tile_row2 = least_index(row + 2, rows - 1);
            const i64 at_x0_2 = tile_row2 * at[7];
            const i64 tile_row3 = least_index(row + 3, rows - 1);
            const i64 at_x0_3 = tile_row3 * at[7];
            #pragma GCC ivdep
            for (i64 k = 0; k < reduced; ++k) {
                float t;
                of_row(x0[at_x0_0 + k], s0, t);
                made_of_rows[k + reduced * 0] = t;
            }
            #pragma GCC ivdep
            for (i64 k = 0; k < reduced; ++k) {
                float t;
                of_row(x0[at_x0_1 + k], s0, t);
                made_of_rows[k + reduced] = t;
            }
            #pragma GCC ivdep
            for (i64 k = 0; k < reduced; ++k) {
                float t;
                of_row(x0[at_x0_2 + k], s0, t);
                made_of_rows[k + reduced * 2] = t;
            }
            #pragma GCC ivdep
            for (i64 k = 0; k < reduced; ++k) {
                float t;
                of_row(x0[at_x0_3 + k], s0, t);
                made_of_rows[k + reduced * 3] = t;
            }
            i64 at_once = 0;
            // ... as in softmax_of_columns
            for (i64 number2 = 0; number2 < parts; ++number2) {
                const i64 part_begin = number2 * part;
                // ... as in softmax_of_columns
                alignas(64) float tile_0_0[32];
                #pragma GCC ivdep
                for (i64 j = 0; j < 32; ++j) tile_0_0[j] = identity_0();
                alignas(64) float tile_1_0[32];
                #pragma GCC ivdep
                for (i64 j = 0; j < 32; ++j) tile_1_0[j] = identity_0();
                alignas(64) float tile_2_0[32];
                #pragma GCC ivdep
                for (i64 j = 0; j < 32; ++j) tile_2_0[j] = identity_0();
                alignas(64) float tile_3_0[32];
                #pragma GCC ivdep
                for (i64 j = 0; j < 32; ++j) tile_3_0[j] = identity_0();
                for (i64 k = part_begin; k < part_end; ++k) {
                    const float of_row = made_of_rows[k + reduced * 0];
                    #pragma GCC ivdep
                    for (i64 j = 0; j < 32; ++j) {
                        float t;
                        element(of_row, panel_0[k * 32 + j], t);
                        float one_y0 = identity_0();
                        one_y0 = t;
                        tile_0_0[j] = combine_0(tile_0_0[j], one_y0);
                    }
                    const float of_row2 = made_of_rows[k + reduced];
                    #pragma GCC ivdep
                    for (i64 j = 0; j < 32; ++j) {
                        float t;
                        element(of_row2, panel_0[k * 32 + j], t);
                        float one_y0 = identity_0();
                        one_y0 = t;
                        tile_1_0[j] = combine_0(tile_1_0[j], one_y0);
                    }
                    const float of_row3 = made_of_rows[k + reduced * 2];
                    #pragma GCC ivdep
                    for (i64 j = 0; j < 32; ++j) {
                        float t;
                        element(of_row3, panel_0[k * 32 + j], t);
                        float one_y0 = identity_0();
                        one_y0 = t;
                        tile_2_0[j] = combine_0(tile_2_0[j], one_y0);
                    }
                    const float of_row4 = made_of_rows[k + reduced * 3];
                    #pragma GCC ivdep
                    for (i64 j = 0; j < 32; ++j) {
                        float t;
                        element(of_row4, panel_0[k * 32 + j], t);
                        float one_y0 = identity_0();
                        one_y0 = t;
                        tile_3_0[j] = combine_0(tile_3_0[j], one_y0);
                    }
                }
                const i64 to = at_once * 128;
                #pragma GCC ivdep
                for (i64 j = 0; j < 32; ++j) parts_y0[to + j] = tile_0_0[j];
                #pragma GCC ivdep
                for (i64 j = 0; j < 32; ++j) parts_y0[to + j + 32] = tile_1_0[j];
                #pragma GCC ivdep
                for (i64 j = 0; j < 32; ++j) parts_y0[to + j + 64] = tile_2_0[j];
                #pragma GCC ivdep
                for (i64 j = 0; j < 32; ++j) parts_y0[to + j + 96] = tile_3_0[j];
                at_once = at_once + 1;
                const i64 done = number2 + 1;
                for (i64 apart = 1; apart < done;) {
                    if (done % (apart * 2) == 0) {
                        at_once = at_once - 1;
                        const i64 to2 = (at_once - 1) * 128;
                        const i64 of = at_once * 128;
                        #pragma GCC ivdep
                        for (i64 j = 0; j < 128; ++j) parts_y0[to2 + j] = combine_0(parts_y0[to2 + j], parts_y0[of + j]);
                        apart = apart * 2;
                    } else {
                        apart = done;
                    }
                }
            }
            for (i64 left2 = 1; left2 < at_once;) {
                at_once = at_once - 1;
                const i64 to = (at_once - 1) * 128;
                const i64 of = at_once * 128;
                #pragma GCC ivdep
                for (i64 j = 0; j < 128; ++j) parts_y0[to + j] = combine_0(parts_y0[to + j], parts_y0[of + j]);
            }
            const i64 there = least_index(rows - row, 4);
            for (i64 r = 0; r < there; ++r) {
                const i64 row_begin = (outer * rows + row + r) * columns + block;
                #pragma GCC ivdep
                for (i64 j = 0; j < count; ++j) y0[row_begin + j] = finish_0(parts_y0[j + r * 32], reduced);
            }
        }
        number = number + (end2 - first);
    }
}
