// gelu(x0) + pow(x0, x0)
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: bits_of, float_of, f16, f32_from_f16, f16_from_f32
// ... shared/library.host.cc: block_widen_f16, block_narrow_f16, block_pow_f32, block_pow_f16, block_gelu_f32, block_gelu_f16
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body_1
// ... shared/heads.host.cc: kiln_gelu_pow_add_f16

    // ... as in functions
        alignas(64) f16 buffer[256];
        block_gelu_f16(library, x0 + strip, buffer, count2);
        alignas(64) f16 buffer2[256];
        block_pow_f16(library, x0 + strip, x0 + strip, buffer2, count2);
        #pragma GCC ivdep
        for (i64 j = 0; j < count2; ++j) body_1(buffer[j], buffer2[j], y0[strip + j], library);
    }
}
