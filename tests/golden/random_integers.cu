// uint8(random_below(uint64(i0), s0, s1) + s2)
typedef unsigned char u8;
typedef unsigned long long u64;
typedef long long i64;

struct philox_words { unsigned int a; unsigned int b; unsigned int c; unsigned int d; };
__device__ __forceinline__ philox_words philox_round(philox_words x, unsigned int key_low, unsigned int key_high)
{
    const unsigned long long left = 0xd2511f53ull * x.a;
    const unsigned long long right = 0xcd9e8d57ull * x.c;
    const philox_words out = {static_cast<unsigned int>(right >> 32) ^ x.b ^ key_low, static_cast<unsigned int>(right),
                              static_cast<unsigned int>(left >> 32) ^ x.d ^ key_high, static_cast<unsigned int>(left)};
    return out;
}
__device__ __forceinline__ philox_words philox(unsigned long long block, unsigned long long seed)
{
    const unsigned int low = static_cast<unsigned int>(seed);
    const unsigned int high = static_cast<unsigned int>(seed >> 32);
    philox_words x = {static_cast<unsigned int>(block), static_cast<unsigned int>(block >> 32), 0u, 0u};
    x = philox_round(x, low, high);
    x = philox_round(x, low + 1u * 0x9e3779b9u, high + 1u * 0xbb67ae85u);
    x = philox_round(x, low + 2u * 0x9e3779b9u, high + 2u * 0xbb67ae85u);
    x = philox_round(x, low + 3u * 0x9e3779b9u, high + 3u * 0xbb67ae85u);
    x = philox_round(x, low + 4u * 0x9e3779b9u, high + 4u * 0xbb67ae85u);
    x = philox_round(x, low + 5u * 0x9e3779b9u, high + 5u * 0xbb67ae85u);
    x = philox_round(x, low + 6u * 0x9e3779b9u, high + 6u * 0xbb67ae85u);
    x = philox_round(x, low + 7u * 0x9e3779b9u, high + 7u * 0xbb67ae85u);
    x = philox_round(x, low + 8u * 0x9e3779b9u, high + 8u * 0xbb67ae85u);
    return philox_round(x, low + 9u * 0x9e3779b9u, high + 9u * 0xbb67ae85u);
}
__device__ __forceinline__ unsigned long long draw_64(unsigned long long position, unsigned long long seed)
{
    const philox_words x = philox(position >> 1, seed);
    const unsigned long long low = position & 1u ? x.c : x.a;
    const unsigned long long high = position & 1u ? x.d : x.b;
    return high << 32 | low;
}
__device__ __forceinline__ unsigned long long high_product(unsigned long long a, unsigned long long b)
{
    const unsigned long long a_low = a & 0xffffffffu;
    const unsigned long long b_low = b & 0xffffffffu;
    const unsigned long long middle = (a >> 32) * b_low + (a_low * b_low >> 32);
    const unsigned long long other = a_low * (b >> 32) + (middle & 0xffffffffu);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}
__device__ __forceinline__ unsigned long long draw_below(unsigned long long position, unsigned long long seed, unsigned long long count)
{
    return high_product(draw_64(position, seed), count);
}
struct __align__(16) u8x16 { u8 v[16]; };
__device__ __forceinline__ void store(u8* to, const u8x16& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

__device__ __forceinline__ void body(const i64 i0, const u64 s0, const u64 s1, const u64 s2, u8& y0)
{
    const u64 t0 = u64(i0);
    const u64 t1 = draw_below(t0, s0, s1);
    const u64 t2 = u64(u64(t1) + u64(s2));
    const u8 t3 = u8(t2);
    y0 = t3;
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_random_below_add_cast_u8_v16(u8* __restrict__ y0, const i64 i0, const u64 s0, const u64 s1, const u64 s2, const unsigned int count)
{
    wait_for_earlier_kernels();
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 16;
    if (first >= count) return;
    const bool whole = first + 16 <= count;
    u8x16 v_y0;
    #pragma unroll
    for (int k = 0; k < 16; ++k) body((i0 + first & ~15ll) | k, s0, s1, s2, v_y0.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
    } else {
        #pragma unroll
        for (int k = 0; k < 15; ++k) if (first + k < count) y0[first + k] = v_y0.v[k];
    }
}
