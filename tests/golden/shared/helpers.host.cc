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

static inline float LIBRARY_exp(const void* const* library, float a) { return exp_f32(library, a); }

static inline double LIBRARY_exp(const void* const* library, double a) { return exp_f64(library, a); }

static inline float EXACT_fabs(float a) { return __builtin_fabsf(a); }

static inline double EXACT_fabs(double a) { return __builtin_fabs(a); }

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

template <class R>
static inline R logistic(const void* const* library, R a) {
    const R e = LIBRARY_exp(library, -EXACT_fabs(a));
    return (a < R(0) ? e : R(1)) / (R(1) + e);
}

template <class R>
static inline complex<R> complex_add(complex<R> a, complex<R> b) { return complex_of(a.re + b.re, a.im + b.im); }

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
    const unsigned int capped = magnitude > 0x47800000u ? 0x47800000u : magnitude;
    const unsigned int normal = (capped - 0x38000000u + 0xfffu + (capped >> 13 & 1u)) >> 13;
    const unsigned int tiny = bits_of(float_of(magnitude) + 0.5f) - 0x3f000000u;
    const unsigned int is_tiny = static_cast<unsigned int>(static_cast<int>(magnitude - 0x38800000u) >> 31);
    const unsigned int nan = magnitude > 0x7f800000u ? 0x200u : 0u;
    return static_cast<f16>((tiny & is_tiny) | (normal & ~is_tiny) | nan | (bits >> 16 & 0x8000u));
}
