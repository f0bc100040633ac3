// lennard_jones(x0)
typedef long long i64;

#define __device__
#define __forceinline__ __attribute__((always_inline))
static inline float kiln_promoted(float a) { return a; }
static inline double kiln_promoted(double a) { return a; }
static inline long double kiln_promoted(long double a) { return a; }
template <class A, class = decltype(A() & 1)>
static inline double kiln_promoted(A a) { return static_cast<double>(a); }
extern "C" double pow(double, double);
static inline float pow(float a, float b) { return __builtin_powf(a, b); }
static inline long double pow(long double a, long double b) { return __builtin_powl(a, b); }
template <class A, class B, class R = decltype(kiln_promoted(A()) + kiln_promoted(B()))>
static inline R pow(A a, B b) { return pow(R(a), R(b)); }
#pragma GCC visibility push(hidden)

#line 1 "powers.h"
#
__device__ __forceinline__ float sixth(float a) { return a * a * a * a * a * a; }

#pragma GCC visibility pop
static inline float user0_lennard_jones(float r)
{
#line 1 "lennard_jones"
#
return 4 * (pow(1 / r, 12.0f) - sixth(1 / r));
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
    const float t0 = user0_lennard_jones(x0);
    y0 = t0;
}

extern "C" void kiln_lennard_jones_f32(void* const* parameters, long long begin, long long end, const void* const* library)
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
