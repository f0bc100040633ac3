static inline float hypot_f32(const void* const* library, float a, float b) { return reinterpret_cast<float (*)(float, float)>(const_cast<void*>(library[42]))(a, b); }

static inline double hypot_f64(const void* const* library, double a, double b) { return reinterpret_cast<double (*)(double, double)>(const_cast<void*>(library[43]))(a, b); }

static inline float exp_f32(const void* const* library, float a) { return reinterpret_cast<float (*)(float)>(const_cast<void*>(library[0]))(a); }

static inline double exp_f64(const void* const* library, double a) { return reinterpret_cast<double (*)(double)>(const_cast<void*>(library[1]))(a); }

static inline float sin_f32(const void* const* library, float a) { return reinterpret_cast<float (*)(float)>(const_cast<void*>(library[14]))(a); }

static inline float log_f32(const void* const* library, float a) { return reinterpret_cast<float (*)(float)>(const_cast<void*>(library[6]))(a); }

static inline double log_f64(const void* const* library, double a) { return reinterpret_cast<double (*)(double)>(const_cast<void*>(library[7]))(a); }
