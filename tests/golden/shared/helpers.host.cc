static inline void store_nontemporal(void* to, const void* from, int bytes)
{
#if defined(__AVX__) && !defined(__clang__)
    typedef double part_of_line __attribute__((vector_size(32), may_alias));
#else
    typedef long long part_of_line __attribute__((vector_size(16), may_alias));
#endif
    constexpr int part_bytes = sizeof(part_of_line);
    for (int i = 0; i < bytes / part_bytes; ++i) {
        const part_of_line part = static_cast<const part_of_line*>(from)[i];
#if defined(__clang__)
        __builtin_nontemporal_store(part, static_cast<part_of_line*>(to) + i);
#elif defined(__AVX__)
        __builtin_ia32_movntpd256(static_cast<double*>(to) + 4 * i, part);
#elif defined(__SSE2__)
        __builtin_ia32_movntdq(static_cast<part_of_line*>(to) + i, part);
#else
        static_cast<part_of_line*>(to)[i] = part;
#endif
    }
}

static inline __attribute__((always_inline)) f32_vector vector_of(float a) { return a - f32_vector(); }

static inline __attribute__((always_inline)) f32_vector rint_vector(const f32_vector& a)
{
#if defined(__AVX512F__) && !defined(__clang__)
    return __builtin_ia32_rndscaleps_mask(a, 8, a, static_cast<unsigned short>(-1), 4);
#elif defined(__AVX__) && !defined(__clang__)
    return __builtin_ia32_roundps256(a, 8);
#else
    f32_vector out = a;
    for (int i = 0; i < VECTOR_ELEMENTS; ++i) out[i] = __builtin_rintf(a[i]);
    return out;
#endif
}

#define WORD_BYTES (4 * VECTOR_ELEMENTS)

static inline __attribute__((always_inline)) u32_vector load_words(const unsigned char* from)
{
    u32_vector words;
    __builtin_memcpy(&words, from, sizeof words);
    return words;
}

static inline __attribute__((always_inline)) f32_vector byte_of(const u32_vector& words, int which)
{
#if defined(__AVX512BW__) && !defined(__clang__)
    typedef char bytes __attribute__((vector_size(64)));
    typedef short halves __attribute__((vector_size(64)));
    const bytes all = (bytes)words, zeros = bytes();
    const auto half = (halves)(which < 2 ? __builtin_ia32_punpcklbw512_mask(all, zeros, zeros, ~0ull)
                                         : __builtin_ia32_punpckhbw512_mask(all, zeros, zeros, ~0ull));
    const auto byte = which % 2 == 0 ? __builtin_ia32_punpcklwd512_mask(half, halves(), halves(), ~0u)
                                     : __builtin_ia32_punpckhwd512_mask(half, halves(), halves(), ~0u);
#elif defined(__AVX2__) && !defined(__clang__)
    typedef char bytes __attribute__((vector_size(32)));
    typedef short halves __attribute__((vector_size(32)));
    const bytes all = (bytes)words, zeros = bytes();
    const auto half = (halves)(which < 2 ? __builtin_ia32_punpcklbw256(all, zeros) : __builtin_ia32_punpckhbw256(all, zeros));
    const auto byte = which % 2 == 0 ? __builtin_ia32_punpcklwd256(half, halves()) : __builtin_ia32_punpckhwd256(half, halves());
#else
    const u32_vector byte = which == 3 ? words >> 24 : words >> 8 * which & 0xffu;
#endif
    return __builtin_convertvector((i32_vector)byte, f32_vector);
}

static inline __attribute__((always_inline)) f32_vector in_byte(const f32_vector& a)
{
    const f32_vector least = f32_vector(), most = vector_of(255.0f);
#if defined(__AVX512F__) && !defined(__clang__)
    const f32_vector above = __builtin_ia32_maxps512_mask(a, least, least, static_cast<unsigned short>(-1), 4);
    return __builtin_ia32_minps512_mask(above, most, least, static_cast<unsigned short>(-1), 4);
#elif defined(__AVX__) && !defined(__clang__)
    return __builtin_ia32_minps256(__builtin_ia32_maxps256(a, least), most);
#else
    const f32_vector above = a > least ? a : least;
    return above < most ? above : most;
#endif
}

static inline __attribute__((always_inline)) f32_vector in_stored_byte(const f32_vector& a)
{
#if defined(__AVX512BW__) && !defined(__clang__)
    return __builtin_ia32_minps512_mask(vector_of(255.0f), a, f32_vector(), static_cast<unsigned short>(-1), 4);
#elif defined(__AVX2__) && !defined(__clang__)
    return __builtin_ia32_minps256(vector_of(255.0f), a);
#else
    return in_byte(a);
#endif
}

static inline __attribute__((always_inline)) void store_bytes(unsigned char* to, const f32_vector (&a)[4])
{
#if defined(__AVX512BW__) && !defined(__clang__)
    typedef char bytes __attribute__((vector_size(64)));
    typedef short halves __attribute__((vector_size(64)));
    const auto whole = [&](int which) {
        return __builtin_ia32_cvtps2dq512_mask(a[which], i32_vector(), static_cast<unsigned short>(-1), 4);
    };
    const halves low = __builtin_ia32_packusdw512_mask(whole(0), whole(1), halves(), ~0u);
    const halves high = __builtin_ia32_packusdw512_mask(whole(2), whole(3), halves(), ~0u);
    const bytes all = __builtin_ia32_packuswb512_mask(low, high, bytes(), ~0ull);
#elif defined(__AVX2__) && !defined(__clang__)
    const auto whole = [&](int which) { return __builtin_ia32_cvtps2dq256(a[which]); };
    const auto all = __builtin_ia32_packuswb256(__builtin_ia32_packusdw256(whole(0), whole(1)),
                                                __builtin_ia32_packusdw256(whole(2), whole(3)));
#else
    u32_vector all = {};
    #pragma GCC unroll 4
    for (int which = 0; which < 4; ++which)
        all |= ((u32_vector)(a[which] + 8388608.0f) & 0xffu) << 8 * which;
#endif
    __builtin_memcpy(to, &all, sizeof all);
}

template <int extent, class T>
static inline __attribute__((always_inline)) T* block_to(T* to, i64 count, bool past_caches, T* own) { return past_caches && count == extent ? own : to; }

template <int extent, class T>
static inline __attribute__((always_inline)) void finish_block(T* to, const T* from)
{
    if (from != to) store_nontemporal(to, from, extent * static_cast<int>(sizeof(T)));
}

[[gnu::noinline, gnu::unused]] static void copy_rest(unsigned char* to, const unsigned char* from, i64 count)
{
    __builtin_memcpy(to, from, static_cast<unsigned long>(count));
}

static inline float LIBRARY_hypot(const void* const* library, float a, float b) { return hypot_f32(library, a, b); }

static inline double LIBRARY_hypot(const void* const* library, double a, double b) { return hypot_f64(library, a, b); }

template <class R>
struct complex { R re; R im; };

typedef complex<double> c128;

template <class R>
static inline complex<R> complex_of(R re, R im) { complex<R> made; made.re = re; made.im = im; return made; }

template <class R>
static inline R rounded(R a)
{
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
    return __builtin_assoc_barrier(a);
#else
    return a;
#endif
}

typedef complex<float> c64;

template <class R>
static inline complex<R> complex_mul(complex<R> a, complex<R> b)
{
    return complex_of(rounded(a.re * b.re) - rounded(a.im * b.im), rounded(a.re * b.im) + rounded(a.im * b.re));
}

static inline unsigned int bits_of(float a) { unsigned int bits; __builtin_memcpy(&bits, &a, sizeof bits); return bits; }

static inline unsigned long long bits_of(double a) { unsigned long long bits; __builtin_memcpy(&bits, &a, sizeof bits); return bits; }

static inline float float_of(unsigned int bits) { float a; __builtin_memcpy(&a, &bits, sizeof a); return a; }

static inline double double_of(unsigned long long bits) { double a; __builtin_memcpy(&a, &bits, sizeof a); return a; }

template <class T>
static inline T saturated_unsigned(float a, float most)
{
    const float below = a < most ? a : most;
    return rounded(T(int(float_of(bits_of(below) & -static_cast<unsigned int>(a > 0)))));
}

template <class T>
static inline T saturated_unsigned(double a, double most)
{
    const double below = a < most ? a : most;
    return rounded(T(int(double_of(bits_of(below) & -static_cast<unsigned long long>(a > 0)))));
}

static inline float EXACT_floor(float a) { return __builtin_floorf(a); }

static inline double EXACT_floor(double a) { return __builtin_floor(a); }

static inline float EXACT_copysign(float a, float b) { return __builtin_copysignf(a, b); }

static inline double EXACT_copysign(double a, double b) { return __builtin_copysign(a, b); }

static inline float EXACT_fmod(float a, float b) { return __builtin_fmodf(a, b); }

static inline double EXACT_fmod(double a, double b) { return __builtin_fmod(a, b); }

template <class R>
static inline R quotient_downwards(R a, R b) {
    if (b == R(0)) return a / b;
    const R rest = EXACT_fmod(a, b);
    R quotient = (a - rest) / b;
    if (rest != R(0) && (rest < R(0)) != (b < R(0))) quotient = quotient - R(1);
    if (quotient == R(0)) return EXACT_copysign(R(0), a / b);
    const R whole = EXACT_floor(quotient);
    return quotient - whole > R(0.5) ? whole + R(1) : whole;
}

enum class f16 : unsigned short;

enum class f16 : unsigned short {};

static inline float f32_from_f16(f16 a)
{
    const unsigned int magnitude = (static_cast<unsigned int>(a) & 0x7fffu) << 13;
    const unsigned int value = bits_of(float_of(magnitude) * 5.192296858534828e33f);
    const unsigned int special = magnitude >= 0x0f800000u ? 0x7f800000u : 0u;
    return float_of(value | special | (static_cast<unsigned int>(a) & 0x8000u) << 16);
}

static inline f16 f16_from_f32(float a)
{
    const unsigned int bits = bits_of(a);
    const unsigned int magnitude = bits & 0x7fffffffu;
    const unsigned int capped = magnitude > 0x47800000u ? 0x47800000u : magnitude;
    const unsigned int normal = (capped - 0x38000000u + 0xfffu + (capped >> 13 & 1u)) >> 13;
    const unsigned int tiny = bits_of(float_of(magnitude) + 0.5f) - 0x3f000000u;
    const unsigned int is_tiny = static_cast<unsigned int>(static_cast<int>(magnitude - 0x38800000u) >> 31);
    const unsigned int nan = magnitude > 0x7f800000u ? 0x200u : 0u;
    return static_cast<f16>((tiny & is_tiny) | (normal & ~is_tiny) | nan | (bits >> 16 & 0x8000u));
}

static inline __attribute__((always_inline)) float f16_rounded(float a)
{
#if defined(__ASSOCIATIVE_MATH__) || defined(__clang__)
    return f32_from_f16(f16_from_f32(a));
#else
    const unsigned int bits = bits_of(a);
    const unsigned int exponent = bits & 0x7f800000u;
    const unsigned int least = exponent < 0x38800000u ? 0x38800000u : exponent;
    const float shift = float_of((least > 0x47800000u ? 0x47800000u : least) + 0x06c00000u);
    const float rounded = (a + shift - shift) * 5.192296858534828e33f * 1.9259299443872359e-34f;
    return float_of(bits_of(rounded) | (bits & 0x80000000u));
#endif
}

static inline __attribute__((always_inline)) f32_vector vector_from_f16(const u16_vector& a)
{
#if defined(__AVX512F__) && !defined(__clang__)
    return __builtin_ia32_vcvtph2ps512_mask((i16_vector)a, f32_vector(), static_cast<unsigned short>(-1), 4);
#elif defined(__F16C__) && !defined(__clang__)
    return __builtin_ia32_vcvtph2ps256((i16_vector)a);
#else
    const u32_vector bits = __builtin_convertvector(a, u32_vector);
    const u32_vector magnitude = (bits & 0x7fffu) << 13;
    const u32_vector value = (u32_vector)((f32_vector)magnitude * 5.192296858534828e33f);
    const u32_vector special = (u32_vector)((i32_vector)magnitude >= 0x0f800000) & 0x7f800000u;
    return (f32_vector)(value | special | (bits & 0x8000u) << 16);
#endif
}

static inline __attribute__((always_inline)) u16_vector f16_from_vector(const f32_vector& a)
{
#if defined(__AVX512F__) && !defined(__clang__)
    return (u16_vector)__builtin_ia32_vcvtps2ph512_mask(a, 0, i16_vector(), static_cast<unsigned short>(-1));
#elif defined(__F16C__) && !defined(__clang__)
    return (u16_vector)__builtin_ia32_vcvtps2ph256(a, 0);
#else
    const u32_vector bits = (u32_vector)a;
    const u32_vector magnitude = bits & 0x7fffffffu;
    const u32_vector is_large = (u32_vector)((i32_vector)magnitude > 0x47800000);
    const u32_vector capped = (magnitude & ~is_large) | (is_large & 0x47800000u);
    const u32_vector normal = (capped - 0x38000000u + 0xfffu + (capped >> 13 & 1u)) >> 13;
    const u32_vector tiny = (u32_vector)((f32_vector)magnitude + 0.5f) - 0x3f000000u;
    const u32_vector is_tiny = (u32_vector)((i32_vector)magnitude < 0x38800000);
    const u32_vector nan = (u32_vector)((i32_vector)magnitude > 0x7f800000) & 0x200u;
    return __builtin_convertvector((tiny & is_tiny) | (normal & ~is_tiny) | nan | (bits >> 16 & 0x8000u), u16_vector);
#endif
}

static inline __attribute__((always_inline)) f32_vector rounded_to_f16(const f32_vector& a)
{
#if defined(__AVX512F__) || defined(__F16C__) || defined(__ASSOCIATIVE_MATH__) || defined(__clang__)
    return vector_from_f16(f16_from_vector(a));
#else
    const u32_vector bits = (u32_vector)a;
    const f32_vector least = vector_of(6.103515625e-05f), most = vector_of(65536.0f);
    const f32_vector power = (f32_vector)(bits & 0x7f800000u);
    const f32_vector above = power > least ? power : least;
    const f32_vector shift = (f32_vector)((u32_vector)(above < most ? above : most) + 0x06c00000u);
    const f32_vector rounded = (a + shift - shift) * 5.192296858534828e33f * 1.9259299443872359e-34f;
    return (f32_vector)((u32_vector)rounded | (bits & 0x80000000u));
#endif
}

static inline __attribute__((always_inline)) f32_vector load_f16(const f16* from)
{
    u16_vector bits;
    __builtin_memcpy(&bits, from, sizeof bits);
    return vector_from_f16(bits);
}

static inline __attribute__((always_inline)) void store_f16(f16* to, const f32_vector& a)
{
    const u16_vector bits = f16_from_vector(a);
    __builtin_memcpy(to, &bits, sizeof bits);
}

template <class T>
[[gnu::noinline]] static void copy_elements(T* to, const T* from, i64 apart, i64 count)
{
    for (i64 i = 0; i < count; ++i) to[i] = from[i * apart];
}

template <int extent, class T>
static inline __attribute__((always_inline)) const T* block_from(const T* from, i64 apart, i64 count, T* own)
{
    if (apart == 1) return from;
    if (apart != 0) copy_elements(own, from, apart, count);
    else
        for (int i = 0; i < extent; ++i) own[i] = from[0];
    return own;
}

template <class T>
static inline __attribute__((always_inline)) const T* rest_from(const T* from, i64 count, T* own)
{
    if (count >= VECTOR_ELEMENTS) return from;
    copy_elements(own, from, 1, count);
    return own;
}

template <class T>
static inline __attribute__((always_inline)) T* rest_to(T* to, i64 count, T* own) { return count >= VECTOR_ELEMENTS ? to : own; }

template <class T>
static inline __attribute__((always_inline)) void finish_rest(T* to, i64 count, const T* from)
{
    if (from != to) copy_elements(to, from, 1, count);
}

enum class bf16 : unsigned short {};

template <class T>
static inline T clamped(const T& a, const T& low, const T& high)
{
    const T above = (a == a) & !(low <= a) ? low : a;
    return (above == above) & !(high >= above) ? high : above;
}

static inline __attribute__((always_inline)) f32_vector odd_fma_vector(const f32_vector& a, const f32_vector& b, const f32_vector& c)
{
    const f32_vector product = a * b;
    const f32_vector sum = product + c;
    const f32_vector c_part = sum - product;
    const f32_vector lost = (product - (sum - c_part)) + (c - c_part);
    const u32_vector bits = (u32_vector)sum;
    const u32_vector inexact = (u32_vector)((lost < 0.0f) | (lost > 0.0f));
    const u32_vector back = (u32_vector)((lost > 0.0f) ^ (sum > 0.0f));
    return (f32_vector)(bits + ((inexact & ~bits & 1u) ^ back) - back);
}

static inline __attribute__((always_inline)) f32_vector bf16_above(const f32_vector& a)
{
    const u32_vector bits = (u32_vector)a;
    return (f32_vector)(bits + 0x7fffu + (bits >> 16 & 1u));
}

static inline __attribute__((always_inline)) f32_vector cast_above(f32_vector a)
{
#if defined(__AVX512F__) && !defined(__clang__)
    __asm__("" : "+v"(a));
#endif
    return (f32_vector)(a != a ? (u32_vector)a | 0x7fc00000u : (u32_vector)bf16_above(a));
}

static inline __attribute__((always_inline)) void store_bf16(bf16* to, const f32_vector& a)
{
#if defined(__AVX512F__) && !defined(__clang__)
    const u16_vector bits = (u16_vector)__builtin_ia32_pmovdw512_mask((i32_vector)((u32_vector)a >> 16), i16_vector(), static_cast<unsigned short>(-1));
#elif defined(__AVX2__) && !defined(__clang__)
    typedef unsigned short __attribute__((vector_size(32))) u16x16;
    const u16x16 bits = __builtin_shuffle((u16x16)a, u16x16{1, 3, 5, 7, 9, 11, 13, 15, 1, 3, 5, 7, 9, 11, 13, 15});
#else
    const u16_vector bits = __builtin_convertvector((u32_vector)a >> 16, u16_vector);
#endif
    __builtin_memcpy(to, &bits, sizeof(u16_vector));
}

static inline __attribute__((always_inline)) void store_two_bf16(bf16* to, const f32_vector& a, const f32_vector& b)
{
#if defined(__AVX512BW__) && !defined(__clang__)
    typedef unsigned short __attribute__((vector_size(64))) u16x32;
    const u16x32 bits = __builtin_shuffle((u16x32)a, (u16x32)b,
                                          u16x32{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
                                                 33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63});
    __builtin_memcpy(to, &bits, sizeof bits);
#elif defined(__AVX2__) && !defined(__AVX512F__) && !defined(__clang__)
    typedef long long __attribute__((vector_size(32))) i64x4;
    const i64x4 halves = (i64x4)__builtin_ia32_packusdw256((i32_vector)((u32_vector)a >> 16), (i32_vector)((u32_vector)b >> 16));
    const i64x4 bits = __builtin_shuffle(halves, i64x4{0, 2, 1, 3});
    __builtin_memcpy(to, &bits, sizeof bits);
#else
    store_bf16(to, a);
    store_bf16(to + VECTOR_ELEMENTS, b);
#endif
}

static inline float f32_from_bf16(bf16 a) { return float_of(static_cast<unsigned int>(a) << 16); }

static inline __attribute__((always_inline)) f32_vector rounded_to_bf16(const f32_vector& a) { return (f32_vector)((u32_vector)bf16_above(a) & 0xffff0000u); }

static inline __attribute__((always_inline)) f32_vector cast_to_bf16(const f32_vector& a) { return (f32_vector)((u32_vector)cast_above(a) & 0xffff0000u); }

static inline __attribute__((always_inline)) f32_vector load_bf16(const bf16* from)
{
    u16_vector bits;
    __builtin_memcpy(&bits, from, sizeof bits);
#if defined(__AVX512F__) && !defined(__clang__)
    const u32_vector wide = (u32_vector)__builtin_ia32_pmovzxwd512_mask((i16_vector)bits, i32_vector(), static_cast<unsigned short>(-1));
#elif defined(__AVX2__) && !defined(__clang__)
    const u32_vector wide = (u32_vector)__builtin_ia32_pmovzxwd256((i16_vector)bits);
#else
    const u32_vector wide = __builtin_convertvector(bits, u32_vector);
#endif
    return (f32_vector)(wide << 16);
}

static inline __attribute__((always_inline)) f32_vector trunc_vector(const f32_vector& a)
{
#if defined(__AVX512F__) && !defined(__clang__)
    return __builtin_ia32_rndscaleps_mask(a, 11, a, static_cast<unsigned short>(-1), 4);
#elif defined(__AVX__) && !defined(__clang__)
    return __builtin_ia32_roundps256(a, 11);
#else
    f32_vector out = a;
    for (int i = 0; i < VECTOR_ELEMENTS; ++i) out[i] = __builtin_truncf(a[i]);
    return out;
#endif
}

static inline unsigned long long wide_product(unsigned int a, unsigned int b) { return static_cast<unsigned long long>(a) * b; }

struct philox_words { unsigned int a; unsigned int b; unsigned int c; unsigned int d; };

static inline philox_words philox_round(philox_words x, unsigned int key_low, unsigned int key_high)
{
    const unsigned long long left = wide_product(0xd2511f53u, x.a);
    const unsigned long long right = wide_product(0xcd9e8d57u, x.c);
    const philox_words out = {static_cast<unsigned int>(right >> 32) ^ x.b ^ key_low, static_cast<unsigned int>(right),
                              static_cast<unsigned int>(left >> 32) ^ x.d ^ key_high, static_cast<unsigned int>(left)};
    return out;
}

static inline philox_words philox(unsigned long long block, unsigned long long seed)
{
    const unsigned int low = static_cast<unsigned int>(seed);
    const unsigned int high = static_cast<unsigned int>(seed >> 32);
    philox_words x = {static_cast<unsigned int>(block), static_cast<unsigned int>(block >> 32), 0u, 0u};
    x = philox_round(x, low, high);
    x = philox_round(x, low + 1u * 0x9e3779b9u, high + 1u * 0xbb67ae85u);
    x = philox_round(x, low + 2u * 0x9e3779b9u, high + 2u * 0xbb67ae85u);
    x = philox_round(x, low + 3u * 0x9e3779b9u, high + 3u * 0xbb67ae85u);
    x = philox_round(x, low + 4u * 0x9e3779b9u, high + 4u * 0xbb67ae85u);
    x = philox_round(x, low + 5u * 0x9e3779b9u, high + 5u * 0xbb67ae85u);
    x = philox_round(x, low + 6u * 0x9e3779b9u, high + 6u * 0xbb67ae85u);
    x = philox_round(x, low + 7u * 0x9e3779b9u, high + 7u * 0xbb67ae85u);
    x = philox_round(x, low + 8u * 0x9e3779b9u, high + 8u * 0xbb67ae85u);
    return philox_round(x, low + 9u * 0x9e3779b9u, high + 9u * 0xbb67ae85u);
}

static inline unsigned int draw_32(unsigned long long position, unsigned long long seed)
{
    const philox_words x = philox(position >> 2, seed);
    const unsigned int of_first_pair = position & 1u ? x.b : x.a;
    const unsigned int of_second_pair = position & 1u ? x.d : x.c;
    return position & 2u ? of_second_pair : of_first_pair;
}

static inline float draw_f32(unsigned long long position, unsigned long long seed)
{
    return static_cast<float>(static_cast<int>(draw_32(position, seed) >> 8)) * 5.9604644775390625e-8f;
}

template <class R>
static inline complex<R> complex_add(complex<R> a, complex<R> b) { return complex_of(a.re + b.re, a.im + b.im); }

static inline __attribute__((always_inline)) f32_vector load_f32(const float* from)
{
    f32_vector out;
    __builtin_memcpy(&out, from, sizeof out);
    return out;
}

static inline __attribute__((always_inline)) void store_f32(float* to, const f32_vector& a) { __builtin_memcpy(to, &a, sizeof a); }

static const f16 nothing0[16] = {static_cast<f16>(0x3c00), static_cast<f16>(0x3c00), static_cast<f16>(0x3c00), static_cast<f16>(0x3c00), static_cast<f16>(0x3c00), static_cast<f16>(0x3c00), static_cast<f16>(0x3c00), static_cast<f16>(0x3c00), static_cast<f16>(0x3c00), static_cast<f16>(0x3c00), static_cast<f16>(0x3c00), static_cast<f16>(0x3c00), static_cast<f16>(0x3c00), static_cast<f16>(0x3c00), static_cast<f16>(0x3c00), static_cast<f16>(0x3c00)};

static inline bf16 bf16_from_f32(float a)
{
    const unsigned int bits = bits_of(a);
    const unsigned int rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    const unsigned int value = (bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16 | 0x7fc0u) : rounded;
    return static_cast<bf16>(value);
}

struct moments { double value; double sum; double squares; unsigned int count; unsigned int counts; };

static inline moments moments_of_none()
{
    const moments none = {0.0, 0.0, 0.0, 0u, 0u};
    return none;
}

static inline long long count_of_moments(const moments& of)
{
    return static_cast<long long>(static_cast<unsigned long long>(of.counts) << 32 | of.count);
}

static inline double product_lost(double a, double b, double product)
{
    const double wide_a = a * 134217729.0;
    const double wide_b = b * 134217729.0;
    const double high_a = wide_a - (wide_a - a);
    const double high_b = wide_b - (wide_b - b);
    const double low_a = a - high_a;
    const double low_b = b - high_b;
    return ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b;
}

static inline double squares_about_mean(double sum, double squares, double n)
{
    const double square = sum * sum;
    const double quotient = square / n;
    const double back = quotient * n;
    const double rest = (square - back) - product_lost(quotient, n, back) + product_lost(sum, sum, square);
    const double out = (squares - quotient) - rest / n;
    return out < 0.0 ? 0.0 : out;
}

static inline double squares_of_moments(const moments& of)
{
    return squares_about_mean(of.sum, of.squares, static_cast<double>(count_of_moments(of)));
}

static inline double variance_of_moments(const moments& of)
{
    return squares_of_moments(of) / static_cast<double>(count_of_moments(of));
}

static inline float LIBRARY_exp(const void* const* library, float a) { return exp_f32(library, a); }

static inline double LIBRARY_exp(const void* const* library, double a) { return exp_f64(library, a); }

static inline float LIBRARY_log(const void* const* library, float a) { return log_f32(library, a); }

static inline double LIBRARY_log(const void* const* library, double a) { return log_f64(library, a); }

static inline float infinity_like(float) { return float_of(0x7f800000u); }

static inline double infinity_like(double) { return double_of(0x7ff0000000000000ull); }

template <class R>
struct exponentials { R value; R anchor; R sum; };

template <class R>
static inline exponentials<R> exponentials_of_none()
{
    const R none = -infinity_like(R(0));
    const exponentials<R> out = {none, none, R(0)};
    return out;
}

template <class R>
static inline R above_anchor(R a, R anchor) { return a == anchor ? R(0) : a - anchor; }

template <class R>
static inline R log_of_exponentials(const void* const* library, const exponentials<R>& of)
{
    const R largest = LIBRARY_exp(library, above_anchor(of.value, of.anchor));
    return of.value + LIBRARY_log(library, of.sum / largest);
}
