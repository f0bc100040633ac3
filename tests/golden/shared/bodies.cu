__device__ __forceinline__ void body(const float x0, float& y0)
{
    const float t0 = x0 + x0;
    const float t1 = t0 + x0;
    const float t2 = t1 + x0;
    const float t3 = t2 + x0;
    y0 = t3;
}

__device__ __forceinline__ void body(const u8 x0, const u8 x1, const double x2, const double s0, double& y0, bool& y1)
{
    const u8 t0 = u8(u8(x0) + u8(x1));
    const double t1 = double(t0);
    const double t2 = t1 * x2;
    const bool t3 = x2 < s0;
    y0 = t2;
    y1 = t3;
}

__device__ __forceinline__ void body(const float x0, const float x1, const float x2, const float x3, const float x4, float& y0)
{
    const float t0 = x0 + x1;
    const float t1 = t0 + x2;
    const float t2 = t1 + x3;
    const float t3 = t2 * x4;
    y0 = t3;
}

__device__ __forceinline__ void body(const float x0, const float x1, float& y0)
{
    const float t0 = x0 + x1;
    y0 = t0;
}

__device__ __forceinline__ void body(const c128 x0, c128& y0)
{
    const c128 t0 = complex_add(x0, x0);
    y0 = t0;
}

__device__ __forceinline__ void body(const i64 index0, const float s0, float& y0)
{
    const float t0 = float(index0);
    const float t1 = s0 + t0;
    y0 = t1;
}

__device__ __forceinline__ void body(const f16 x0, f16& y0)
{
    const f16 t0 = f16_mul(x0, x0);
    const f16 t1 = f16_from_f32(expf(f32_from_f16(x0)));
    const f16 t2 = f16_add(t0, t1);
    y0 = t2;
}

__device__ __forceinline__ void body(const u8 x0, const u8 x1, const u8 x2, const float s0, u8& y0)
{
    const float t0 = float(x0);
    const float t1 = quotient_by_scalar(t0, s0);
    const float t2 = float(x1);
    const float t3 = t1 * t2;
    const float t4 = float(x2);
    const float t5 = t3 + t4;
    const u8 t7 = u8(CONVERTED("rni.u8", t5));
    y0 = t7;
}

__device__ __forceinline__ void body(const u8 x0, const float s0, const float s1, const float s2, u8& y0)
{
    const float t0 = float(x0);
    const float t1 = quotient_by_scalar(t0, s0);
    const float t2 = f32_pow(t1, s1);
    const float t3 = t2 * s2;
    const u8 t5 = u8(CONVERTED("rni.u8", t3));
    y0 = t5;
}

__device__ __forceinline__ void body(const float x0, const float s0, const float s1, float& y0)
{
    const bool t0 = x0 > s0;
    const float t1 = t0 ? float(1) : float(0);
    const bool t2 = x0 > s1;
    const float t4 = t2 ? t1 + 1.0f : t1;
    y0 = t4;
}

__device__ __forceinline__ void body(const float x0, const float s0, const float s1, const float s2, const float s3, float& y0)
{
    const float t0 = x0 + s0;
    const float t1 = x0 / t0;
    const float t2 = x0 + s1;
    const float t3 = t1 / t2;
    const float t4 = x0 + s2;
    const float t5 = t3 / t4;
    const float t6 = x0 + s3;
    const float t7 = t5 / t6;
    y0 = t7;
}

__device__ __forceinline__ void body(const float x0, float& y0, float& y1, float& y2)
{
    const float t0 = sqrtf(x0);
    const float t1 = x0 * t0;
    const float t2 = t1 + x0;
    const float t3 = float(1) / t2;
    const float t4 = fabsf(x0);
    const float t5 = sqrtf(t4);
    const float t6 = t4 * t5;
    const float t7 = x0 / t6;
    y0 = t0;
    y1 = t3;
    y2 = t7;
}

__device__ __forceinline__ void body(const float x0, float& y0)
{
    const float t0 = root_in_range(x0);
    const float t1 = reciprocal_in_range(x0);
    const float t2 = t0 * t1;
    const float t3 = x0 * x0;
    const float t4 = quotient_by_positive_in_range(x0, t3);
    const float t5 = rsqrt_of_normal(x0);
    const float t6 = t4 * t5;
    const float t7 = t2 + t6;
    y0 = t7;
}

__device__ __forceinline__ void body(const f16 x0, f16& y0)
{
    const f16 t0 = f16_from_f32(rest_downwards(f32_from_f16(x0), f32_from_f16(x0)));
    const f16 t1 = f16_from_f32(rest_downwards(f32_from_f16(x0), f32_from_f16(t0)));
    const f16 t2 = f16_from_f32(rest_downwards(f32_from_f16(x0), f32_from_f16(t1)));
    y0 = t2;
}

__device__ __forceinline__ void body(const i64 index0, const u64 s0, float& y0)
{
    const u64 t0 = u64(index0);
    const float t1 = draw_f32(t0, s0);
    y0 = t1;
}

__device__ __forceinline__ void body(const c128 x0, c128& y0)
{
    const double t0 = LIBRARY_hypot(x0.re, x0.im);
    const c128 t1 = complex_of(x0.re * t0, x0.im * t0);
    y0 = t1;
}

__device__ __forceinline__ void body(const c64 x0, const c64 s0, c64& y0)
{
    const c64 t0 = complex_mul(x0, s0);
    y0 = t0;
}

__device__ __forceinline__ void body(const int x0, const float x1, const int s0, const float s1, int& y0, int& y1, u8& y2)
{
    const int t0 = int(signed_quotient(int(x0), int(x0)));
    const int t1 = int(signed_rest(int(x0), int(x0)));
    const int t2 = int(u32(t0) + u32(t1));
    const int t3 = u32(s0) < u32(sizeof(int) * 8) ? int(1u * u32(x0) << u32(s0)) : int(0);
    const int t4 = int(__popcll(u32(x0)));
    const int t5 = int(signed_quotient(int(t3), int(t4)));
    const float t6 = (x1 == x1) & !(s1 >= x1) ? s1 : x1;
    const u8 t7 = u8(CONVERTED("rzi.u8", t6));
    y0 = t2;
    y1 = t5;
    y2 = t7;
}

__device__ __forceinline__ void body(const int x0, const i64 x1, const int s0, const int s1, const int s2, const i64 s3, const u32 s4, const i64 d0, const i64 d1, const i64 d2, const i64 d3, const i64 d4, int& y0, i64& y1, u32& y2)
{
    const int t0 = quotient_by_i32(x0, s0, d0);
    const int t1 = whole_rest_downwards<u32>(t0, s1, quotient_by_i32(t0, s1, d1));
    const int t2 = whole_quotient_downwards<u32>(x0, s2, quotient_by_i32(x0, s2, d2));
    const int t3 = int(u32(t1) - u32(t2));
    const i64 t4 = whole_rest<u64>(x1, s3, quotient_by_i64(x1, s3, d3));
    const u32 t5 = u32(x0);
    const u32 t6 = quotient_by_u32(t5, s4, d4);
    y0 = t3;
    y1 = t4;
    y2 = t6;
}

__device__ __forceinline__ void body(const float x0, float& y0)
{
    const float t0 = quotient_downwards(x0, x0);
    const float t1 = logistic(x0);
    const float t2 = t0 * t1;
    const float t3 = sinf(x0);
    const float t4 = t2 + t3;
    y0 = t4;
}

__device__ __forceinline__ void body(const i64 index0, const u64 s0, double& y0)
{
    const u64 t0 = u64(index0);
    const double t1 = draw_normal(t0, s0);
    y0 = t1;
}

__device__ __forceinline__ void body(const float x0, float& y0)
{
    const float t0 = x0 * x0;
    const float t1 = t0 + x0;
    y0 = t1;
}

__device__ __forceinline__ void body(const float x0, const float x1, const float x2, float& y0)
{
    const float t0 = x0 + x1;
    const float t1 = t0 + x2;
    const float t2 = expf(t1);
    y0 = t2;
}

__device__ __forceinline__ void body(const float x0, const float x1, float& y0)
{
    const float t0 = x0 + x1;
    const float t1 = expf(t0);
    y0 = t1;
}

__device__ __forceinline__ void body(const i64 index0, const float x0, const i64 index1, const float x1, const i64 index2, const float x2, const i64 index3, const float x3, const i64 index4, const float x4, const float x5, const float s0, const float s1, const float s2, const float s3, const float s4, float& y0)
{
    const bool t0 = index0 == i64(0ll);
    const float t1 = t0 ? x0 : s0;
    const bool t2 = index1 == i64(0ll);
    const float t3 = t2 ? x1 : s1;
    const float t4 = t1 + t3;
    const bool t5 = index2 == i64(0ll);
    const float t6 = t5 ? x2 : s2;
    const float t7 = t4 + t6;
    const bool t8 = index3 == i64(0ll);
    const float t9 = t8 ? x3 : s3;
    const float t10 = t7 + t9;
    const bool t11 = index4 == i64(0ll);
    const float t12 = t11 ? x4 : s4;
    const float t13 = t10 + t12;
    const float t14 = t13 - x5;
    y0 = t14;
}

__device__ __forceinline__ void body(const i64 index0, const float x0, const float x1, const float s0, float& y0)
{
    const bool t0 = index0 == i64(0ll);
    const float t1 = t0 ? x0 : s0;
    const float t2 = t1 - x1;
    const float t3 = expf(t2);
    y0 = t3;
}

__device__ __forceinline__ void body(const float x0, const float x1, float& y0)
{
    const float t0 = x0 * x1;
    const float t1 = expf(t0);
    y0 = t1;
}

__device__ __forceinline__ void body(const f16 x0, const f16 s0, f16& y0)
{
    const f16 t0 = f16_mul(x0, s0);
    y0 = t0;
}

__device__ __forceinline__ void body(const u8 x0, const float x1, float& y0)
{
    const float t0 = float(x0);
    const float t1 = t0 * x1;
    y0 = t1;
}

__device__ __forceinline__ void body(const int x0, const float* x1, const float s0, const layout& at, const int p0, float& y0)
{
    const i64 t0 = i64(x0);
    const int t1_0 = lookup_index(t0, int(at.word[3]));
    const float t1 = x1[t1_0];
    const float t2 = t1 * s0;
    y0 = t2;
}

__device__ __forceinline__ void body(const int x0, const float* x1, const layout& at, const int p0, const int p1, float& y0)
{
    const i64 t0 = i64(x0);
    const int t1_0 = lookup_index(t0, int(at.word[5]));
    const int t1_1 = int(divide(int(at.word[8]) + p0 * int(at.word[9]) + t1_0, at.word[7]));
    const float t1 = x1[p0 * int(at.word[10]) + t1_0 * int(at.word[11]) + t1_1 * int(at.word[12])];
    y0 = t1;
}

__device__ __forceinline__ void body(const float x0, float& y0)
{
    const float t0 = expf(x0);
    y0 = t0;
}

__device__ __forceinline__ void body(const float x0, const float x1, float& y0, float& y1)
{
    const float t0 = x0 * x1;
    const float t1 = x1 + x1;
    y0 = t0;
    y1 = t1;
}

__device__ __forceinline__ void body(const i64 index0, const i64 index1, const float x0, const float s0, float& y0)
{
    const bool t0 = index0 >= index1;
    const float t1 = t0 ? x0 : s0;
    y0 = t1;
}

__device__ __forceinline__ void body(const i64 index0, const i64 index1, const float s0, const float s1, float& y0)
{
    const bool t0 = index0 >= index1;
    const float t1 = t0 ? s0 : s1;
    y0 = t1;
}

__device__ __forceinline__ void body(const float x0, float& y0)
{
    const float t0 = x0 * x0;
    y0 = t0;
}

__device__ __forceinline__ void body(const float x0, const float x1, const float x2, float& y0)
{
    const float t0 = x0 * x1;
    const float t1 = t0 + x2;
    y0 = t1;
}

__device__ __forceinline__ void body(const f16 x0, f16& y0)
{
    y0 = x0;
}

__device__ __forceinline__ void body(const bf16 x0, bf16& y0)
{
    y0 = x0;
}

__device__ __forceinline__ void body(const c64 x0, c64& y0)
{
    y0 = x0;
}

__device__ __forceinline__ void body(const float x0, float& y0)
{
    y0 = x0;
}

__device__ __forceinline__ void body(const f16 x0, float& y0, f16& y1)
{
    const float t0 = float(f32_from_f16(x0));
    y0 = t0;
    y1 = x0;
}

__device__ __forceinline__ void body(const float x0, const float s0, const float s1, const float s2, const float s3, const float s4, const float s5, const float s6, const float s7, const float s8, const float s9, const float s10, const float s11, const float s12, const float s13, const float s14, const float s15, const float s16, const float s17, const float s18, const float s19, bf16& y0)
{
    const float t0 = x0 * x0;
    const float t1 = t0 + s0;
    const float t2 = t1 * x0;
    const float t3 = t2 + s1;
    const float t4 = t3 * x0;
    const float t5 = t4 + s2;
    const float t6 = t5 * x0;
    const float t7 = t6 + s3;
    const float t8 = t7 * x0;
    const float t9 = t8 + s4;
    const float t10 = t9 * x0;
    const float t11 = t10 + s5;
    const float t12 = t11 * x0;
    const float t13 = t12 + s6;
    const float t14 = t13 * x0;
    const float t15 = t14 + s7;
    const float t16 = t15 * x0;
    const float t17 = t16 + s8;
    const float t18 = t17 * x0;
    const float t19 = t18 + s9;
    const float t20 = t19 * x0;
    const float t21 = t20 + s10;
    const float t22 = t21 * x0;
    const float t23 = t22 + s11;
    const float t24 = t23 * x0;
    const float t25 = t24 + s12;
    const float t26 = t25 * x0;
    const float t27 = t26 + s13;
    const float t28 = t27 * x0;
    const float t29 = t28 + s14;
    const float t30 = t29 * x0;
    const float t31 = t30 + s15;
    const float t32 = t31 * x0;
    const float t33 = t32 + s16;
    const float t34 = t33 * x0;
    const float t35 = t34 + s17;
    const float t36 = t35 * x0;
    const float t37 = t36 + s18;
    const float t38 = t37 * x0;
    const float t39 = t38 + s19;
    const bf16 t40 = bf16_from_f32(t39);
    y0 = t40;
}

__device__ __forceinline__ void body(const float x0, const float x1, float& y0)
{
    const float t0 = x0 * x1;
    y0 = t0;
}

__device__ __forceinline__ void body(const float x0, const float x1, float& y0)
{
    const float t0 = x0 - x1;
    const float t1 = t0 * t0;
    y0 = t1;
}

__device__ __forceinline__ void element_0(const float x0, const float x1, float& y0)
{
    const float t0 = x0 - x1;
    const float t1 = t0 * t0;
    y0 = t1;
}

static __device__ __noinline__ float row_1_exact(const float t2)
{
    const float t3 = sqrtf(t2);
    return t3;
}

__device__ __forceinline__ void row_1(const float t2, float& y0)
{
    float t3 = root_in_range(t2);
    bool in_range = is_root_in_range(t3);
    if (!in_range) t3 = row_1_exact(t2);
    y0 = t3;
}

__device__ __forceinline__ void element(const float x0, const float x1, float& y0)
{
    const float t0 = x0 * x1;
    y0 = t0;
}

__device__ __forceinline__ void body(const f16 x0, const f16 x1, float& y0)
{
    const float t0 = float(f32_from_f16(x0));
    const float t1 = float(f32_from_f16(x1));
    const float t2 = t0 * t1;
    y0 = t2;
}

__device__ __forceinline__ void body(const bf16 x0, const bf16 x1, float& y0)
{
    const float t0 = float(f32_from_bf16(x0));
    const float t1 = float(f32_from_bf16(x1));
    const float t2 = t0 * t1;
    y0 = t2;
}

__device__ __forceinline__ void make_x0(const f16 x0, const f16 s0, f16& y0)
{
    const f16 t0 = f16_from_f32((f32_from_f16(x0) == f32_from_f16(x0)) & !(f32_from_f16(s0) <= f32_from_f16(x0)) ? f32_from_f16(s0) : f32_from_f16(x0));
    y0 = t0;
}

__device__ __forceinline__ void make_x1(const bf16 x1, const bf16 s0, bf16& y0)
{
    const bf16 t1 = bf16_mul(x1, s0);
    y0 = t1;
}

__device__ __forceinline__ void body(const u32 x0, const u32 x1, u64& y0)
{
    const u32 t0 = u32(x0 & x1);
    const u32 t1 = u32(__popcll(u32(t0)));
    const u64 t2 = u64(t1);
    y0 = t2;
}

__device__ __forceinline__ void body(const float x0, const float x1, const float s0, const float s1, float& y0)
{
    const float t0 = x0 - x1;
    const float t1 = t0 * t0;
    const float t2 = t1 + s0;
    const float t3 = s1 / t2;
    y0 = t3;
}

__device__ __forceinline__ void fast_body(const float x0, const float x1, const float s0, const float s1, float& y0, bool& in_range)
{
    const float t0 = x0 - x1;
    const float t1 = t0 * t0;
    const float t2 = t1 + s0;
    const float t3 = quotient_in_range(s1, t2);
    in_range = in_range & is_quotient_in_range(s1, t3);
    y0 = t3;
}

__device__ __forceinline__ void body(const float x0, const float x1, const float s0, const float s1, const float s2, float& y0)
{
    const float t0 = x0 - x1;
    const float t1 = t0 * t0;
    const float t2 = rsqrtf(t1);
    const float t3 = sqrtf(t1);
    const float t4 = s0 / t3;
    const float t5 = t2 + t4;
    const float t6 = t1 + s1;
    const float t7 = s2 / t6;
    const float t8 = t5 + t7;
    y0 = t8;
}

__device__ __forceinline__ void fast_body(const float x0, const float x1, const float s0, const float s1, const float s2, float& y0, bool& in_range)
{
    const float t0 = x0 - x1;
    const float t1 = t0 * t0;
    const float t2 = rsqrt_of_normal(t1);
    in_range = in_range & is_rsqrt_of_normal(t2);
    const float t3 = root_in_range(t1);
    const float t4 = quotient_by_positive_in_range(s0, t3);
    in_range = in_range & is_quotient_by_root_in_range(s0, t4);
    const float t5 = t2 + t4;
    const float t6 = t1 + s1;
    const float t7 = quotient_by_positive_in_range(s2, t6);
    in_range = in_range & is_scalar_in_range(s2);
    const float t8 = t5 + t7;
    y0 = t8;
}

__device__ __forceinline__ void body(const float x0, const float x1, float& y0, float& y1, float& y2)
{
    const float t0 = x0 - x1;
    const float t1 = rsqrtf(t0);
    const float t2 = root_of_any(t0);
    y0 = t1;
    y1 = t2;
    y2 = t0;
}

__device__ __forceinline__ void fast_body(const float x0, const float x1, float& y0, float& y1, float& y2, bool& in_range)
{
    const float t0 = x0 - x1;
    const float t1 = rsqrt_of_normal(t0);
    in_range = in_range & is_rsqrt_of_normal(t1);
    const float t2 = root_in_range(t0);
    in_range = in_range & is_root_in_range(t2);
    y0 = t1;
    y1 = t2;
    y2 = t0;
}

__device__ __forceinline__ void body(const float x0, const float x1, float& y0, float& y1, float& y2)
{
    const float t0 = x0 - x1;
    const float t1 = t0 * t0;
    const float t2 = root_of_any(t1);
    const float t3 = reciprocal_of_root(t2);
    const float t4 = t3 * t0;
    const float t5 = t3 * t3;
    y0 = t3;
    y1 = t4;
    y2 = t5;
}

__device__ __forceinline__ void fast_body(const float x0, const float x1, float& y0, float& y1, float& y2, bool& in_range)
{
    const float t0 = x0 - x1;
    const float t1 = t0 * t0;
    const float t2 = root_in_range(t1);
    const float t3 = reciprocal_in_range(t2);
    in_range = in_range & is_quotient_by_root_in_range(1.0f, t3);
    const float t4 = t3 * t0;
    const float t5 = t3 * t3;
    y0 = t3;
    y1 = t4;
    y2 = t5;
}

__device__ __forceinline__ void body(const u8 x0, const float x1, const float x2, const float s0, float& y0)
{
    const float t0 = float(x0);
    const float t1 = quotient_by_scalar(t0, s0);
    const float t2 = t1 * x1;
    const float t3 = t2 - x2;
    y0 = t3;
}

__device__ __forceinline__ void element_0(const u8 x0, const float x1, float& y0)
{
    const float t0 = float(x0);
    const float t1 = t0 * x1;
    y0 = t1;
}

__device__ __forceinline__ void row_1(const float t2, float& y0)
{
    const float t3 = rintf(t2);
    y0 = t3;
}

__device__ __forceinline__ void body(const f16 x0, float& y0, float& y1)
{
    const float t0 = float(f32_from_f16(x0));
    y0 = t0;
    y1 = t0;
}

__device__ __forceinline__ void body(const c64 x0, float& y0, float& y1)
{
    const float t0 = x0.im;
    const float t1 = x0.re;
    y0 = t0;
    y1 = t1;
}

__device__ __forceinline__ void element_of_row(const float x0, const float x1, float& y0)
{
    const float t0 = x0 - x1;
    const float t1 = t0 * t0;
    y0 = t1;
}

__device__ __forceinline__ void element_of_row(const float x0, const float x1, float& y0)
{
    const float t0 = x0 * x1;
    y0 = t0;
}

__device__ __forceinline__ void row_0(const float x2, const float t1, float& y0)
{
    const float t2 = logistic(t1);
    const float t3 = t2 - x2;
    y0 = t3;
}

__device__ __forceinline__ void result_of_row(const float x0, const float t3, float& y0)
{
    const float t4 = t3 * x0;
    y0 = t4;
}

__device__ __forceinline__ void body(const double x0, const double s0, const double s1, double& y0, double& y1)
{
    const double t0 = x0 + s0;
    const double t1 = x0 + s1;
    y0 = t0;
    y1 = t1;
}

__device__ __forceinline__ void element_1(const float x0, const float t0, float& y0)
{
    const float t1 = x0 - t0;
    const float t2 = expf(t1);
    y0 = t2;
}

static __device__ __noinline__ float element_2_exact(const float t2, const float t3)
{
    const float t4 = t2 / t3;
    return t4;
}

struct element_2_made { float y0; };

static __device__ __noinline__ element_2_made element_2_called(const float t2, const float t3)
{
    float t4 = quotient_by_positive_in_range(t2, t3);
    bool in_range = is_quotient_in_range(t2, t4);
    if (!in_range) t4 = element_2_exact(t2, t3);
    return {t4};
}

__device__ __forceinline__ void element_2(const float t2, const float t3, float& y0)
{
    const element_2_made made = element_2_called(t2, t3);
    y0 = made.y0;
}

__device__ __forceinline__ void fast_element_2(const float t2, const float t3, float& y0, bool& in_range)
{
    const float t4 = quotient_by_positive_in_range(t2, t3);
    in_range = in_range & is_quotient_in_range(t2, t4);
    y0 = t4;
}

__device__ __forceinline__ void element_0(const f16 x0, float& y0)
{
    const float t0 = float(f32_from_f16(x0));
    y0 = t0;
}

__device__ __forceinline__ void element_1(const f16 x0, const f16 x1, const float t1, f16& y0)
{
    const float t0 = float(f32_from_f16(x0));
    const float t2 = t0 - t1;
    const f16 t3 = f16_from_f32(t2);
    const f16 t4 = f16_mul(t3, x1);
    y0 = t4;
}

__device__ __forceinline__ void element_1(const f16 x0, const f16 x1, const float t1, f16& y0)
{
    const float t0 = float(f32_from_f16(x0));
    const float t2 = t0 - t1;
    const float t3 = float(f32_from_f16(x1));
    const float t4 = t2 * t3;
    const f16 t5 = f16_from_f32(t4);
    y0 = t5;
}

__device__ __forceinline__ void element_anew_0(const f16 x0, float& y0)
{
    const float t0 = float(f32_from_f16(x0));
    y0 = t0;
}

__device__ __forceinline__ void element_anew_1(const f16 x0, const float t1, f16& y0)
{
    const float t0 = float(f32_from_f16(x0));
    const float t2 = t0 - t1;
    const f16 t3 = f16_from_f32(t2);
    y0 = t3;
}

__device__ __forceinline__ void element_1(const f16 x0, const float t1, float& y0)
{
    const float t0 = float(f32_from_f16(x0));
    const float t2 = t0 - t1;
    const float t3 = t2 * t2;
    y0 = t3;
}

__device__ __forceinline__ void row_2(const float s0, const float t4, float& y0)
{
    const float t5 = t4 + s0;
    const float t6 = rsqrtf(t5);
    y0 = t6;
}

__device__ __forceinline__ void element_2(const f16 x0, const float x1, const float t1, const float t6, float& y0)
{
    const float t0 = float(f32_from_f16(x0));
    const float t2 = t0 - t1;
    const float t7 = t2 * t6;
    const float t8 = t7 * x1;
    y0 = t8;
}

struct element_1_results { float t3; float t5; };

static __device__ __noinline__ element_1_results element_1_exact(const float t2, const float t4)
{
    const float t3 = sqrtf(t2);
    const float t5 = float(1) / t4;
    return {t3, t5};
}

struct element_1_made { float y0; float y1; };

static __device__ __noinline__ element_1_made element_1_called(const f16 x0, const float t1)
{
    const float t0 = float(f32_from_f16(x0));
    const float t2 = t0 - t1;
    float t3 = root_in_range(t2);
    bool in_range = is_root_in_range(t3);
    const float t4 = t2 + t0;
    float t5 = reciprocal_in_range(t4);
    in_range = in_range & is_reciprocal_in_range(t5);
    if (!in_range) {
        const element_1_results exact = element_1_exact(t2, t4);
        t3 = exact.t3;
        t5 = exact.t5;
    }
    return {t3, t5};
}

__device__ __forceinline__ void element_1(const f16 x0, const float t1, float& y0, float& y1)
{
    const element_1_made made = element_1_called(x0, t1);
    y0 = made.y0;
    y1 = made.y1;
}

__device__ __forceinline__ void fast_element_1(const f16 x0, const float t1, float& y0, float& y1, bool& in_range)
{
    const float t0 = float(f32_from_f16(x0));
    const float t2 = t0 - t1;
    const float t3 = root_in_range(t2);
    in_range = in_range & is_root_in_range(t3);
    const float t4 = t2 + t0;
    const float t5 = reciprocal_in_range(t4);
    in_range = in_range & is_reciprocal_in_range(t5);
    y0 = t3;
    y1 = t5;
}

static __device__ __noinline__ element_2_made element_2_called(const float t2, const float t3)
{
    const float t4 = t2 / t3;
    return {t4};
}

__device__ __forceinline__ void fast_element_2(const float t2, const float t3, float& y0, bool& in_range)
{
    const float t4 = quotient_by_positive_of_column_in_range(t2, t3);
    in_range = in_range & is_quotient_in_range(t2, t4);
    y0 = t4;
}

__device__ __forceinline__ void element_1(const float x0, const float t0, float& y0)
{
    const float t1 = x0 - t0;
    const float t2 = t1 * t1;
    y0 = t2;
}

__device__ __forceinline__ void row_2(const float t3, float& y0)
{
    const float t4 = sqrtf(t3);
    y0 = t4;
}

__device__ __forceinline__ void fast_row_2(const float t3, float& y0, bool& in_range)
{
    const float t4 = root_in_range(t3);
    in_range = in_range & is_root_in_range(t4);
    y0 = t4;
}

__device__ __forceinline__ void element_2(const float x0, const float t0, const float t4, float& y0)
{
    const float t1 = x0 - t0;
    const float t5 = t1 / t4;
    y0 = t5;
}

__device__ __forceinline__ void fast_element_2(const float x0, const float t0, const float t4, float& y0, bool& in_range)
{
    const float t1 = x0 - t0;
    const float t5 = quotient_by_positive_of_column_in_range(t1, t4);
    in_range = in_range & is_quotient_in_range(t1, t5);
    y0 = t5;
}

__device__ __forceinline__ void element_1(const float x0, const float t0, float& y0)
{
    const float t1 = x0 / t0;
    y0 = t1;
}

__device__ __forceinline__ void element_0(const i64 index0, const i64 x0, const float x1, const float s0, float& y0)
{
    const bool t0 = index0 < x0;
    const float t1 = t0 ? x1 : s0;
    y0 = t1;
}

__device__ __forceinline__ void element_1(const float t1, const float t2, float& y0)
{
    const float t3 = t1 - t2;
    const float t4 = expf(t3);
    y0 = t4;
}

static __device__ __noinline__ float element_2_exact(const float t4, const float t5)
{
    const float t6 = t4 / t5;
    return t6;
}

static __device__ __noinline__ element_2_made element_2_called(const float x2, const float t4, const float t5)
{
    float t6 = quotient_by_positive_in_range(t4, t5);
    bool in_range = is_quotient_in_range(t4, t6);
    if (!in_range) t6 = element_2_exact(t4, t5);
    const float t7 = t6 * x2;
    return {t7};
}

__device__ __forceinline__ void element_2(const float x2, const float t4, const float t5, float& y0)
{
    const element_2_made made = element_2_called(x2, t4, t5);
    y0 = made.y0;
}

__device__ __forceinline__ void fast_element_2(const float x2, const float t4, const float t5, float& y0, bool& in_range)
{
    const float t6 = quotient_by_positive_in_range(t4, t5);
    in_range = in_range & is_quotient_in_range(t4, t6);
    const float t7 = t6 * x2;
    y0 = t7;
}

__device__ __forceinline__ void element_1(const float t2, const float t3, float& y0)
{
    const float t4 = t2 - t3;
    y0 = t4;
}

__device__ __forceinline__ void row_1(const double t0, double& y0)
{
    const bool t1 = t0 - t0 == double(0);
    const double t2 = t1 ? t0 : 0.0;
    y0 = t2;
}

__device__ __forceinline__ void element_1(const double x0, const double t2, double& y0)
{
    const double t3 = x0 - t2;
    const double t4 = exp(t3);
    y0 = t4;
}

__device__ __forceinline__ void row_2(const double t2, const double t5, double& y0)
{
    const double t6 = log(t5);
    const double t7 = t6 + t2;
    y0 = t7;
}

__device__ __forceinline__ void element_0(const i64 index0, const u64 s0, const float s1, const float s2, float& y0)
{
    const u64 t0 = u64(index0);
    const float t1 = draw_f32(t0, s0);
    const float t2 = t1 * s1;
    const float t3 = t2 - s2;
    y0 = t3;
}

__device__ __forceinline__ void element_1(const float t4, float& y0)
{
    const float t5 = expf(t4);
    y0 = t5;
}

__device__ __forceinline__ void row_2(const float s3, const float s4, const float t6, float& y0)
{
    const float t7 = t6 - s3;
    const float t8 = (t7 == t7) & !(s4 <= t7) ? s4 : t7;
    y0 = t8;
}

__device__ __forceinline__ void body(const float x0, float& y0)
{
    const float t0 = user0_lennard_jones(x0);
    y0 = t0;
}
