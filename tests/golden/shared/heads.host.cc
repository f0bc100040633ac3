extern "C" void kiln_add4_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);

extern "C" void kiln_add_mul_lt_f64(void* const* parameters, long long begin, long long end, const void* const* library)
{
    double* const y0 = *static_cast<double* const*>(parameters[0]);
    bool* const y1 = *static_cast<bool* const*>(parameters[1]);
    const u8* const x0 = *static_cast<const u8* const*>(parameters[2]);
    const u8* const x1 = *static_cast<const u8* const*>(parameters[3]);
    const double* const x2 = *static_cast<const double* const*>(parameters[4]);
    const double s0 = *static_cast<const double*>(parameters[5]);

extern "C" void kiln_cast4_div_mul_add_rint_u8(void* const* parameters, long long begin, long long end, const void* const* library)
{
    u8* const y0 = *static_cast<u8* const*>(parameters[0]);
    const u8* const x0 = *static_cast<const u8* const*>(parameters[1]);
    const u8* const x1 = *static_cast<const u8* const*>(parameters[2]);
    const u8* const x2 = *static_cast<const u8* const*>(parameters[3]);
    const float s0 = *static_cast<const float*>(parameters[4]);

extern "C" void kiln_abs_scale_c128(void* const* parameters, long long begin, long long end, const void* const* library)
{
    c128* const y0 = *static_cast<c128* const*>(parameters[0]);
    const c128* const x0 = *static_cast<const c128* const*>(parameters[1]);

extern "C" void kiln_mul_c64(void* const* parameters, long long begin, long long end, const void* const* library)
{
    c64* const y0 = *static_cast<c64* const*>(parameters[0]);
    const c64* const x0 = *static_cast<const c64* const*>(parameters[1]);
    const c64 s0 = *static_cast<const c64*>(parameters[2]);

extern "C" void kiln_div2_rem_add_shift_left_popcount_min_cast_i32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    int* const y0 = *static_cast<int* const*>(parameters[0]);
    int* const y1 = *static_cast<int* const*>(parameters[1]);
    u8* const y2 = *static_cast<u8* const*>(parameters[2]);
    const int* const x0 = *static_cast<const int* const*>(parameters[3]);
    const float* const x1 = *static_cast<const float* const*>(parameters[4]);
    const int s0 = *static_cast<const int*>(parameters[5]);
    const float s1 = *static_cast<const float*>(parameters[6]);

extern "C" void kiln_floor_divide_sigmoid_mul_sin_add_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);

extern "C" void kiln_gelu_pow_cbrt_mul_add_f16_axes1(void* const* parameters, long long begin, long long end, const void* const* library)
{
    f16* const y0 = *static_cast<f16* const*>(parameters[0]);
    const f16* const x0 = *static_cast<const f16* const*>(parameters[1]);
    const f16* const x1 = *static_cast<const f16* const*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);

extern "C" void kiln_mul_add_f16(void* const* parameters, long long begin, long long end, const void* const* library)
{
    f16* const y0 = *static_cast<f16* const*>(parameters[0]);
    const f16* const x0 = *static_cast<const f16* const*>(parameters[1]);

extern "C" void kiln_fma_clamp_mul_cast_bf16(void* const* parameters, long long begin, long long end, const void* const* library)
{
    bf16* const y0 = *static_cast<bf16* const*>(parameters[0]);
    const f16* const x0 = *static_cast<const f16* const*>(parameters[1]);
    const f16* const x1 = *static_cast<const f16* const*>(parameters[2]);
    const f16* const x2 = *static_cast<const f16* const*>(parameters[3]);
    const f16* const x3 = *static_cast<const f16* const*>(parameters[4]);
    const f16 s0 = *static_cast<const f16*>(parameters[5]);

extern "C" void kiln_mul2_cast2_add_f16(void* const* parameters, long long begin, long long end, const void* const* library)
{
    f16* const y0 = *static_cast<f16* const*>(parameters[0]);
    const f16* const x0 = *static_cast<const f16* const*>(parameters[1]);
    const f16* const x1 = *static_cast<const f16* const*>(parameters[2]);
    const bf16* const x2 = *static_cast<const bf16* const*>(parameters[3]);
    const bf16 s0 = *static_cast<const bf16*>(parameters[4]);

extern "C" void kiln_cast3_mul_add_u8(void* const* parameters, long long begin, long long end, const void* const* library)
{
    u8* const y0 = *static_cast<u8* const*>(parameters[0]);
    const u8* const x0 = *static_cast<const u8* const*>(parameters[1]);
    const u8* const x1 = *static_cast<const u8* const*>(parameters[2]);
    const float s0 = *static_cast<const float*>(parameters[3]);

extern "C" void kiln_mul_add_round_f16(void* const* parameters, long long begin, long long end, const void* const* library)
{
    f16* const y0 = *static_cast<f16* const*>(parameters[0]);
    const f16* const x0 = *static_cast<const f16* const*>(parameters[1]);

extern "C" void kiln_random_f32_exp_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const i64 index0 = *static_cast<const i64*>(parameters[1]);
    const u64 s0 = *static_cast<const u64*>(parameters[2]);

extern "C" void kiln_add2_exp_f32_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const float* const x2 = *static_cast<const float* const*>(parameters[3]);
    const i64* const at = static_cast<const i64*>(parameters[4]);

extern "C" void kiln_add_exp_f32_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);

extern "C" void kiln_eq_where_sub_exp_f32_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const i64 index0 = *static_cast<const i64*>(parameters[1]);
    const float* const x0 = *static_cast<const float* const*>(parameters[2]);
    const float* const x1 = *static_cast<const float* const*>(parameters[3]);
    const float s0 = *static_cast<const float*>(parameters[4]);
    const i64* const at = static_cast<const i64*>(parameters[5]);

extern "C" void kiln_mul_exp_f32_axes3(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);

extern "C" void kiln_exp_f32_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const i64* const at = static_cast<const i64*>(parameters[2]);

extern "C" void kiln_mul7_add6_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float s0 = *static_cast<const float*>(parameters[2]);
    const float s1 = *static_cast<const float*>(parameters[3]);
    const float s2 = *static_cast<const float*>(parameters[4]);
    const float s3 = *static_cast<const float*>(parameters[5]);
    const float s4 = *static_cast<const float*>(parameters[6]);
    const float s5 = *static_cast<const float*>(parameters[7]);
    const float s6 = *static_cast<const float*>(parameters[8]);

extern "C" void kiln_add_f32_axes2_tile64(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);

extern "C" void kiln_add_c128_axes3_tile32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    c128* const y0 = *static_cast<c128* const*>(parameters[0]);
    const c128* const x0 = *static_cast<const c128* const*>(parameters[1]);
    const c128* const x1 = *static_cast<const c128* const*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);

extern "C" void kiln_cast_take_mul_f32_axes1(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const int* const x0 = *static_cast<const int* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const float s0 = *static_cast<const float*>(parameters[3]);
    const i64* const at = static_cast<const i64*>(parameters[4]);

extern "C" void kiln_exp_mul_f32_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);

extern "C" void kiln_mul2_add_cast_u8_axes1(void* const* parameters, long long begin, long long end, const void* const* library)
{
    u8* const y0 = *static_cast<u8* const*>(parameters[0]);
    const u8* const x0 = *static_cast<const u8* const*>(parameters[1]);
    const u8* const x1 = *static_cast<const u8* const*>(parameters[2]);
    const float s0 = *static_cast<const float*>(parameters[3]);
    const float s1 = *static_cast<const float*>(parameters[4]);

extern "C" void kiln_mul_add_f32_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    float* const y1 = *static_cast<float* const*>(parameters[1]);
    const float* const x0 = *static_cast<const float* const*>(parameters[2]);
    const float* const x1 = *static_cast<const float* const*>(parameters[3]);
    const i64* const at = static_cast<const i64*>(parameters[4]);

extern "C" void kiln_ge_where_f32_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const i64 index0 = *static_cast<const i64*>(parameters[1]);
    const i64 index1 = *static_cast<const i64*>(parameters[2]);
    const float* const x0 = *static_cast<const float* const*>(parameters[3]);
    const float s0 = *static_cast<const float*>(parameters[4]);
    const i64* const at = static_cast<const i64*>(parameters[5]);

extern "C" void kiln_mul_f32_axes1(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const i64* const at = static_cast<const i64*>(parameters[2]);

extern "C" void kiln_mul_add_f32_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const float* const x2 = *static_cast<const float* const*>(parameters[3]);
    const i64* const at = static_cast<const i64*>(parameters[4]);

extern "C" void kiln_lt_where_u8_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
{
    u8* const y0 = *static_cast<u8* const*>(parameters[0]);
    const i64 index0 = *static_cast<const i64*>(parameters[1]);
    const u8* const x0 = *static_cast<const u8* const*>(parameters[2]);
    const u8* const x1 = *static_cast<const u8* const*>(parameters[3]);
    const i64 s0 = *static_cast<const i64*>(parameters[4]);

extern "C" void kiln_add_f32_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);

extern "C" void kiln_mul_add_exp_f32_axes3(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const float* const x2 = *static_cast<const float* const*>(parameters[3]);
    const i64* const at = static_cast<const i64*>(parameters[4]);

extern "C" void kiln_mean_of_mul2_sum_sigmoid_sub_f32_axes2_crossed(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const float* const x2 = *static_cast<const float* const*>(parameters[3]);
    const i64* const at = static_cast<const i64*>(parameters[4]);

extern "C" void kiln_reduction_f32_run0(float* accumulator, const float* values, long long count)
{
    const float identity = 0.0f;
    float lane[16];
    for (int j = 0; j < 16; ++j) lane[j] = identity;
    long long i = 0;
    for (; i + 16 <= count; i += 16) {
        #pragma GCC unroll 1
        for (int j = 0; j < 16; ++j) lane[j] = combine0(lane[j], values[i + j]);
    }
    append_each0(lane, values + i, count - i);
    for (int apart = 16 / 2; apart > 0; apart /= 2) {
        #pragma GCC ivdep
        for (int j = 0; j < apart; ++j) lane[j] = combine0(lane[j], lane[j + apart]);
    }
    *accumulator = combine0(*accumulator, lane[0]);
}

extern "C" void kiln_reduction_f32_clear0(float* accumulators, long long count)
{
    for (long long i = 0; i < count; ++i) accumulators[i] = 0.0f;
}

extern "C" void kiln_reduction_f32_each0(float* accumulators, const float* others, long long count)
{
    append_each0(accumulators, others, count);
}

extern "C" void kiln_reduction_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);

extern "C" void kiln_reduction_f16_run0(f16* accumulator, const f16* values, long long count)
{
    alignas(64) float lanes[2 * 16], next[16];
    f16 rest[16];
    __builtin_memcpy(rest, nothing0, sizeof rest);
    widen0(lanes, rest);
    widen0(lanes + 16, rest);
    long long i = 0;
    for (; i + 16 <= count; i += 16) {
        widen0(next, values + i);
        append0(lanes, next);
    }
    if (i < count) {
        alignas(64) float some[16];
        __builtin_memcpy(some, lanes, sizeof some);
        __builtin_memcpy(rest, values + i, (count - i) * sizeof(f16));
        widen0(next, rest);
        append0(some, next);
        __builtin_memcpy(lanes, some, (count - i) * sizeof(float));
    }
    #pragma GCC unroll 1
    for (int apart = 16 / 2; apart > 0; apart /= 2) append0(lanes, lanes + apart);
    __builtin_memcpy(next, lanes, sizeof next);
    rest[0] = *accumulator;
    widen0(lanes, rest);
    append0(lanes, next);
    narrow0(rest, lanes);
    *accumulator = rest[0];
}

extern "C" void kiln_reduction_f16_clear0(f16* accumulators, long long count)
{
    for (long long i = 0; i < count; i += 16)
        __builtin_memcpy(accumulators + i, nothing0, (count - i < 16 ? count - i : 16) * sizeof(f16));
}

extern "C" void kiln_reduction_f16_each0(f16* accumulators, const f16* others, long long count)
{
    append_each0(accumulators, others, count);
}

extern "C" void kiln_reduction_f16(void* const* parameters, long long begin, long long end, const void* const* library)
{
    f16* const y0 = *static_cast<f16* const*>(parameters[0]);
    const f16* const x0 = *static_cast<const f16* const*>(parameters[1]);

extern "C" void kiln_reduction_bf16_run0(bf16* accumulator, const bf16* values, long long count)
{
    const bf16 identity = static_cast<bf16>(0x3f80);
    bf16 lane[16];
    for (int j = 0; j < 16; ++j) lane[j] = identity;
    long long i = 0;
    for (; i + 16 <= count; i += 16) {
        #pragma GCC unroll 1
        for (int j = 0; j < 16; ++j) lane[j] = combine0(lane[j], values[i + j]);
    }
    append_each0(lane, values + i, count - i);
    for (int apart = 16 / 2; apart > 0; apart /= 2) {
        #pragma GCC ivdep
        for (int j = 0; j < apart; ++j) lane[j] = combine0(lane[j], lane[j + apart]);
    }
    *accumulator = combine0(*accumulator, lane[0]);
}

extern "C" void kiln_reduction_bf16_clear0(bf16* accumulators, long long count)
{
    for (long long i = 0; i < count; ++i) accumulators[i] = static_cast<bf16>(0x3f80);
}

extern "C" void kiln_reduction_bf16_each0(bf16* accumulators, const bf16* others, long long count)
{
    append_each0(accumulators, others, count);
}

extern "C" void kiln_reduction_bf16(void* const* parameters, long long begin, long long end, const void* const* library)
{
    bf16* const y0 = *static_cast<bf16* const*>(parameters[0]);
    const bf16* const x0 = *static_cast<const bf16* const*>(parameters[1]);

extern "C" void kiln_max_sub_exp_sum_div_f32_axes2_persistent(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const i64* const at = static_cast<const i64*>(parameters[2]);

extern "C" void kiln_max_sub_exp_sum_div_f32_axes3_persistent(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const i64* const at = static_cast<const i64*>(parameters[2]);

extern "C" void kiln_mul_max_sub2_exp_sum_log_add_f32_axes2_persistent(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const float* const x2 = *static_cast<const float* const*>(parameters[3]);
    const i64* const at = static_cast<const i64*>(parameters[4]);

extern "C" void kiln_variance_mul_f32_axes2_persistent(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const i64* const at = static_cast<const i64*>(parameters[2]);

extern "C" void kiln_logsumexp_sub_f32_axes2_persistent(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const i64* const at = static_cast<const i64*>(parameters[2]);

extern "C" void kiln_argmax_cast_mul_f32_axes2_persistent(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const i64* const at = static_cast<const i64*>(parameters[2]);

extern "C" void kiln_cast_mean2_sub_square_add_rsqrt_mul2_f32_axes2_persistent(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const f16* const x0 = *static_cast<const f16* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const float s0 = *static_cast<const float*>(parameters[3]);
    const i64* const at = static_cast<const i64*>(parameters[4]);

extern "C" void kiln_max_isfinite_where_sub_exp_sum_log_add_f64_axes2_persistent(void* const* parameters, long long begin, long long end, const void* const* library)
{
    double* const y0 = *static_cast<double* const*>(parameters[0]);
    const double* const x0 = *static_cast<const double* const*>(parameters[1]);
    const i64* const at = static_cast<const i64*>(parameters[2]);

extern "C" void kiln_lennard_jones_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);

extern "C" void kiln_cast2_div_pow_mul_rint_u8(void* const* parameters, long long begin, long long end, const void* const* library)
{
    u8* const y0 = *static_cast<u8* const*>(parameters[0]);
    const u8* const x0 = *static_cast<const u8* const*>(parameters[1]);
    const float s0 = *static_cast<const float*>(parameters[2]);
    const float s1 = *static_cast<const float*>(parameters[3]);
    const float s2 = *static_cast<const float*>(parameters[4]);

extern "C" void kiln_mean_of_sub_mul_f32_axes3_side_by_side(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);

extern "C" void kiln_dot_of_max_add_mul_f32_axes3_tiles(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const float s0 = *static_cast<const float*>(parameters[3]);
    const float s1 = *static_cast<const float*>(parameters[4]);
    const i64* const at = static_cast<const i64*>(parameters[5]);

extern "C" void kiln_sum_of_mul_f32_axes3_tiles(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);

extern "C" void kiln_dot_of_mul_f32_axes2_side_by_side(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);

extern "C" void kiln_mean_of_mul_f32_axes2_rows_in_lanes(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);

extern "C" void kiln_mean_of_sub_mul_f32_parts_in_lanes(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float s0 = *static_cast<const float*>(parameters[2]);

extern "C" void kiln_max_of_cast_mul_f32_axes2_side_by_side(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const u8* const x0 = *static_cast<const u8* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);
