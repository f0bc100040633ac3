// random_f32(uint64(i0), s0)
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
__device__ __forceinline__ unsigned int draw_32(unsigned long long position, unsigned long long seed)
{
    const philox_words x = philox(position >> 2, seed);
    const unsigned int of_first_pair = position & 1u ? x.b : x.a;
    const unsigned int of_second_pair = position & 1u ? x.d : x.c;
    return position & 2u ? of_second_pair : of_first_pair;
}
__device__ __forceinline__ float draw_f32(unsigned long long position, unsigned long long seed)
{
    return static_cast<float>(static_cast<int>(draw_32(position, seed) >> 8)) * 5.9604644775390625e-8f;
}
struct __align__(16) f32x4 { float v[4]; };
__device__ __forceinline__ void store(float* to, const f32x4& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

__device__ __forceinline__ void body(const i64 i0, const u64 s0, float& y0)
{
    const u64 t0 = u64(i0);
    const float t1 = draw_f32(t0, s0);
    y0 = t1;
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_random_f32_f32_v4(float* __restrict__ y0, const i64 i0, const u64 s0, const unsigned int count)
{
    wait_for_earlier_kernels();
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 4;
    if (first >= count) return;
    const bool whole = first + 4 <= count;
    f32x4 v_y0;
    #pragma unroll
    for (int k = 0; k < 4; ++k) body((i0 + first & ~3ll) | k, s0, v_y0.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
    } else {
        #pragma unroll
        for (int k = 0; k < 3; ++k) if (first + k < count) y0[first + k] = v_y0.v[k];
    }
}
