// (s0 * x0) + x1
typedef long long i64;

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
    (void)library;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], x1[i], s0, y0[i]);
}
