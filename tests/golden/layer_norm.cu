// ((float32(x0) - mean(float32(x0))) * rsqrt(mean(square(float32(x0) - mean(float32(x0)))) + s0)) * x1

enum class f16 : unsigned short {};
__device__ __forceinline__ unsigned short bits16_of(f16 a) { return static_cast<unsigned short>(a); }
__device__ __forceinline__ float f32_from_f16(f16 a) { float to; asm("cvt.f32.f16 %0, %1;" : "=f"(to) : "h"(bits16_of(a))); return to; }

__device__ __forceinline__ float mean_of(float x0, float x1)
{
    return x0 + x1;
}
__device__ __forceinline__ float finish_0(float state, long long count) { return state / float(count); }
__device__ __forceinline__ float finish_1(float state, long long count) { return state / float(count); }
struct states_0 { float s0; };
__device__ __forceinline__ states_0 nothing_0() { states_0 out; out.s0 = (-0.0f); return out; }
__device__ __forceinline__ states_0 combine(const states_0& a, const states_0& b) { states_0 out; out.s0 = mean_of(a.s0, b.s0); return out; }
struct states_1 { float s1; };
__device__ __forceinline__ states_1 nothing_1() { states_1 out; out.s1 = (-0.0f); return out; }
__device__ __forceinline__ states_1 combine(const states_1& a, const states_1& b) { states_1 out; out.s1 = mean_of(a.s1, b.s1); return out; }
struct layout { long long word[10]; };

// What the thread has that is so many further on in the warp.
__device__ __forceinline__ states_0 further_on(states_0 mine, int apart)
{
    union { states_0 all; unsigned int word[(sizeof(states_0) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_down_sync(0xffffffffu, bits.word[i], apart);
    return bits.all;
}

// What the first of the row's threads in the warp has.
__device__ __forceinline__ states_0 first_of_row(states_0 mine, int lane)
{
    union { states_0 all; unsigned int word[(sizeof(states_0) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_sync(0xffffffffu, bits.word[i], (threadIdx.x - lane) % 32);
    return bits.all;
}

// The results of a row's threads, in pairs; each of them has all.
__device__ __forceinline__ states_0 meet(states_0 mine, states_0* shared, int lane)
{
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = mine;
    __syncthreads();
    mine = shared[(threadIdx.x - lane) / 32 + threadIdx.x % 8];
    #pragma unroll
    for (int apart = 4; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return first_of_row(mine, lane);
}

// What the thread has that is so many further on in the warp.
__device__ __forceinline__ states_1 further_on(states_1 mine, int apart)
{
    union { states_1 all; unsigned int word[(sizeof(states_1) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_down_sync(0xffffffffu, bits.word[i], apart);
    return bits.all;
}

// What the first of the row's threads in the warp has.
__device__ __forceinline__ states_1 first_of_row(states_1 mine, int lane)
{
    union { states_1 all; unsigned int word[(sizeof(states_1) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_sync(0xffffffffu, bits.word[i], (threadIdx.x - lane) % 32);
    return bits.all;
}

// The results of a row's threads, in pairs; each of them has all.
__device__ __forceinline__ states_1 meet(states_1 mine, states_1* shared, int lane)
{
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = mine;
    __syncthreads();
    mine = shared[(threadIdx.x - lane) / 32 + threadIdx.x % 8];
    #pragma unroll
    for (int apart = 4; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return first_of_row(mine, lane);
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_cast_mean2_sub_square_add_rsqrt_mul2_f32_axes2_kept4(float* __restrict__ y0, const f16* __restrict__ x0, const float* __restrict__ x1, const float s0, const __grid_constant__ layout at)
{
    wait_for_earlier_kernels();
    __shared__ states_0 shared_0[8];
    __shared__ states_1 shared_1[8];
    const unsigned int group = blockIdx.x;
    const int lane = threadIdx.x % 256;
    const unsigned int kept = at.word[7];
    const unsigned int reduced = at.word[8];
    const bool is_there = group * 1 + threadIdx.x / 256 < kept;
    const unsigned int value = is_there ? group * 1 + threadIdx.x / 256 : kept - 1;
    const unsigned int begin = 0;
    const unsigned int end = reduced;
    const int p0 = value;
    f16 row_x0[4];
    #pragma unroll
    for (int u = 0; u < 1; ++u) {
        const unsigned int run = (lane + u * 256) * 4;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = run + k;
            if (first < end) {
                const int p1 = first;
                const unsigned int i = (static_cast<unsigned int>(p0) * int(at.word[2]) + p1);
                row_x0[u * 4 + k] = x0[i];
            }
        }
    }
    float row_t0[4];
    states_0 part_0[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) part_0[k] = nothing_0();
    #pragma unroll
    for (int u = 0; u < 1; ++u) {
        const unsigned int run = (lane + u * 256) * 4;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = run + k;
            if (first < end) {
                const f16 x0 = row_x0[u * 4 + k];
                const float t0 = float(f32_from_f16(x0));
                row_t0[u * 4 + k] = t0;
                states_0 one; one.s0 = t0;
                part_0[k] = combine(part_0[k], one);
            }
        }
    }
    states_0 mine_0 = combine(combine(part_0[0], part_0[1]), combine(part_0[2], part_0[3]));
    mine_0 = meet(mine_0, shared_0, lane);
    const float t1 = finish_0(mine_0.s0, reduced);
    float row_t2[4];
    states_1 part_1[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) part_1[k] = nothing_1();
    #pragma unroll
    for (int u = 0; u < 1; ++u) {
        const unsigned int run = (lane + u * 256) * 4;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = run + k;
            if (first < end) {
                const float t0 = row_t0[u * 4 + k];
                const float t2 = t0 - t1;
                row_t2[u * 4 + k] = t2;
                const float t3 = t2 * t2;
                states_1 one; one.s1 = t3;
                part_1[k] = combine(part_1[k], one);
            }
        }
    }
    states_1 mine_1 = combine(combine(part_1[0], part_1[1]), combine(part_1[2], part_1[3]));
    mine_1 = meet(mine_1, shared_1, lane);
    const float t4 = finish_1(mine_1.s1, reduced);
    const float t5 = t4 + s0;
    const float t6 = float(1) / sqrtf(t5);
    float row_x1[4];
    #pragma unroll
    for (int u = 0; u < 1; ++u) {
        const unsigned int run = (lane + u * 256) * 4;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = run + k;
            if (first < end) {
                const int p1 = first;
                const int at_x1 = p1;
                row_x1[u * 4 + k] = x1[at_x1];
            }
        }
    }
    #pragma unroll
    for (int u = 0; u < 1; ++u) {
        const unsigned int run = (lane + u * 256) * 4;
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = run + k;
            if (first < end) {
                const int p1 = first;
                const unsigned int i = (static_cast<unsigned int>(p0) * int(at.word[2]) + p1);
                const float x1 = row_x1[u * 4 + k];
                const float t2 = row_t2[u * 4 + k];
                const float t7 = t2 * t6;
                const float t8 = t7 * x1;
                if (is_there) y0[i] = t8;
            }
        }
    }
}
