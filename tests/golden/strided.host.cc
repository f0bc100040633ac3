// exp(x0 * x1)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: exp_f32
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_mul_exp_f32_axes3

    i64 p2 = begin % at[3];
    const i64 rest1 = begin / at[3];
    i64 p1 = rest1 % at[2];
    const i64 rest0 = rest1 / at[2];
    // ... as in broadcast
        const i64 row_begin = p2;
        const i64 row_end = at[3] - p2 < end - first ? at[3] : p2 + (end - first);
        // ... as in broadcast
        const i64 at_x0 = p0 * at[7] + p1 * at[8];
        #pragma GCC ivdep
        for (i64 i = row_begin; i < row_end; ++i) body(x0[at_x0 + i * at[9]], x1[row + i], y0[row + i], library);
        first += row_end - row_begin;
        p2 = 0;
        ++p1;
        if (p1 == at[2]) { p1 = 0; ++p0; }
    }
}
