// take(x1, int64(x0)) * s0
typedef long long i64;

struct layout { long long word[4]; };

__device__ __forceinline__ int lookup_index(i64 i, int extent)
{
    const i64 from_first = i < 0 ? i + extent : i;
    return from_first < 0 ? 0 : from_first < extent ? (int)from_first : extent - 1;
}

__device__ __forceinline__ void body(const int x0, const float* x1, const float s0, const layout& at, const int p0, float& y0)
{
    const i64 t0 = i64(x0);
    const int t1_0 = lookup_index(t0, int(at.word[3]));
    const float t1 = x1[t1_0];
    const float t2 = t1 * s0;
    y0 = t2;
}

__device__ __forceinline__ void element(float* __restrict__ y0, const int* __restrict__ x0, const float* __restrict__ x1, const float s0, const layout& at, const unsigned int i, const int p0)
{
    body(x0[i], x1, s0, at, p0, y0[i]);
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_cast_take_mul_f32_axes1(float* __restrict__ y0, const int* __restrict__ x0, const float* __restrict__ x1, const float s0, const __grid_constant__ layout at)
{
    wait_for_earlier_kernels();
    const unsigned int count = at.word[0];
    const unsigned int first = blockIdx.x * 1024 + threadIdx.x;
    if (first - threadIdx.x + 1024 <= count) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int i = first + k * 256;
            const int p0 = i;
            element(y0, x0, x1, s0, at, i, p0);
        }
    } else {
        #pragma unroll 1
        for (unsigned int i = first; i < count; i += 256) {
            const int p0 = i;
            element(y0, x0, x1, s0, at, i, p0);
        }
    }
}
