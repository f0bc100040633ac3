// log(sum(exp(x0 - where(isfinite(max(x0)), max(x0), 0.0)))) + where(isfinite(max(x0)), max(x0), 0.0)


__device__ __forceinline__ double max_of(double x0, double x1)
{
    return (x0 == x0) & !(x1 <= x0) ? x1 : x0;
}
__device__ __forceinline__ double sum_of(double x0, double x1)
{
    return x0 + x1;
}
__device__ __forceinline__ double finish_0(double state, long long count) { return state; }
__device__ __forceinline__ double finish_1(double state, long long count) { return state; }
struct states_0 { double s0; };
__device__ __forceinline__ states_0 nothing_0() { states_0 out; out.s0 = (-1.0 / 0.0); return out; }
__device__ __forceinline__ states_0 combine(const states_0& a, const states_0& b) { states_0 out; out.s0 = max_of(a.s0, b.s0); return out; }
struct states_1 { double s1; };
__device__ __forceinline__ states_1 nothing_1() { states_1 out; out.s1 = (-0.0); return out; }
__device__ __forceinline__ states_1 combine(const states_1& a, const states_1& b) { states_1 out; out.s1 = sum_of(a.s1, b.s1); return out; }
struct __align__(16) f64x4 { double v[4]; };
__device__ __forceinline__ f64x4 load_f64x4(const double* from)
{
    f64x4 to;
    #pragma unroll
    for (int k = 0; k < 2; ++k)
        reinterpret_cast<uint4*>(&to)[k] = __ldg(reinterpret_cast<const uint4*>(from) + k);
    return to;
}

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
    for (int apart = 2; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
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
    for (int apart = 2; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return first_of_row(mine, lane);
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_max_isfinite_where_sub_exp_sum_log_add_f64_v4_axes2_kept16(double* __restrict__ y0, const double* __restrict__ x0, const __grid_constant__ layout at)
{
    wait_for_earlier_kernels();
    __shared__ states_0 shared_0[8];
    __shared__ states_1 shared_1[8];
    const unsigned int group = blockIdx.x;
    const int lane = threadIdx.x % 4;
    const unsigned int kept = at.word[7];
    const unsigned int reduced = at.word[8];
    const bool is_there = group * 64 + threadIdx.x / 4 < kept;
    const unsigned int value = is_there ? group * 64 + threadIdx.x / 4 : kept - 1;
    const unsigned int begin = 0;
    const unsigned int end = reduced;
    const int p0 = value;
    double row_x0[16];
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int first = (lane + u * 4) * 4;
        if (first < end) {
            const int p1 = first;
            const unsigned int i = (static_cast<unsigned int>(p0) * int(at.word[2]) + p1);
            const f64x4 v_x0 = load_f64x4(x0 + i);
            #pragma unroll
            for (int k = 0; k < 4; ++k) row_x0[u * 4 + k] = v_x0.v[k];
        }
    }
    states_0 part_0[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) part_0[k] = nothing_0();
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int first = (lane + u * 4) * 4;
        if (first < end) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const double x0 = row_x0[u * 4 + k];
                states_0 one; one.s0 = x0;
                part_0[k] = combine(part_0[k], one);
            }
        }
    }
    states_0 mine_0 = combine(combine(part_0[0], part_0[1]), combine(part_0[2], part_0[3]));
    mine_0 = meet(mine_0, shared_0, lane);
    const double t0 = finish_0(mine_0.s0, reduced);
    const bool t1 = t0 - t0 == double(0);
    const double t2 = t1 ? t0 : 0.0;
    states_1 part_1[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) part_1[k] = nothing_1();
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        const unsigned int first = (lane + u * 4) * 4;
        if (first < end) {
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                const double x0 = row_x0[u * 4 + k];
                const double t3 = x0 - t2;
                const double t4 = exp(t3);
                states_1 one; one.s1 = t4;
                part_1[k] = combine(part_1[k], one);
            }
        }
    }
    states_1 mine_1 = combine(combine(part_1[0], part_1[1]), combine(part_1[2], part_1[3]));
    mine_1 = meet(mine_1, shared_1, lane);
    const double t5 = finish_1(mine_1.s1, reduced);
    const double t6 = log(t5);
    const double t7 = t6 + t2;
    if (lane == 0 && is_there) {
        y0[value] = t7;
    }
}
