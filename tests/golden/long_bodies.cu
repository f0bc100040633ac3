// (floor_divide(x0, x1) * sigmoid(x0)) + floor_mod(x0, x1)

struct __align__(16) f32x4 { float v[4]; };
__device__ __forceinline__ f32x4 load_f32x4(const float* from)
{
    const uint4 bits = __ldcs(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const f32x4&>(bits);
}
__device__ __forceinline__ void store(float* to, const f32x4& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

__device__ __forceinline__ float floor_mod_f32(float a, float b)
{
    const float rest = fmodf(a, b);
    if (rest == float(0)) return copysignf(float(0), b);
    return (rest < float(0)) != (b < float(0)) ? rest + b : rest;
}
__device__ __forceinline__ float floor_divide_f32(float a, float b)
{
    if (b == float(0)) return a / b;
    const float rest = fmodf(a, b);
    float quotient = (a - rest) / b;
    if (rest != float(0) && (rest < float(0)) != (b < float(0))) quotient = quotient - float(1);
    if (quotient == float(0)) return copysignf(float(0), a / b);
    const float whole = floorf(quotient);
    return quotient - whole > float(0.5) ? whole + float(1) : whole;
}
__device__ __forceinline__ float sigmoid_f32(float a)
{
    const float e = expf(-fabsf(a));
    return (a < float(0) ? e : float(1)) / (float(1) + e);
}
__device__ __forceinline__ void body(const float x0, const float x1, float& y0)
{
    const float t0 = floor_divide_f32(x0, x1);
    const float t1 = sigmoid_f32(x0);
    const float t2 = t0 * t1;
    const float t3 = floor_mod_f32(x0, x1);
    const float t4 = t2 + t3;
    y0 = t4;
}

extern "C" __global__ void __launch_bounds__(256)
kiln_floor_divide_sigmoid_mul_floor_mod_add_f32_v4(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const unsigned int count)
{
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 4;
    if (first + 4 <= count) {
        const f32x4 v_x0 = load_f32x4(x0 + first);
        const f32x4 v_x1 = load_f32x4(x1 + first);
        f32x4 v_y0;
        #pragma unroll
        for (int k = 0; k < 4; ++k) body(v_x0.v[k], v_x1.v[k], v_y0.v[k]);
        store(y0 + first, v_y0);
    } else {
        for (unsigned int i = first; i < count; ++i) body(x0[i], x1[i], y0[i]);
    }
}
