// (x0 * x0) + exp(x0)
typedef long long i64;

static inline float exp_f32(const void* const* library, float a) { return reinterpret_cast<float (*)(float)>(const_cast<void*>(library[0]))(a); }
static inline unsigned int bits_of(float a) { unsigned int bits; __builtin_memcpy(&bits, &a, sizeof bits); return bits; }
static inline unsigned long long bits_of(double a) { unsigned long long bits; __builtin_memcpy(&bits, &a, sizeof bits); return bits; }
static inline float float_of(unsigned int bits) { float a; __builtin_memcpy(&a, &bits, sizeof a); return a; }
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
    const unsigned int tiny = bits_of(float_of(magnitude) + 0.5f) - 0x3f000000u;
    const unsigned int normal = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    const unsigned int large = magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u;
    const unsigned int value = magnitude < 0x38800000u ? tiny : magnitude < 0x47800000u ? normal : large;
    return static_cast<f16>(value | (bits >> 16 & 0x8000u));
}
static inline void body(const f16 x0, f16& y0, const void* const* library)
{
    const f16 t0 = f16_from_f32(f32_from_f16(x0) * f32_from_f16(x0));
    const f16 t1 = f16_from_f32(exp_f32(library, f32_from_f16(x0)));
    const f16 t2 = f16_from_f32(f32_from_f16(t0) + f32_from_f16(t1));
    y0 = t2;
}

extern "C" void kiln_mul_exp_add_f16(void* const* parameters, long long begin, long long end, const void* const* library)
{
    f16* const y0 = *static_cast<f16* const*>(parameters[0]);
    const f16* const x0 = *static_cast<const f16* const*>(parameters[1]);
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], y0[i], library);
}
