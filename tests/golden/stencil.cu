// (x0 + x1) - x2

struct __align__(8) f32x2 { float v[2]; };
__device__ __forceinline__ f32x2 load_f32x2(const float* from)
{
    const uint2 bits = __ldg(reinterpret_cast<const uint2*>(from));
    return reinterpret_cast<const f32x2&>(bits);
}
__device__ __forceinline__ void store(float* to, const f32x2& from)
{
    __stcs(reinterpret_cast<uint2*>(to), reinterpret_cast<const uint2&>(from));
}

struct layout { long long word[14]; };

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
    const float t0 = x0 + x1;
    const float t1 = t0 - x2;
    y0 = t1;
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_add_sub_f32_v2_axes2_rows(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const float* __restrict__ x2, const __grid_constant__ layout at)
{
    wait_for_earlier_kernels();
    const unsigned int thread = blockIdx.x * 256u + threadIdx.x;
    const unsigned int group = divide(thread, at.word[6]);
    const int p1 = (thread - group * int(at.word[5])) * 2;
    const unsigned int rows = at.word[7];
    if (group * 4 >= rows) return;
    #pragma unroll
    for (int r = 0; r < 4; ++r) {
        const bool is_there = group * 4 + r < rows;
        const unsigned int row = is_there ? group * 4 + r : rows - 1;
        const unsigned int first = row * int(at.word[2]) + p1;
        const int p0 = row;
        const int x0_0 = clamp_index(int(at.word[9]) + p0, int(at.word[8]));
        const int at_x0 = p1 + x0_0 * int(at.word[10]);
        const f32x2 v_x0 = load_f32x2(x0 + at_x0);
        const f32x2 v_x2 = load_f32x2(x2 + first);
        f32x2 v_y0;
        #pragma unroll
        for (int k = 0; k < 2; ++k) {
            const int x1_0 = clamp_index(int(at.word[12]) + (p1 + k), int(at.word[11]));
            const int at_x1 = p0 * int(at.word[13]) + x1_0;
            body(v_x0.v[k], x1[at_x1], v_x2.v[k], v_y0.v[k]);
        }
        if (is_there) store(y0 + first, v_y0);
    }
}
