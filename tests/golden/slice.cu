// x0 * x1

struct layout { long long word[7]; };

__device__ __forceinline__ void body(const float x0, const float x1, float& y0)
{
    const float t0 = x0 * x1;
    y0 = t0;
}

extern "C" __global__ void __launch_bounds__(256)
kiln_mul_f32_strided2(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const layout at)
{
    const unsigned int i = blockIdx.x * 256u + threadIdx.x;
    if (i >= static_cast<unsigned int>(at.word[0])) return;
    const unsigned int rest1 = i;
    const unsigned int rest0 = (__umulhi(rest1, static_cast<unsigned int>(at.word[4])) + rest1) >> static_cast<int>(at.word[4] >> 32);
    const int p1 = rest1 - rest0 * static_cast<unsigned int>(at.word[2]);
    const int p0 = rest0;
    body(x0[p0 * static_cast<int>(at.word[5]) + p1 * static_cast<int>(at.word[6])], x1[i], y0[i]);
}
