// bfloat16(float64(x0) * s0)
typedef long long i64;

static inline unsigned int bits_of(float a) { unsigned int bits; __builtin_memcpy(&bits, &a, sizeof bits); return bits; }
static inline unsigned long long bits_of(double a) { unsigned long long bits; __builtin_memcpy(&bits, &a, sizeof bits); return bits; }
static inline float float_of(unsigned int bits) { float a; __builtin_memcpy(&a, &bits, sizeof a); return a; }
template <class R>
static inline R rounded(R a)
{
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
    return __builtin_assoc_barrier(a);
#else
    return a;
#endif
}
enum class bf16 : unsigned short {};
static inline float f32_from_bf16(bf16 a) { return float_of(static_cast<unsigned int>(a) << 16); }
static inline bf16 bf16_from_f32(float a)
{
    const unsigned int bits = bits_of(a);
    const unsigned int rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    const unsigned int value = (bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16 | 0x7fc0u) : rounded;
    return static_cast<bf16>(value);
}
static inline float f32_odd(double a)
{
    const float near = static_cast<float>(a);
    const double back = near;
    const unsigned int bits = bits_of(near);
    const bool outside = a < 0 ? back < a : back > a;
    return back == a || a != a ? near : float_of((outside ? bits - 1u : bits) | 1u);
}
static inline bf16 bf16_from_f64(double a) { return bf16_from_f32(f32_odd(a)); }
typedef long long part_of_line __attribute__((vector_size(16), may_alias));
static inline void store_past_caches(void* to, const void* from, int bytes)
{
    for (int i = 0; i < bytes / 16; ++i) {
        const part_of_line part = static_cast<const part_of_line*>(from)[i];
#if defined(__clang__)
        __builtin_nontemporal_store(part, static_cast<part_of_line*>(to) + i);
#elif defined(__SSE2__)
        __builtin_ia32_movntdq(static_cast<part_of_line*>(to) + i, part);
#else
        static_cast<part_of_line*>(to)[i] = part;
#endif
    }
}
static inline i64 least_index(i64 a, i64 b) { return a < b ? a : b; }
static inline void body(const bf16 x0, const double s0, bf16& y0)
{
    const double t0 = double(f32_from_bf16(x0));
    const double t1 = t0 * s0;
    const bf16 t2 = bf16_from_f64(t1);
    y0 = t2;
}

extern "C" void kiln_cast2_mul_bf16(void* const* parameters, long long begin, long long end, const void* const* library)
{
    bf16* const y0 = *static_cast<bf16* const*>(parameters[0]);
    const bf16* const x0 = *static_cast<const bf16* const*>(parameters[1]);
    const double s0 = *static_cast<const double*>(parameters[2]);
    const bool past_caches = library[58] && ((i64)y0) % 64 == 0;
    i64 next = begin, stop = past_caches ? least_index(end, (begin + 31) / 32 * 32) : end;
    do {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], s0, y0[i]);
        for (next = stop; end - next >= 32; next += 32) {
            alignas(64) bf16 line_y0[32];
            for (int j = 0; j < 32; ++j) { const i64 i = next + j; body(x0[i], s0, line_y0[j]); }
            store_past_caches(y0 + next, line_y0, 64);
        }
        stop = end;
    } while (next < stop);
}
