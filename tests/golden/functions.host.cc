// (floor_divide(x0, x0) * sigmoid(x0)) + sin(x0)
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: EXACT_floor, EXACT_copysign, EXACT_fmod, quotient_downwards
// ... shared/library.host.cc: block_sin_f32, block_sigmoid_f32
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body_0, body_1
// ... shared/heads.host.cc: kiln_floor_divide_sigmoid_mul_sin_add_f32

    for (i64 strip = begin; strip < end; strip += 256) {
        const i64 count2 = least_index(end - strip, 256);
        alignas(64) float buffer[256];
        #pragma GCC ivdep
        for (i64 j = 0; j < count2; ++j) body_0(x0[strip + j], buffer[j], library);
        alignas(64) float buffer2[256];
        block_sigmoid_f32(library, x0 + strip, buffer2, count2);
        alignas(64) float buffer3[256];
        block_sin_f32(library, x0 + strip, buffer3, count2);
        #pragma GCC ivdep
        for (i64 j = 0; j < count2; ++j) body_1(buffer[j], buffer2[j], buffer3[j], y0[strip + j], library);
    }
}
