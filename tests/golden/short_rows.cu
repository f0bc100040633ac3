// (x0 * x1) + x2

struct layout { long long word[8]; };

__device__ __forceinline__ int clamp_index(int i, int extent)
{
    const int from_first = i < 0 ? 0 : i;
    const int last = extent - 1;
    return from_first < last ? from_first : last;
}
// By multiplication: divisor is multiplier | shift << 32.
__device__ __forceinline__ unsigned int divide(unsigned int x, long long divisor)
{
    return (__umulhi(x, (unsigned int)divisor) + x) >> int(divisor >> 32);
}

__device__ __forceinline__ void body(const float x0, const float x1, const float x2, float& y0)
{
    const float t0 = x0 * x1;
    const float t1 = t0 + x2;
    y0 = t1;
}

__device__ __forceinline__ void element(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const float* __restrict__ x2, const layout& at, const unsigned int i, const int p0, const int p1)
{
    const int at_x0 = p1;
    const int at_x1 = p0;
    const int x2_0 = clamp_index(int(at.word[6]) + p0, int(at.word[5]));
    const int at_x2 = p1 + x2_0 * int(at.word[7]);
    body(x0[at_x0], x1[at_x1], x2[at_x2], y0[i]);
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_mul_add_f32_axes2(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const float* __restrict__ x2, const __grid_constant__ layout at)
{
    wait_for_earlier_kernels();
    const unsigned int count = at.word[0];
    const unsigned int first = blockIdx.x * 1024 + threadIdx.x;
    if (first - threadIdx.x + 1024 <= count) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int i = first + k * 256;
            const int p0 = divide(i, at.word[4]);
            const int p1 = i - p0 * int(at.word[2]);
            element(y0, x0, x1, x2, at, i, p0, p1);
        }
    } else {
        #pragma unroll 1
        for (unsigned int i = first; i < count; i += 256) {
            const int p0 = divide(i, at.word[4]);
            const int p1 = i - p0 * int(at.word[2]);
            element(y0, x0, x1, x2, at, i, p0, p1);
        }
    }
}
