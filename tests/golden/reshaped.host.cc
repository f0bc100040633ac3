// exp(x0)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: exp_f32, block_exp_f32
// ... shared/indices.host.cc: least_index, divide_run
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_exp_f32_axes1

    i64 few = 1;
    for (i64 from = begin; from < end;) {
        const i64 left = end - from;
        i64 run = left;
        run = least_index(run, divide_run(at[5] + from, at[3]));
        const i64 x0_0 = static_cast<i64>((at[5] + from) / at[3]);
        const i64 at_x0 = from * at[6] + x0_0 * at[7];
        // ... as in stencil
                for (i64 j = 0; j < count; ++j) buffer[j] = x0[at_x0 + (strip + j - from) * at[6]];
                block_exp_f32(library, buffer, y0 + strip, count);
            }
        } else {
            to = left < 16 ? end : from + least_index(few, left);
            few = few * 2;
            #pragma GCC ivdep
            for (i64 i = from; i < to; ++i) {
                const i64 x0_02 = static_cast<i64>((at[5] + i) / at[3]);
                const i64 at_x02 = i * at[6] + x0_02 * at[7];
                body(x0[at_x02], y0[i], library);
            }
        }
        from = to;
    }
}
