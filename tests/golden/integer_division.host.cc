// (x0 / x1) + (x0 % x1)
typedef unsigned int u32;
typedef long long i64;

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
    (void)library;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], x1[i], y0[i]);
}
