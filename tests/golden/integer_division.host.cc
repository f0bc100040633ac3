// (x0 / x1) + (x0 % x1)
typedef unsigned int u32;
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
static inline void body(const int x0, const int x1, int& y0)
{
    const int t0 = x1 == int(0) ? int(0) : x1 == int(-1) ? int(u32(0) - u32(x0)) : int(x0 / x1);
    const int t1 = x1 == int(0) || x1 == int(-1) ? int(0) : int(x0 % x1);
    const int t2 = int(u32(t0) + u32(t1));
    y0 = t2;
}

extern "C" void kiln_div_rem_add_i32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    int* const y0 = *static_cast<int* const*>(parameters[0]);
    const int* const x0 = *static_cast<const int* const*>(parameters[1]);
    const int* const x1 = *static_cast<const int* const*>(parameters[2]);
    const bool past_caches = library[58] && ((i64)y0) % 64 == 0;
    i64 next = begin, stop = past_caches ? least_index(end, (begin + 15) / 16 * 16) : end;
    do {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], x1[i], y0[i]);
        for (next = stop; end - next >= 16; next += 16) {
            alignas(64) int line_y0[16];
            for (int j = 0; j < 16; ++j) { const i64 i = next + j; body(x0[i], x1[i], line_y0[j]); }
            store_past_caches(y0 + next, line_y0, 64);
        }
        stop = end;
    } while (next < stop);
}
