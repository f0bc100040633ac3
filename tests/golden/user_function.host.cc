// logaddexp(x0, x0 * 3.0f) - 0.25f
typedef long long i64;

extern "C" float expf(float);
extern "C" float fabsf(float);
extern "C" float fmaxf(float, float);
extern "C" float log1pf(float);
static inline float user0_logaddexp(float a, float b)
{
#line 1 "logaddexp"
return fmaxf(a,b) + log1pf(expf(-fabsf(a-b)));
}
#line 1 "the kernel"
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
static inline void body(const float x0, float& y0)
{
    const float t0 = x0 * 3.0f;
    const float t1 = user0_logaddexp(x0, t0);
    const float t2 = t1 - 0.25f;
    y0 = t2;
}

extern "C" void kiln_mul_logaddexp_sub_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const bool past_caches = library[58] && ((i64)y0) % 64 == 0;
    i64 next = begin, stop = past_caches ? least_index(end, (begin + 15) / 16 * 16) : end;
    do {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], y0[i]);
        for (next = stop; end - next >= 16; next += 16) {
            alignas(64) float line_y0[16];
            for (int j = 0; j < 16; ++j) { const i64 i = next + j; body(x0[i], line_y0[j]); }
            store_past_caches(y0 + next, line_y0, 64);
        }
        stop = end;
    } while (next < stop);
}
