// exp(x0 * x1)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: block_exp_f32
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body_0
// ... shared/heads.host.cc: kiln_mul_exp_f32_axes3

    i64 p2 = begin % at[3];
    const i64 rest1 = begin / at[3];
    i64 p1 = rest1 % at[2];
    const i64 rest0 = rest1 / at[2];
    // ... as in broadcast
        const i64 row_begin = p2;
        const i64 left = end - first;
        const i64 row_end = row_begin + least_index(at[3] - row_begin, left);
        // ... as in broadcast
        const i64 at_x0 = p0 * at[7] + p1 * at[8];
        // ... as in broadcast
            for (i64 j = 0; j < count; ++j) body_0(x0[at_x0 + (strip + j) * at[9]], x1[row + (strip + j)], buffer[j], library);
            // ... as in broadcast
        p2 = 0;
        p1 = p1 + 1;
        if (p1 == at[2]) {
            p1 = 0;
            p0 = p0 + 1;
        }
    }
}
