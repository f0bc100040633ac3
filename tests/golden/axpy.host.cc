// (s0 * x0) + x1
typedef long long i64;

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
static inline void body(const double x0, const double x1, const double s0, double& y0)
{
    const double t0 = s0 * x0;
    const double t1 = t0 + x1;
    y0 = t1;
}

extern "C" void kiln_mul_add_f64(void* const* parameters, long long begin, long long end, const void* const* library)
{
    double* const y0 = *static_cast<double* const*>(parameters[0]);
    const double* const x0 = *static_cast<const double* const*>(parameters[1]);
    const double* const x1 = *static_cast<const double* const*>(parameters[2]);
    const double s0 = *static_cast<const double*>(parameters[3]);
    const bool past_caches = library[58] && ((i64)y0) % 64 == 0;
    i64 next = begin, stop = past_caches ? least_index(end, (begin + 7) / 8 * 8) : end;
    do {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], x1[i], s0, y0[i]);
        for (next = stop; end - next >= 8; next += 8) {
            alignas(64) double line_y0[8];
            for (int j = 0; j < 8; ++j) { const i64 i = next + j; body(x0[i], x1[i], s0, line_y0[j]); }
            store_past_caches(y0 + next, line_y0, 64);
        }
        stop = end;
    } while (next < stop);
}
