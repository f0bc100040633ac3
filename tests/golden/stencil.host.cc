// exp(x0 + x1)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: exp_f32, block_exp_f32
// ... shared/indices.host.cc: clamp_index, mirror_index, least_index, inside_run
// ... shared/bodies.host.cc: body, body_0
// ... shared/heads.host.cc: kiln_add_exp_f32_axes2

    // ... as in broadcast
        const i64 x0_0 = clamp_index(at[6] + p0, at[5]);
        const i64 at_x0 = x0_0 * at[7];
        i64 few = 1;
        for (i64 from = row_begin; from < row_end;) {
            const i64 left2 = row_end - from;
            i64 run = left2;
            run = least_index(run, inside_run(at[9] + from, at[8]));
            const i64 x1_0 = mirror_index(at[9] + from, at[8]);
            const i64 at_x1 = p0 * at[10] + x1_0;
            i64 to;
            if (run >= 16) {
                to = from + run;
                few = 1;
                for (i64 strip = from; strip < to; strip += 256) {
                    const i64 count = least_index(to - strip, 256);
                    alignas(64) float buffer[256];
                    #pragma GCC ivdep
                    for (i64 j = 0; j < count; ++j) body_0(x0[at_x0 + (strip + j)], x1[at_x1 + (strip + j - from)], buffer[j], library);
                    // ... as in broadcast
            } else {
                to = left2 < 16 ? row_end : from + least_index(few, left2);
                few = few * 2;
                #pragma GCC ivdep
                for (i64 i = from; i < to; ++i) {
                    const i64 x1_02 = mirror_index(at[9] + i, at[8]);
                    const i64 at_x12 = p0 * at[10] + x1_02;
                    body(x0[at_x0 + i], x1[at_x12], y0[row + i], library);
                }
            }
            from = to;
        // ... as in broadcast
