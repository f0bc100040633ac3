static inline float hypot_f32(const void* const* library, float a, float b) { typedef float (*of)(float, float) __attribute__((const)); return reinterpret_cast<of>(const_cast<void*>(library[42]))(a, b); }

static inline double hypot_f64(const void* const* library, double a, double b) { typedef double (*of)(double, double) __attribute__((const)); return reinterpret_cast<of>(const_cast<void*>(library[43]))(a, b); }

static inline void block_sin_f32(const void* const* library, const float* a, float* out, i64 count)
{
    reinterpret_cast<void (*)(const float*, float*, i64)>(const_cast<void*>(library[71]))(a, out, count);
}

static inline void block_sigmoid_f32(const void* const* library, const float* a, float* out, i64 count)
{
    reinterpret_cast<void (*)(const float*, float*, i64)>(const_cast<void*>(library[93]))(a, out, count);
}

static inline void block_widen_f16(const void* const* library, const f16* a, float* out, i64 count)
{
    reinterpret_cast<void (*)(const void*, void*, i64)>(const_cast<void*>(library[371]))(a, out, count);
}

static inline void block_narrow_f16(const void* const* library, const float* a, f16* out, i64 count)
{
    reinterpret_cast<void (*)(const void*, void*, i64)>(const_cast<void*>(library[373]))(a, out, count);
}

static inline void block_pow_f32(const void* const* library, const float* a, const float* b, float* out, i64 count)
{
    reinterpret_cast<void (*)(const float*, const float*, float*, i64)>(const_cast<void*>(library[84]))(a, b, out, count);
}

static inline void block_pow_f16(const void* const* library, const f16* a, const f16* b, f16* out, i64 count)
{
    alignas(64) float wide_a[256];
    block_widen_f16(library, a, wide_a, count);
    alignas(64) float wide_b[256];
    block_widen_f16(library, b, wide_b, count);
    block_pow_f32(library, wide_a, wide_b, wide_a, count);
    block_narrow_f16(library, wide_a, out, count);
}

static inline void block_gelu_f32(const void* const* library, const float* a, float* out, i64 count)
{
    reinterpret_cast<void (*)(const float*, float*, i64)>(const_cast<void*>(library[94]))(a, out, count);
}

static inline void block_gelu_f16(const void* const* library, const f16* a, f16* out, i64 count)
{
    alignas(64) float wide_a[256];
    block_widen_f16(library, a, wide_a, count);
    block_gelu_f32(library, wide_a, wide_a, count);
    block_narrow_f16(library, wide_a, out, count);
}

static inline void block_exp_f32(const void* const* library, const float* a, float* out, i64 count)
{
    reinterpret_cast<void (*)(const float*, float*, i64)>(const_cast<void*>(library[64]))(a, out, count);
}

static inline float exp_f32(const void* const* library, float a) { typedef float (*of)(float) __attribute__((const)); return reinterpret_cast<of>(const_cast<void*>(library[0]))(a); }

static inline double exp_f64(const void* const* library, double a) { typedef double (*of)(double) __attribute__((const)); return reinterpret_cast<of>(const_cast<void*>(library[1]))(a); }

static inline float log_f32(const void* const* library, float a) { typedef float (*of)(float) __attribute__((const)); return reinterpret_cast<of>(const_cast<void*>(library[6]))(a); }

static inline double log_f64(const void* const* library, double a) { typedef double (*of)(double) __attribute__((const)); return reinterpret_cast<of>(const_cast<void*>(library[7]))(a); }

static inline void block_exp_f64(const void* const* library, const double* a, double* out, i64 count)
{
    reinterpret_cast<void (*)(const double*, double*, i64)>(const_cast<void*>(library[95]))(a, out, count);
}
