// exp(x0) * x1
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: exp_f32, block_exp_f32
// ... shared/indices.host.cc: wrap_index, least_index, wrap_run, divide_run
// ... shared/bodies.host.cc: body, body_1
// ... shared/heads.host.cc: kiln_exp_mul_f32_axes2

    // ... as in evenly_in_pieces
            run = least_index(run, divide_run(at[7] + p0 * at[8] + from, at[5]));
            const i64 x0_0 = static_cast<i64>((at[7] + p0 * at[8] + from) / at[5]);
            const i64 at_x0 = p0 * at[9] + from * at[10] + x0_0 * at[11];
            run = least_index(run, wrap_run(at[13] + from, at[12]));
            const i64 x1_0 = wrap_index(at[13] + from, at[12]);
            const i64 at_x1 = p0 * at[14] + x1_0;
            // ... as in stencil
                    for (i64 j = 0; j < count; ++j) buffer[j] = x0[at_x0 + (strip + j - from) * at[10]];
                    // ... as in functions
                    block_exp_f32(library, buffer, buffer2, count);
                    #pragma GCC ivdep
                    for (i64 j = 0; j < count; ++j) body_1(x1[at_x1 + (strip + j - from)], buffer2[j], y0[row + (strip + j)], library);
                // ... as in stencil
                    const i64 x0_02 = static_cast<i64>((at[7] + p0 * at[8] + i) / at[5]);
                    const i64 at_x02 = p0 * at[9] + i * at[10] + x0_02 * at[11];
                    const i64 x1_02 = wrap_index(at[13] + i, at[12]);
                    const i64 at_x12 = p0 * at[14] + x1_02;
                    body(x0[at_x02], x1[at_x12], y0[row + i], library);
                // ... as in stencil
