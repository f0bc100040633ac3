// uint8((float32(x0) * s0) + (float32(x1) * s1))
// ... shared/types.host.cc: u8, i64
// ... shared/helpers.host.cc: bits_of, float_of, double_of, rounded, saturated_unsigned
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_mul2_add_cast_u8_axes1

    i64 at[5];
    for (int i = 0; i < 5; ++i) at[i] = static_cast<const i64*>(parameters[5])[i];
    // ... as in contiguous
    const i64 at_x0 = 0;
    const i64 at_x1 = 0;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[at_x0 + i * 3], x1[at_x1 + i * 3], s0, s1, y0[i]);
}
