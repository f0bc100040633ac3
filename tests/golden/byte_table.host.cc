// uint8(rint(pow(float32(x0) / s0, s1) * s2))
// ... shared/types.host.cc: u8, i64
// ... shared/helpers.host.cc: bits_of, float_of, double_of, rounded, saturated_unsigned
// ... shared/library.host.cc: block_pow_f32
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body_0, body_1
// ... shared/heads.host.cc: kiln_cast2_div_pow_mul_rint_u8

    alignas(64) u8 bytes[256];
    for (i64 i = 0; i < 256; ++i) bytes[i] = static_cast<u8>(i);
    alignas(64) u8 made_y0[256];
    for (i64 strip = 0; strip < 256; strip += 256) {
        const i64 count2 = least_index(256 - strip, 256);
        alignas(64) float buffer[256];
        #pragma GCC ivdep
        for (i64 j = 0; j < count2; ++j) body_0(bytes[strip + j], s0, buffer[j], library);
        // ... as in functions
        #pragma GCC ivdep
        for (i64 j = 0; j < count2; ++j) buffer2[j] = s1;
        // ... as in functions
        block_pow_f32(library, buffer, buffer2, buffer3, count2);
        #pragma GCC ivdep
        for (i64 j = 0; j < count2; ++j) body_1(s2, buffer3[j], made_y0[strip + j], library);
    }
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) {
        const i64 entry = static_cast<i64>(x0[i]) & 255;
        y0[i] = made_y0[entry];
    }
}
