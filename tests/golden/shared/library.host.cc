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

static inline f16 cbrt_f16(const void* const* library, f16 a) { typedef f16 (*of)(f16) __attribute__((const)); return reinterpret_cast<of>(const_cast<void*>(library[691]))(a); }

static inline void block_pow_f16(const void* const* library, const f16* a, const f16* b, f16* out, i64 count)
{
    reinterpret_cast<void (*)(const f16*, const f16*, f16*, i64)>(const_cast<void*>(library[685]))(a, b, out, count);
}

static inline void block_gelu_f16(const void* const* library, const f16* a, f16* out, i64 count)
{
    reinterpret_cast<void (*)(const f16*, f16*, i64)>(const_cast<void*>(library[725]))(a, out, count);
}

static inline void block_exp_f32(const void* const* library, const float* a, float* out, i64 count)
{
    reinterpret_cast<void (*)(const float*, float*, i64)>(const_cast<void*>(library[64]))(a, out, count);
}

static inline float exp_f32(const void* const* library, float a) { typedef float (*of)(float) __attribute__((const)); return reinterpret_cast<of>(const_cast<void*>(library[0]))(a); }

static inline void block_log_f32(const void* const* library, const float* a, float* out, i64 count)
{
    reinterpret_cast<void (*)(const float*, float*, i64)>(const_cast<void*>(library[67]))(a, out, count);
}

static inline double exp_f64(const void* const* library, double a) { typedef double (*of)(double) __attribute__((const)); return reinterpret_cast<of>(const_cast<void*>(library[1]))(a); }

static inline float log_f32(const void* const* library, float a) { typedef float (*of)(float) __attribute__((const)); return reinterpret_cast<of>(const_cast<void*>(library[6]))(a); }

static inline double log_f64(const void* const* library, double a) { typedef double (*of)(double) __attribute__((const)); return reinterpret_cast<of>(const_cast<void*>(library[7]))(a); }

static inline void block_widen_f16(const void* const* library, const f16* a, float* out, i64 count)
{
    reinterpret_cast<void (*)(const f16*, float*, i64)>(const_cast<void*>(library[601]))(a, out, count);
}

static inline void block_exp_f64(const void* const* library, const double* a, double* out, i64 count)
{
    reinterpret_cast<void (*)(const double*, double*, i64)>(const_cast<void*>(library[95]))(a, out, count);
}

static inline void block_log_f64(const void* const* library, const double* a, double* out, i64 count)
{
    reinterpret_cast<void (*)(const double*, double*, i64)>(const_cast<void*>(library[98]))(a, out, count);
}

static inline void block_pow_f32(const void* const* library, const float* a, const float* b, float* out, i64 count)
{
    reinterpret_cast<void (*)(const float*, const float*, float*, i64)>(const_cast<void*>(library[84]))(a, b, out, count);
}
