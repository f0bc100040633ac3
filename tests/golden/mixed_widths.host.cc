// float64(x0 + x0) * x1
typedef unsigned char u8;
typedef long long i64;

static inline void body(const u8 x0, const double x1, double& y0)
{
    const u8 t0 = u8(u8(x0) + u8(x0));
    const double t1 = double(t0);
    const double t2 = t1 * x1;
    y0 = t2;
}

extern "C" void kiln_add_mul_f64(void* const* parameters, long long begin, long long end, const void* const* library)
{
    double* const y0 = *static_cast<double* const*>(parameters[0]);
    const u8* const x0 = *static_cast<const u8* const*>(parameters[1]);
    const double* const x1 = *static_cast<const double* const*>(parameters[2]);
    (void)library;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], x1[i], y0[i]);
}
