// exp(x0 + x1)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: exp_f32
// ... shared/indices.host.cc: clamp_index, mirror_index, least_index, inside_run
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_add_exp_f32_axes2

    // ... as in broadcast
        const i64 x0_0 = clamp_index(at[6] + p0, at[5]);
        const i64 at_x0 = x0_0 * at[7];
        for (i64 from = row_begin, to, few = 1; from < row_end; from = to) {
            i64 run = row_end - from;  // elements that go on as the first one does
            run = least_index(run, inside_run(at[9] + from, at[8]));
            const i64 x1_0 = mirror_index(at[9] + from, at[8]);
            const i64 at_x1 = p0 * at[10] + x1_0 - from;
            if (run >= 16) {
                to = from + run;
                few = 1;
                #pragma GCC ivdep
                for (i64 i = from; i < to; ++i) body(x0[at_x0 + i], x1[at_x1 + i], y0[row + i], library);
            } else {
                to = row_end - from < 16 ? row_end : from + least_index(few, row_end - from);
                few *= 2;
                #pragma GCC ivdep
                for (i64 i = from; i < to; ++i) {
                    const i64 x1_0 = mirror_index(at[9] + i, at[8]);
                    const i64 at_x1 = p0 * at[10] + x1_0;
                    body(x0[at_x0 + i], x1[at_x1], y0[row + i], library);
                }
            }
        }
        first += row_end - row_begin;
        p1 = 0;
        ++p0;
    }
}
