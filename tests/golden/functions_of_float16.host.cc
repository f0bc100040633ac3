// gelu(x0) + (pow(x0, x0) * cbrt(x1))
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: f16, bits_of, float_of, rounded, f32_from_f16, f16_from_f32, f16_rounded
// ... shared/library.host.cc: cbrt_f16, block_pow_f16, block_gelu_f16
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body_0, body_1
// ... shared/heads.host.cc: kiln_gelu_pow_cbrt_mul_add_f16_axes1

    const i64 at_x1 = 0;
    const f16 x1_of_row = x1[at_x1];
    // ... as in functions
        const i64 count = least_index(end - strip, 256);
        alignas(64) f16 buffer[256];
        #pragma GCC ivdep
        for (i64 j = 0; j < count; ++j) body_0(x1_of_row, buffer[j], library);
        alignas(64) f16 buffer2[256];
        block_gelu_f16(library, x0 + strip, buffer2, count);
        alignas(64) f16 buffer3[256];
        block_pow_f16(library, x0 + strip, x0 + strip, buffer3, count);
        #pragma GCC ivdep
        for (i64 j = 0; j < count; ++j) body_1(buffer2[j], buffer3[j], buffer[j], y0[strip + j], library);
    }
}
