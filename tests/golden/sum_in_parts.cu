// sum(x0 * x1)


__device__ __forceinline__ float sum_of(float x0, float x1)
{
    return x0 + x1;
}
struct states { float s0; };
__device__ __forceinline__ states nothing() { states out; out.s0 = (-0.0f); return out; }
__device__ __forceinline__ states combine(const states& a, const states& b) { states out; out.s0 = sum_of(a.s0, b.s0); return out; }

__device__ __forceinline__ float sum_of_two(float x0, float x1) { return x0 + x1; }
// What the last of the blocks that left these parts would have made of them, in the same order.
__device__ __forceinline__ float added_up(const float* parts, int count, float* of_warp)
{
    #pragma unroll
    for (int lane = threadIdx.x; lane < 256; lane += 256) {
        const float first = lane < count ? parts[lane] : (-0.0f);
        const float second = lane + 256 < count ? parts[lane + 256] : (-0.0f);
        float mine = sum_of_two(first, second);
        union { float all; unsigned int word[sizeof(float) / 4]; } other;
        #pragma unroll
        for (int apart = 16; apart > 0; apart /= 2) {
            other.all = mine;
            #pragma unroll
            for (int i = 0; i < static_cast<int>(sizeof(float) / 4); ++i)
                other.word[i] = __shfl_down_sync(0xffffffffu, other.word[i], apart);
            mine = sum_of_two(mine, other.all);
        }
        if (lane % 32 == 0) of_warp[lane / 32] = mine;
    }
    __syncthreads();
    const float even = sum_of_two(sum_of_two(of_warp[0], of_warp[4]), sum_of_two(of_warp[2], of_warp[6]));
    const float odd = sum_of_two(sum_of_two(of_warp[1], of_warp[5]), sum_of_two(of_warp[3], of_warp[7]));
    return sum_of_two(even, odd);
}
struct __align__(16) f32x4 { float v[4]; };
__device__ __forceinline__ f32x4 load_f32x4(const float* from)
{
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const f32x4&>(bits);
}

struct layout { long long word[9]; };

// By multiplication: divisor is multiplier | shift << 32.
__device__ __forceinline__ unsigned int divide(unsigned int x, long long divisor)
{
    return (__umulhi(x, (unsigned int)divisor) + x) >> int(divisor >> 32);
}

__device__ __forceinline__ void body(const float x0, const float x1, float& y0)
{
    const float t0 = x0 * x1;
    y0 = t0;
}

// What the thread has that is so many further on in the warp.
__device__ __forceinline__ states further_on(states mine, int apart)
{
    union { states all; unsigned int word[(sizeof(states) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_down_sync(0xffffffffu, bits.word[i], apart);
    return bits.all;
}

// The results of a row's threads, in pairs; the first of them has all.
__device__ __forceinline__ states meet(states mine, states* shared, int lane)
{
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = mine;
    __syncthreads();
    mine = shared[(threadIdx.x - lane) / 32 + threadIdx.x % 8];
    #pragma unroll
    for (int apart = 4; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return mine;
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_sum_of_mul_f32_v4_axes1_parts(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ parts_of_x1, const __grid_constant__ layout at)
{
    wait_for_earlier_kernels();
    __shared__ float warps_of_x1[8];
    const float sum_x1 = added_up(parts_of_x1 + 64, at.word[8], warps_of_x1);
    const float* const x1 = &sum_x1;
    __shared__ states shared[8];
    const unsigned int splits = at.word[3];
    const unsigned int group = divide(blockIdx.x, at.word[4]);
    const unsigned int split = blockIdx.x - group * splits;
    const int lane = threadIdx.x % 256;
    const unsigned int kept = at.word[5];
    const unsigned int reduced = at.word[6];
    const bool is_there = group * 1 + threadIdx.x / 256 < kept;
    const unsigned int value = is_there ? group * 1 + threadIdx.x / 256 : kept - 1;
    const unsigned int begin = split * static_cast<unsigned int>(at.word[7]);
    const unsigned int end = split + 1 == splits ? reduced : begin + static_cast<unsigned int>(at.word[7]);
    states part[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) part[k] = nothing();
    #pragma unroll 1
    for (unsigned int next = begin + lane * 4; next < end; next += 2048) {
        f32x4 v_x0[2];
        float v_x1[2];
        #pragma unroll
        for (int u = 0; u < 2; ++u) {
            const unsigned int first = next + u * 1024;
            if (first + 4 <= end) {
                const int p0 = first;
                const unsigned int i = static_cast<unsigned int>(p0);
                const int at_x1 = 0;
                v_x0[u] = load_f32x4(x0 + i);
                v_x1[u] = x1[at_x1];
            }
        }
        #pragma unroll
        for (int u = 0; u < 2; ++u) {
            const unsigned int first = next + u * 1024;
            if (first + 4 <= end) {
                const int p0 = first;
                const unsigned int i = static_cast<unsigned int>(p0);
                const int at_x1 = 0;
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    float one_y0;
                    body(v_x0[u].v[k], v_x1[u], one_y0);
                    states one; one.s0 = one_y0;
                    part[k] = combine(part[k], one);
                }
            }
        }
    }
    const unsigned int runs = (end - begin) / 4;
    if (begin + runs * 4 < end && lane == runs % 256) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = begin + runs * 4 + k;
            if (first < end) {
                const int p0 = first;
                const unsigned int i = static_cast<unsigned int>(p0);
                const int at_x1 = 0;
                float one_y0;
                body(x0[i], x1[at_x1], one_y0);
                states one; one.s0 = one_y0;
                part[k] = combine(part[k], one);
            }
        }
    }
    states mine[1] = {combine(combine(part[0], part[1]), combine(part[2], part[3]))};
    #pragma unroll
    for (int k = 0; k < 1; ++k) {
        mine[k] = meet(mine[k], shared, lane);
    }
    if (lane == 0) y0[64 + split] = mine[0].s0;
}
