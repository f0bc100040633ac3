// x0 + x1

__device__ __forceinline__ void body(const float x0, const float x1, float& y0)
{
    const float t0 = x0 + x1;
    y0 = t0;
}

extern "C" __global__ void __launch_bounds__(256)
kiln_add_f32(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const unsigned int count)
{
    const unsigned int i = blockIdx.x * 256u + threadIdx.x;
    if (i < count) body(x0[i], x1[i], y0[i]);
}
