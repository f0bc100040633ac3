// x0 * abs(x0)

__device__ __forceinline__ float LIBRARY_hypot(float a, float b) { return hypotf(a, b); }
__device__ __forceinline__ double LIBRARY_hypot(double a, double b) { return hypot(a, b); }
template <class R>
struct complex { R re; R im; };
typedef complex<double> c128;
template <class R>
__device__ __forceinline__ complex<R> complex_of(R re, R im) { complex<R> made; made.re = re; made.im = im; return made; }
struct __align__(16) c128x1 { c128 v[1]; };
__device__ __forceinline__ c128x1 load_c128x1(const c128* from)
{
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const c128x1&>(bits);
}
__device__ __forceinline__ void store(c128* to, const c128x1& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

__device__ __forceinline__ void body(const c128 x0, c128& y0)
{
    const double t0 = LIBRARY_hypot(x0.re, x0.im);
    const c128 t1 = complex_of(x0.re * t0, x0.im * t0);
    y0 = t1;
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_abs_scale_c128_v1(c128* __restrict__ y0, const c128* __restrict__ x0, const unsigned int count)
{
    wait_for_earlier_kernels();
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 1;
    if (first >= count) return;
    const c128x1 v_x0 = load_c128x1(x0 + first);
    c128x1 v_y0;
    #pragma unroll
    for (int k = 0; k < 1; ++k) body(v_x0.v[k], v_y0.v[k]);
    store(y0 + first, v_y0);
}
