// (floor_divide(x0, x1) * sigmoid(x0)) + floor_mod(x0, x1)

__device__ __forceinline__ float LIBRARY_exp(float a) { return expf(a); }
__device__ __forceinline__ double LIBRARY_exp(double a) { return exp(a); }
__device__ __forceinline__ float EXACT_fabs(float a) { return fabsf(a); }
__device__ __forceinline__ double EXACT_fabs(double a) { return fabs(a); }
__device__ __forceinline__ float EXACT_floor(float a) { return floorf(a); }
__device__ __forceinline__ double EXACT_floor(double a) { return floor(a); }
__device__ __forceinline__ float EXACT_copysign(float a, float b) { return copysignf(a, b); }
__device__ __forceinline__ double EXACT_copysign(double a, double b) { return copysign(a, b); }
__device__ __forceinline__ float EXACT_fmod(float a, float b) { return fmodf(a, b); }
__device__ __forceinline__ double EXACT_fmod(double a, double b) { return fmod(a, b); }
template <class R>
__device__ __forceinline__ R rest_downwards(R a, R b) {
    const R rest = EXACT_fmod(a, b);
    if (rest == R(0)) return EXACT_copysign(R(0), b);
    return (rest < R(0)) != (b < R(0)) ? rest + b : rest;
}
template <class R>
__device__ __forceinline__ R quotient_downwards(R a, R b) {
    if (b == R(0)) return a / b;
    const R rest = EXACT_fmod(a, b);
    R quotient = (a - rest) / b;
    if (rest != R(0) && (rest < R(0)) != (b < R(0))) quotient = quotient - R(1);
    if (quotient == R(0)) return EXACT_copysign(R(0), a / b);
    const R whole = EXACT_floor(quotient);
    return quotient - whole > R(0.5) ? whole + R(1) : whole;
}
template <class R>
__device__ __forceinline__ R logistic(R a) {
    const R e = LIBRARY_exp(-EXACT_fabs(a));
    return (a < R(0) ? e : R(1)) / (R(1) + e);
}
struct __align__(16) f32x4 { float v[4]; };
__device__ __forceinline__ f32x4 load_f32x4(const float* from)
{
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const f32x4&>(bits);
}
__device__ __forceinline__ void store(float* to, const f32x4& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

__device__ __forceinline__ void body(const float x0, const float x1, float& y0)
{
    const float t0 = quotient_downwards(x0, x1);
    const float t1 = logistic(x0);
    const float t2 = t0 * t1;
    const float t3 = rest_downwards(x0, x1);
    const float t4 = t2 + t3;
    y0 = t4;
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_floor_divide_sigmoid_mul_floor_mod_add_f32_v4(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const unsigned int count)
{
    wait_for_earlier_kernels();
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 4;
    if (first >= count) return;
    f32x4 v_x0 = {};
    f32x4 v_x1 = {};
    const bool whole = first + 4 <= count;
    if (whole) {
        v_x0 = load_f32x4(x0 + first);
        v_x1 = load_f32x4(x1 + first);
    }
    f32x4 v_y0;
    #pragma unroll 1
    for (int k = 0; k < 4; ++k) {
        if (!whole) {
            if (first + k >= count) break;
            v_x0.v[0] = x0[first + k]; v_x1.v[0] = x1[first + k];
        }
        float one_y0;
        body(v_x0.v[0], v_x1.v[0], one_y0);
        if (!whole) { y0[first + k] = one_y0; }
        #pragma unroll
        for (int j = 0; j < 3; ++j) { v_x0.v[j] = v_x0.v[j + 1]; v_x1.v[j] = v_x1.v[j + 1]; v_y0.v[j] = v_y0.v[j + 1]; }
        v_y0.v[3] = one_y0;
    }
    if (whole) {
        store(y0 + first, v_y0);
    }
}
