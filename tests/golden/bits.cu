// (x0 >> x0) / clz(x0), (x1 << s0) / popcount(x1)
typedef unsigned char u8;
typedef unsigned long long u64;
typedef long long i64;

__device__ __forceinline__ int signed_quotient(int a, int b)
{
    const bool simple = static_cast<unsigned int>(b) + 1u < 2u;
    const int quotient = a / (simple ? 1 : b);
    return simple ? static_cast<int>(0u - static_cast<unsigned int>(a & b)) : quotient;
}
__device__ __forceinline__ int narrow_quotient(int a, int b)
{
    float reciprocal;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(static_cast<float>(b)));
    const int quotient = static_cast<int>((static_cast<float>(a) + (a < 0 ? -0.5f : 0.5f)) * reciprocal);
    return b == 0 ? 0 : quotient;
}
__device__ __forceinline__ long long signed_quotient(long long a, long long b)
{
    const bool simple = static_cast<unsigned long long>(b) + 1ull < 2ull;
    const long long quotient = a / (simple ? 1ll : b);
    return simple ? static_cast<long long>(0ull - static_cast<unsigned long long>(a & b)) : quotient;
}
struct __align__(2) u8x2 { u8 v[2]; };
__device__ __forceinline__ unsigned short load_u8x2(const u8* from)
{
    return __ldg(reinterpret_cast<const unsigned short*>(from));
}
__device__ __forceinline__ void store(u8* to, const u8x2& from)
{
    __stcs(reinterpret_cast<unsigned short*>(to), reinterpret_cast<const unsigned short&>(from));
}
struct __align__(16) i64x2 { i64 v[2]; };
__device__ __forceinline__ i64x2 load_i64x2(const i64* from)
{
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const i64x2&>(bits);
}
__device__ __forceinline__ void store(i64* to, const i64x2& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

__device__ __forceinline__ void body(const u8 x0, const i64 x1, const i64 s0, u8& y0, i64& y1)
{
    const u8 t0 = u8(x0) < u8(sizeof(u8) * 8) ? u8(x0 >> x0) : u8(0);
    const u8 t1 = x0 == u8(0) ? u8(sizeof(u8) * 8) : u8(__clzll(u8(x0)) - (64 - int(sizeof(u8)) * 8));
    const u8 t2 = u8(narrow_quotient(int(t0), int(t1)));
    const i64 t3 = u64(s0) < u64(sizeof(i64) * 8) ? i64(1u * u64(x1) << u64(s0)) : i64(0);
    const i64 t4 = i64(__popcll(u64(x1)));
    const i64 t5 = i64(signed_quotient(i64(t3), i64(t4)));
    y0 = t2;
    y1 = t5;
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_shift_right_clz_div2_shift_left_popcount_u8_v2(u8* __restrict__ y0, i64* __restrict__ y1, const u8* __restrict__ x0, const i64* __restrict__ x1, const i64 s0, const unsigned int count)
{
    wait_for_earlier_kernels();
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 2;
    if (first >= count) return;
    unsigned short bits_x0;
    i64x2 v_x1 = {};
    const bool whole = first + 2 <= count;
    if (whole) {
        bits_x0 = load_u8x2(x0 + first);
        v_x1 = load_i64x2(x1 + first);
    } else {
        u8x2 part_x0 = {};
        #pragma unroll 1
        for (int k = 0; first + k < count; ++k) { part_x0.v[k] = x0[first + k]; }
        bits_x0 = reinterpret_cast<const unsigned short&>(part_x0);
        #pragma unroll
        for (int k = 0; k < 1; ++k) if (first + k < count) v_x1.v[k] = x1[first + k];
    }
    const u8x2 v_x0 = reinterpret_cast<const u8x2&>(bits_x0);
    u8x2 v_y0;
    i64x2 v_y1;
    #pragma unroll
    for (int k = 0; k < 2; ++k) body(v_x0.v[k], v_x1.v[k], s0, v_y0.v[k], v_y1.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
        store(y1 + first, v_y1);
    } else {
        #pragma unroll
        for (int k = 0; k < 1; ++k) if (first + k < count) { y0[first + k] = v_y0.v[k]; y1[first + k] = v_y1.v[k]; }
    }
}
