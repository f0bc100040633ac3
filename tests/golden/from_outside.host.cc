// exp(where(index0 == i64(0ll), x0, s0) - x1)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: exp_f32, block_exp_f32
// ... shared/indices.host.cc: wrap_index, clamp_index, outside_index, least_index, wrap_run, inside_run, outside_run
// ... shared/bodies.host.cc: body, body_0
// ... shared/heads.host.cc: kiln_eq_where_sub_exp_f32_axes2

    // ... as in broadcast
        const i64 index0_0 = outside_index(at[6] + p0, at[5]);
        const i64 x0_1 = clamp_index(at[12] + p0, at[11]);
        // ... as in stencil
            run = least_index(run, outside_run(at[8] + from, at[7]));
            const i64 index0_1 = outside_index(at[8] + from, at[7]);
            const i64 at_index0 = index0_0 + index0_1;
            run = least_index(run, inside_run(at[10] + from, at[9]));
            const i64 x0_0 = clamp_index(at[10] + from, at[9]);
            const i64 at_x0 = x0_0 + x0_1 * at[13];
            run = least_index(run, wrap_run(at[15] + from, at[14]));
            const i64 x1_0 = wrap_index(at[15] + from, at[14]);
            const i64 at_x1 = p0 * at[16] + x1_0;
            // ... as in stencil
                    for (i64 j = 0; j < count; ++j) body_0(index0 + (at_index0 + (strip + j - from) * 0), x0[at_x0 + (strip + j - from)], x1[at_x1 + (strip + j - from)], s0, buffer[j], library);
                    // ... as in stencil
                    const i64 index0_12 = outside_index(at[8] + i, at[7]);
                    const i64 at_index02 = index0_0 + index0_12;
                    const i64 x0_02 = clamp_index(at[10] + i, at[9]);
                    const i64 at_x02 = x0_02 + x0_1 * at[13];
                    const i64 x1_02 = wrap_index(at[15] + i, at[14]);
                    const i64 at_x12 = p0 * at[16] + x1_02;
                    body(index0 + at_index02, x0[at_x02], x1[at_x12], s0, y0[row + i], library);
                // ... as in stencil
