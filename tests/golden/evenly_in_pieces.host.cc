// exp(x0)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: exp_f32, block_exp_f32
// ... shared/indices.host.cc: clamp_index, least_index, inside_run
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_exp_f32_axes2

    // ... as in broadcast
        // ... as in stencil
            run = least_index(run, inside_run(at[6] + from, at[5]));
            const i64 x0_0 = clamp_index(at[6] + from, at[5]);
            const i64 at_x0 = p0 * at[7] + x0_0 * at[8];
            // ... as in stencil
                    for (i64 j = 0; j < count; ++j) buffer[j] = x0[at_x0 + (strip + j - from) * at[8]];
                    // ... as in stencil
                    const i64 x0_02 = clamp_index(at[6] + i, at[5]);
                    const i64 at_x02 = p0 * at[7] + x0_02 * at[8];
                    body(x0[at_x02], y0[row + i], library);
                // ... as in stencil
