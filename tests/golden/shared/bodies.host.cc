static inline __attribute__((always_inline)) void body(const float x0, float& y0)
{
    const float t0 = x0 + x0;
    const float t1 = t0 + x0;
    const float t2 = t1 + x0;
    const float t3 = t2 + x0;
    y0 = t3;
}

static inline __attribute__((always_inline)) void body(const u8 x0, const u8 x1, const double x2, const double s0, double& y0, bool& y1)
{
    const u8 t0 = u8(u8(x0) + u8(x1));
    const double t1 = double(t0);
    const double t2 = t1 * x2;
    const bool t3 = x2 < s0;
    y0 = t2;
    y1 = t3;
}

static inline __attribute__((always_inline)) void vector_body(const f32_vector& x0, const f32_vector& x1, const f32_vector& x2, const f32_vector& s0, f32_vector& y0)
{
    const auto t0 = x0;
    const auto t1 = t0 / s0;
    const auto t2 = x1;
    const auto t3 = t1 * t2;
    const auto t4 = x2;
    const auto t5 = t3 + t4;
    const auto t6 = rint_vector(t5);
    const auto t7 = in_stored_byte(t5);
    y0 = t7;
}

[[gnu::noinline]] static void words_body(const u8* const x0, const u8* const x1, const u8* const x2, const float s0, u8* const y0, const i64 count)
{
    const f32_vector all_s0 = vector_of(s0);
    for (i64 first = 0; first < count; first += WORD_BYTES) {
        const u32_vector words_x0 = load_words(x0 + first);
        const u32_vector words_x1 = load_words(x1 + first);
        const u32_vector words_x2 = load_words(x2 + first);
        f32_vector made_y0[4];
        #pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) vector_body(byte_of(words_x0, k), byte_of(words_x1, k), byte_of(words_x2, k), all_s0, made_y0[k]);
        store_bytes(y0 + first, made_y0);
    }
}

static inline __attribute__((always_inline)) void block_body(const u8* const x0, const i64 x0_apart, const u8* const x1, const i64 x1_apart, const u8* const x2, const i64 x2_apart, const float s0, u8* const y0, const i64 count, const bool past_caches)
{
    alignas(64) u8 own_y0[512];
    u8* const to_y0 = block_to<512>(y0, count, past_caches, own_y0);
    const i64 whole = count / WORD_BYTES * WORD_BYTES;
    words_body(x0, x1, x2, s0, to_y0, whole);
    if (whole < count) {
        u8 rest_x0[WORD_BYTES] = {};
        copy_rest(rest_x0, x0 + whole, count - whole);
        u8 rest_x1[WORD_BYTES] = {};
        copy_rest(rest_x1, x1 + whole, count - whole);
        u8 rest_x2[WORD_BYTES] = {};
        copy_rest(rest_x2, x2 + whole, count - whole);
        u8 rest_y0[WORD_BYTES];
        words_body(rest_x0, rest_x1, rest_x2, s0, rest_y0, WORD_BYTES);
        copy_rest(to_y0 + whole, rest_y0, count - whole);
    }
    finish_block<512>(y0, to_y0);
}

static inline __attribute__((always_inline)) void body(const c128 x0, c128& y0, const void* const* library)
{
    const double t0 = LIBRARY_hypot(library, x0.re, x0.im);
    const c128 t1 = complex_of(x0.re * t0, x0.im * t0);
    y0.re = t1.re;
    y0.im = t1.im;
}

static inline __attribute__((always_inline)) void body(const c64 x0, const c64 s0, c64& y0)
{
    const c64 t0 = complex_mul(x0, s0);
    y0.re = t0.re;
    y0.im = t0.im;
}

static inline __attribute__((always_inline)) void body(const int x0, const float x1, const int s0, const float s1, int& y0, int& y1, u8& y2)
{
    const int t0 = x0 == int(0) ? int(0) : x0 == int(-1) ? int(u32(0) - u32(x0)) : int(x0 / x0);
    const int t1 = x0 == int(0) || x0 == int(-1) ? int(0) : int(x0 % x0);
    const int t2 = int(u32(t0) + u32(t1));
    const int t3 = u32(s0) < u32(sizeof(int) * 8) ? int(1u * u32(x0) << u32(s0)) : int(0);
    const int t4 = int(__builtin_popcountll(u32(x0)));
    const int t5 = t4 == int(0) ? int(0) : t4 == int(-1) ? int(u32(0) - u32(t3)) : int(t3 / t4);
    const float t6 = (x1 == x1) & !(s1 >= x1) ? s1 : x1;
    const u8 t7 = saturated_unsigned<u8>(t6, 255.0f);
    y0 = t2;
    y1 = t5;
    y2 = t7;
}

static inline __attribute__((always_inline)) void body_0(const float x0, float& y0, const void* const* library)
{
    const float t0 = quotient_downwards(x0, x0);
    y0 = t0;
}

static inline __attribute__((always_inline)) void body_1(const float t0, const float t1, const float t3, float& y0, const void* const* library)
{
    const float t2 = t0 * t1;
    const float t4 = t2 + t3;
    y0 = t4;
}

static inline __attribute__((always_inline)) void body_0(const f16 x1, f16& y0, const void* const* library)
{
    const f16 t2 = cbrt_f16(library, x1);
    y0 = t2;
}

static inline __attribute__((always_inline)) void body_1(const f16 t0, const f16 t1, const f16 t2, f16& y0, const void* const* library)
{
    const float t3_in_float = f16_rounded(f32_from_f16(t1) * f32_from_f16(t2));
    const f16 t3 = f16_from_f32(t3_in_float);
    const f16 t4 = f16_from_f32(f32_from_f16(t0) + t3_in_float);
    y0 = t4;
}

static inline __attribute__((always_inline)) void vector_body(const f32_vector& x0, f32_vector& y0)
{
    const auto t0 = rounded_to_f16(x0 * x0);
    const auto t1 = rounded_to_f16(t0 + x0);
    y0 = t1;
}

static inline __attribute__((always_inline)) void block_body(const f16* const x0, const i64 x0_apart, f16* const y0, const i64 count, const bool past_caches)
{
    f16 own_x0[128];
    const f16* const from_x0 = block_from<128>(x0, x0_apart, count, own_x0);
    alignas(64) f16 own_y0[128];
    f16* const to_y0 = block_to<128>(y0, count, past_caches, own_y0);
    constexpr int vectors = WOVEN_VECTORS;
    i64 first = 0;
    for (; first + vectors * VECTOR_ELEMENTS <= count; first += vectors * VECTOR_ELEMENTS) {
        f32_vector made_y0[vectors];
        #pragma GCC unroll 128
        for (int k = 0; k < vectors; ++k) vector_body(load_f16(from_x0 + first + k * VECTOR_ELEMENTS), made_y0[k]);
        #pragma GCC unroll 128
        for (int k = 0; k < vectors; ++k) store_f16(to_y0 + first + k * VECTOR_ELEMENTS, made_y0[k]);
    }
    for (; first < count; first += VECTOR_ELEMENTS) {
        const i64 left = count - first;
        f16 rest_x0[VECTOR_ELEMENTS] = {};
        f32_vector made_y0;
        f16 rest_y0[VECTOR_ELEMENTS];
        vector_body(load_f16(rest_from(from_x0 + first, left, rest_x0)), made_y0);
        f16* const end_y0 = rest_to(to_y0 + first, left, rest_y0);
        store_f16(end_y0, made_y0);
        finish_rest(to_y0 + first, left, end_y0);
    }
    finish_block<128>(y0, to_y0);
}

static inline __attribute__((always_inline)) void vector_body(const f32_vector& x0, const f32_vector& x1, const f32_vector& x2, const f32_vector& x3, const f32_vector& s0, f32_vector& y0)
{
    const auto t0 = rounded_to_f16(odd_fma_vector(x0, x1, x2));
    const auto t1 = clamped(t0, x3, x0);
    const auto t2 = rounded_to_f16(t1 * s0);
    const auto t3 = cast_above(t2);
    y0 = t3;
}

static inline __attribute__((always_inline)) void block_body(const f16* const x0, const i64 x0_apart, const f16* const x1, const i64 x1_apart, const f16* const x2, const i64 x2_apart, const f16* const x3, const i64 x3_apart, const f16 s0, bf16* const y0, const i64 count, const bool past_caches)
{
    f16 own_x0[128];
    const f16* const from_x0 = block_from<128>(x0, x0_apart, count, own_x0);
    f16 own_x1[128];
    const f16* const from_x1 = block_from<128>(x1, x1_apart, count, own_x1);
    f16 own_x2[128];
    const f16* const from_x2 = block_from<128>(x2, x2_apart, count, own_x2);
    f16 own_x3[128];
    const f16* const from_x3 = block_from<128>(x3, x3_apart, count, own_x3);
    const f32_vector all_s0 = vector_of(f32_from_f16(s0));
    alignas(64) bf16 own_y0[128];
    bf16* const to_y0 = block_to<128>(y0, count, past_caches, own_y0);
    constexpr int vectors = WOVEN_VECTORS / 2;
    i64 first = 0;
    for (; first + vectors * VECTOR_ELEMENTS <= count; first += vectors * VECTOR_ELEMENTS) {
        f32_vector made_y0[vectors];
        #pragma GCC unroll 128
        for (int k = 0; k < vectors; ++k) vector_body(load_f16(from_x0 + first + k * VECTOR_ELEMENTS), load_f16(from_x1 + first + k * VECTOR_ELEMENTS), load_f16(from_x2 + first + k * VECTOR_ELEMENTS), load_f16(from_x3 + first + k * VECTOR_ELEMENTS), all_s0, made_y0[k]);
        #pragma GCC unroll 128
        for (int k = 0; k < vectors; k += 2) store_two_bf16(to_y0 + first + k * VECTOR_ELEMENTS, made_y0[k], made_y0[k + 1]);
    }
    for (; first < count; first += VECTOR_ELEMENTS) {
        const i64 left = count - first;
        f16 rest_x0[VECTOR_ELEMENTS] = {};
        f16 rest_x1[VECTOR_ELEMENTS] = {};
        f16 rest_x2[VECTOR_ELEMENTS] = {};
        f16 rest_x3[VECTOR_ELEMENTS] = {};
        f32_vector made_y0;
        bf16 rest_y0[VECTOR_ELEMENTS];
        vector_body(load_f16(rest_from(from_x0 + first, left, rest_x0)), load_f16(rest_from(from_x1 + first, left, rest_x1)), load_f16(rest_from(from_x2 + first, left, rest_x2)), load_f16(rest_from(from_x3 + first, left, rest_x3)), all_s0, made_y0);
        bf16* const end_y0 = rest_to(to_y0 + first, left, rest_y0);
        store_bf16(end_y0, made_y0);
        finish_rest(to_y0 + first, left, end_y0);
    }
    finish_block<128>(y0, to_y0);
}

static inline __attribute__((always_inline)) void vector_body(const f32_vector& x0, const f32_vector& x1, const f32_vector& x2, const f32_vector& s0, f32_vector& y0)
{
    const auto t0 = rounded_to_f16(x0 * x1);
    const auto t1 = cast_to_bf16(t0);
    const auto t2 = rounded_to_bf16(t1 * x2);
    const auto t3 = rounded_to_bf16(t2 + s0);
    const auto t4 = rounded_to_f16(t3);
    y0 = t4;
}

static inline __attribute__((always_inline)) void block_body(const f16* const x0, const i64 x0_apart, const f16* const x1, const i64 x1_apart, const bf16* const x2, const i64 x2_apart, const bf16 s0, f16* const y0, const i64 count, const bool past_caches)
{
    f16 own_x0[128];
    const f16* const from_x0 = block_from<128>(x0, x0_apart, count, own_x0);
    f16 own_x1[128];
    const f16* const from_x1 = block_from<128>(x1, x1_apart, count, own_x1);
    bf16 own_x2[128];
    const bf16* const from_x2 = block_from<128>(x2, x2_apart, count, own_x2);
    const f32_vector all_s0 = vector_of(f32_from_bf16(s0));
    alignas(64) f16 own_y0[128];
    f16* const to_y0 = block_to<128>(y0, count, past_caches, own_y0);
    constexpr int vectors = WOVEN_VECTORS;
    i64 first = 0;
    for (; first + vectors * VECTOR_ELEMENTS <= count; first += vectors * VECTOR_ELEMENTS) {
        f32_vector made_y0[vectors];
        #pragma GCC unroll 128
        for (int k = 0; k < vectors; ++k) vector_body(load_f16(from_x0 + first + k * VECTOR_ELEMENTS), load_f16(from_x1 + first + k * VECTOR_ELEMENTS), load_bf16(from_x2 + first + k * VECTOR_ELEMENTS), all_s0, made_y0[k]);
        #pragma GCC unroll 128
        for (int k = 0; k < vectors; ++k) store_f16(to_y0 + first + k * VECTOR_ELEMENTS, made_y0[k]);
    }
    for (; first < count; first += VECTOR_ELEMENTS) {
        const i64 left = count - first;
        f16 rest_x0[VECTOR_ELEMENTS] = {};
        f16 rest_x1[VECTOR_ELEMENTS] = {};
        bf16 rest_x2[VECTOR_ELEMENTS] = {};
        f32_vector made_y0;
        f16 rest_y0[VECTOR_ELEMENTS];
        vector_body(load_f16(rest_from(from_x0 + first, left, rest_x0)), load_f16(rest_from(from_x1 + first, left, rest_x1)), load_bf16(rest_from(from_x2 + first, left, rest_x2)), all_s0, made_y0);
        f16* const end_y0 = rest_to(to_y0 + first, left, rest_y0);
        store_f16(end_y0, made_y0);
        finish_rest(to_y0 + first, left, end_y0);
    }
    finish_block<128>(y0, to_y0);
}

static inline __attribute__((always_inline)) void vector_body(const f32_vector& x0, const f32_vector& x1, const f32_vector& s0, f32_vector& y0)
{
    const auto t0 = x0;
    const auto t1 = t0 * s0;
    const auto t2 = x1;
    const auto t3 = t1 + t2;
    const auto t4 = trunc_vector(in_stored_byte(t3));
    y0 = t4;
}

[[gnu::noinline]] static void words_body(const u8* const x0, const u8* const x1, const float s0, u8* const y0, const i64 count)
{
    const f32_vector all_s0 = vector_of(s0);
    for (i64 first = 0; first < count; first += WORD_BYTES) {
        const u32_vector words_x0 = load_words(x0 + first);
        const u32_vector words_x1 = load_words(x1 + first);
        f32_vector made_y0[4];
        #pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) vector_body(byte_of(words_x0, k), byte_of(words_x1, k), all_s0, made_y0[k]);
        store_bytes(y0 + first, made_y0);
    }
}

static inline __attribute__((always_inline)) void block_body(const u8* const x0, const i64 x0_apart, const u8* const x1, const i64 x1_apart, const float s0, u8* const y0, const i64 count, const bool past_caches)
{
    alignas(64) u8 own_y0[512];
    u8* const to_y0 = block_to<512>(y0, count, past_caches, own_y0);
    const i64 whole = count / WORD_BYTES * WORD_BYTES;
    words_body(x0, x1, s0, to_y0, whole);
    if (whole < count) {
        u8 rest_x0[WORD_BYTES] = {};
        copy_rest(rest_x0, x0 + whole, count - whole);
        u8 rest_x1[WORD_BYTES] = {};
        copy_rest(rest_x1, x1 + whole, count - whole);
        u8 rest_y0[WORD_BYTES];
        words_body(rest_x0, rest_x1, s0, rest_y0, WORD_BYTES);
        copy_rest(to_y0 + whole, rest_y0, count - whole);
    }
    finish_block<512>(y0, to_y0);
}

static inline __attribute__((always_inline)) void body(const f16 x0, f16& y0)
{
    const float t0_in_float = f16_rounded(f32_from_f16(x0) * f32_from_f16(x0));
    const f16 t0 = f16_from_f32(t0_in_float);
    const float t1_in_float = f16_rounded(t0_in_float + f32_from_f16(x0));
    const f16 t1 = f16_from_f32(t1_in_float);
    const f16 t2 = f16_from_f32(__builtin_roundf(t1_in_float));
    y0 = t2;
}

static inline __attribute__((always_inline)) void body_0(const i64 index0, const u64 s0, float& y0, const void* const* library)
{
    const u64 t0 = u64(index0);
    const float t1 = draw_f32(t0, s0);
    y0 = t1;
}

static inline __attribute__((always_inline)) void body_0(const float x0, const float x1, const float x2, float& y0, const void* const* library)
{
    const float t0 = x0 + x1;
    const float t1 = t0 + x2;
    y0 = t1;
}

static inline __attribute__((always_inline)) void body(const float x0, const float x1, float& y0, const void* const* library)
{
    const float t0 = x0 + x1;
    const float t1 = exp_f32(library, t0);
    y0 = t1;
}

static inline __attribute__((always_inline)) void body_0(const float x0, const float x1, float& y0, const void* const* library)
{
    const float t0 = x0 + x1;
    y0 = t0;
}

static inline __attribute__((always_inline)) void body(const i64 index0, const float x0, const float x1, const float s0, float& y0, const void* const* library)
{
    const bool t0 = index0 == i64(0ll);
    const float t1 = t0 ? x0 : s0;
    const float t2 = t1 - x1;
    const float t3 = exp_f32(library, t2);
    y0 = t3;
}

static inline __attribute__((always_inline)) void body_0(const i64 index0, const float x0, const float x1, const float s0, float& y0, const void* const* library)
{
    const bool t0 = index0 == i64(0ll);
    const float t1 = t0 ? x0 : s0;
    const float t2 = t1 - x1;
    y0 = t2;
}

static inline __attribute__((always_inline)) void body_0(const float x0, const float x1, float& y0, const void* const* library)
{
    const float t0 = x0 * x1;
    y0 = t0;
}

static inline __attribute__((always_inline)) void body(const float x0, float& y0, const void* const* library)
{
    const float t0 = exp_f32(library, x0);
    y0 = t0;
}

static inline __attribute__((always_inline)) void body(const float x0, const float s0, const float s1, const float s2, const float s3, const float s4, const float s5, const float s6, float& y0)
{
    const float t0 = s0 * x0;
    const float t1 = t0 + s1;
    const float t2 = t1 * x0;
    const float t3 = t2 + s2;
    const float t4 = t3 * x0;
    const float t5 = t4 + s3;
    const float t6 = t5 * x0;
    const float t7 = t6 + s4;
    const float t8 = t7 * x0;
    const float t9 = t8 + s5;
    const float t10 = t9 * x0;
    const float t11 = t10 + s6;
    const float t12 = t11 * x0;
    y0 = t12;
}

static inline __attribute__((always_inline)) void body(const float x0, const float x1, float& y0)
{
    const float t0 = x0 + x1;
    y0 = t0;
}

static inline __attribute__((always_inline)) void body(const c128 x0, const c128 x1, c128& y0)
{
    const c128 t0 = complex_add(x0, x1);
    y0.re = t0.re;
    y0.im = t0.im;
}

static inline __attribute__((always_inline)) void body(const int x0, const float* x1, const float s0, const i64* at, const i64 p0, float& y0)
{
    const i64 t0 = i64(x0);
    const i64 t1_0 = lookup_index(t0, at[3]);
    const float t1 = x1[t1_0];
    const float t2 = t1 * s0;
    y0 = t2;
}

static inline __attribute__((always_inline)) void body(const float x0, const float x1, float& y0, const void* const* library)
{
    const float t0 = exp_f32(library, x0);
    const float t1 = t0 * x1;
    y0 = t1;
}

static inline __attribute__((always_inline)) void body_1(const float x1, const float t0, float& y0, const void* const* library)
{
    const float t1 = t0 * x1;
    y0 = t1;
}

static inline __attribute__((always_inline)) void body(const u8 x0, const u8 x1, const float s0, const float s1, u8& y0)
{
    const float t0 = float(x0);
    const float t1 = t0 * s0;
    const float t2 = float(x1);
    const float t3 = t2 * s1;
    const float t4 = t1 + t3;
    const u8 t5 = saturated_unsigned<u8>(t4, 255.0f);
    y0 = t5;
}

static inline __attribute__((always_inline)) void body(const float x0, const float x1, float& y0, float& y1)
{
    const float t0 = x0 * x1;
    const float t1 = x1 + x1;
    y0 = t0;
    y1 = t1;
}

static inline __attribute__((always_inline)) void body(const i64 index0, const i64 index1, const float x0, const float s0, float& y0)
{
    const bool t0 = index0 >= index1;
    const float t1 = t0 ? x0 : s0;
    y0 = t1;
}

static inline __attribute__((always_inline)) void body(const float x0, float& y0)
{
    const float t0 = x0 * x0;
    y0 = t0;
}

static inline __attribute__((always_inline)) void body(const float x0, const float x1, const float x2, float& y0)
{
    const float t0 = x0 * x1;
    const float t1 = t0 + x2;
    y0 = t1;
}

static inline __attribute__((always_inline)) void body(const i64 index0, const u8 x0, const u8 x1, const i64 s0, u8& y0)
{
    const bool t0 = index0 < s0;
    const u8 t1 = t0 ? x0 : x1;
    y0 = t1;
}

static inline __attribute__((always_inline)) void body_0(const float x0, const float x1, const float x2, float& y0, const void* const* library)
{
    const float t0 = x0 * x1;
    const float t1 = t0 + x2;
    y0 = t1;
}

static inline __attribute__((always_inline)) void row_0_1(const float x2, const float t2, float& y0, const void* const* library)
{
    const float t3 = t2 - x2;
    y0 = t3;
}

static inline __attribute__((always_inline)) void element_of_row(const float x0, const float x1, float& y0, const void* const* library)
{
    const float t0 = x0 * x1;
    y0 = t0;
}

static inline __attribute__((always_inline)) void result_of_row(const float x0, const float t3, float& y0, const void* const* library)
{
    const float t4 = t3 * x0;
    y0 = t4;
}

static inline __attribute__((always_inline)) void body(const float x0, float& y0)
{
    y0 = x0;
}

static inline __attribute__((always_inline)) void body(const f16 x0, f16& y0)
{
    y0 = x0;
}

static inline __attribute__((always_inline)) void body(const bf16 x0, bf16& y0)
{
    y0 = x0;
}

static inline __attribute__((always_inline)) void element_1_0(const float x0, const float t0, float& y0, const void* const* library)
{
    const float t1 = x0 - t0;
    y0 = t1;
}

static inline __attribute__((always_inline)) void element_2(const float t2, const float t3, float& y0, const void* const* library)
{
    const float t4 = t2 / t3;
    y0 = t4;
}

static inline __attribute__((always_inline)) void element_0(const float x0, float& y0, const void* const* library)
{
    y0 = x0;
}

static inline __attribute__((always_inline)) void element_0(const float x0, const float x1, float& y0, const void* const* library)
{
    const float t0 = x0 * x1;
    y0 = t0;
}

static inline __attribute__((always_inline)) void element_1_0(const float t0, const float t1, float& y0, const void* const* library)
{
    const float t2 = t0 - t1;
    y0 = t2;
}

static inline __attribute__((always_inline)) void element_1_1(const float t2, const float t3, float& y0, float& y1, const void* const* library)
{
    y0 = t2;
    y1 = t3;
}

static inline __attribute__((always_inline)) void element_2(const float x2, const float t2, const float t5, float& y0, const void* const* library)
{
    const float t6 = t2 - t5;
    const float t7 = t6 + x2;
    y0 = t7;
}

static inline __attribute__((always_inline)) void element_1(const float x0, const float t0, float& y0)
{
    const float t1 = x0 * t0;
    y0 = t1;
}

static inline __attribute__((always_inline)) void element_1(const float x0, const float t0, float& y0, const void* const* library)
{
    const float t1 = x0 - t0;
    y0 = t1;
}

static inline __attribute__((always_inline)) void row_1(const i64 t0, float& y0)
{
    const float t1 = float(t0);
    y0 = t1;
}

static inline __attribute__((always_inline)) void element_1(const float x0, const float t1, float& y0)
{
    const float t2 = x0 * t1;
    y0 = t2;
}

static inline __attribute__((always_inline)) void element_1(const float t0, const float t1, float& y0, float& y1)
{
    const float t2 = t0 - t1;
    const float t3 = t2 * t2;
    y0 = t2;
    y1 = t3;
}

static inline __attribute__((always_inline)) void row_2(const float s0, const float t4, float& y0)
{
    const float t5 = t4 + s0;
    const float t6 = float(1) / __builtin_sqrtf(t5);
    y0 = t6;
}

static inline __attribute__((always_inline)) void element_2(const float x1, const float t2, const float t6, float& y0)
{
    const float t7 = t2 * t6;
    const float t8 = t7 * x1;
    y0 = t8;
}

static inline __attribute__((always_inline)) void row_1(const double t0, double& y0, const void* const* library)
{
    const bool t1 = t0 - t0 == double(0);
    const double t2 = t1 ? t0 : 0.0;
    y0 = t2;
}

static inline __attribute__((always_inline)) void element_1_0(const double x0, const double t2, double& y0, const void* const* library)
{
    const double t3 = x0 - t2;
    y0 = t3;
}

static inline __attribute__((always_inline)) void row_2_1(const double t2, const double t6, double& y0, const void* const* library)
{
    const double t7 = t6 + t2;
    y0 = t7;
}

static inline __attribute__((always_inline)) void body(const float x0, float& y0)
{
    const float t0 = user0_lennard_jones(x0);
    y0 = t0;
}

static inline __attribute__((always_inline)) void body_0(const u8 x0, const float s0, float& y0, const void* const* library)
{
    const float t0 = float(x0);
    const float t1 = t0 / s0;
    y0 = t1;
}

static inline __attribute__((always_inline)) void body_1(const float s2, const float t2, u8& y0, const void* const* library)
{
    const float t3 = t2 * s2;
    const float t4 = __builtin_rintf(t3);
    const u8 t5 = saturated_unsigned<u8>(t4, 255.0f);
    y0 = t5;
}

static inline __attribute__((always_inline)) void body(const float x0, const float x1, float& y0)
{
    const float t0 = x0 - x1;
    const float t1 = t0 * t0;
    y0 = t1;
}

static inline __attribute__((always_inline)) void of_row(const float x0, const float s0, float& y0)
{
    const float t0 = (x0 == x0) & !(s0 <= x0) ? s0 : x0;
    y0 = t0;
}

static inline __attribute__((always_inline)) void of_columns(const float x1, const float s1, float& y0)
{
    const float t1 = x1 + s1;
    y0 = t1;
}

static inline __attribute__((always_inline)) void element(const float t0, const float t1, float& y0)
{
    const float t2 = t0 * t1;
    y0 = t2;
}

static inline __attribute__((always_inline)) void element(const float x0, const float x1, float& y0)
{
    const float t0 = x0 * x1;
    y0 = t0;
}

static inline __attribute__((always_inline)) void body(const float x0, const float x1, float& y0)
{
    const float t0 = x0 * x1;
    y0 = t0;
}

static inline __attribute__((always_inline)) void body(const float x0, const float s0, float& y0)
{
    const float t0 = x0 - s0;
    const float t1 = t0 * x0;
    y0 = t1;
}

static inline __attribute__((always_inline)) void body(const u8 x0, const float x1, float& y0)
{
    const float t0 = float(x0);
    const float t1 = t0 * x1;
    y0 = t1;
}
