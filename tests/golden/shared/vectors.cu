struct __align__(16) f32x4 { float v[4]; };

__device__ __forceinline__ f32x4 load_f32x4(const float* from)
{
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const f32x4&>(bits);
}

__device__ __forceinline__ void store(float* to, const f32x4& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

struct __align__(16) f64x2 { double v[2]; };

__device__ __forceinline__ f64x2 load_f64x2(const double* from)
{
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const f64x2&>(bits);
}

__device__ __forceinline__ void store(double* to, const f64x2& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

struct __align__(2) u8x2 { u8 v[2]; };

__device__ __forceinline__ unsigned short load_u8x2(const u8* from)
{
    return __ldg(reinterpret_cast<const unsigned short*>(from));
}

struct __align__(2) b8x2 { bool v[2]; };

__device__ __forceinline__ void store(bool* to, const b8x2& from)
{
    __stcs(reinterpret_cast<unsigned short*>(to), reinterpret_cast<const unsigned short&>(from));
}

struct __align__(16) f16x8 { f16 v[8]; };

__device__ __forceinline__ uint4 load_f16x8(const f16* from)
{
    return __ldg(reinterpret_cast<const uint4*>(from));
}

__device__ __forceinline__ void store(f16* to, const f16x8& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

struct __align__(16) u8x16 { u8 v[16]; };

__device__ __forceinline__ uint4 load_u8x16(const u8* from)
{
    return __ldg(reinterpret_cast<const uint4*>(from));
}

__device__ __forceinline__ void store(u8* to, const u8x16& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

struct __align__(16) c128x1 { c128 v[1]; };

__device__ __forceinline__ c128x1 load_c128x1(const c128* from)
{
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const c128x1&>(bits);
}

__device__ __forceinline__ void store(c128* to, const c128x1& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

struct __align__(16) c64x2 { c64 v[2]; };

__device__ __forceinline__ c64x2 load_c64x2(const c64* from)
{
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const c64x2&>(bits);
}

__device__ __forceinline__ void store(c64* to, const c64x2& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

struct __align__(16) i32x4 { int v[4]; };

__device__ __forceinline__ i32x4 load_i32x4(const int* from)
{
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const i32x4&>(bits);
}

__device__ __forceinline__ void store(int* to, const i32x4& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

struct __align__(4) u8x4 { u8 v[4]; };

__device__ __forceinline__ void store(u8* to, const u8x4& from)
{
    __stcs(reinterpret_cast<unsigned int*>(to), reinterpret_cast<const unsigned int&>(from));
}

struct __align__(8) i32x2 { int v[2]; };

__device__ __forceinline__ i32x2 load_i32x2(const int* from)
{
    const uint2 bits = __ldg(reinterpret_cast<const uint2*>(from));
    return reinterpret_cast<const i32x2&>(bits);
}

__device__ __forceinline__ void store(int* to, const i32x2& from)
{
    __stcs(reinterpret_cast<uint2*>(to), reinterpret_cast<const uint2&>(from));
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

struct __align__(8) u32x2 { u32 v[2]; };

__device__ __forceinline__ void store(u32* to, const u32x2& from)
{
    __stcs(reinterpret_cast<uint2*>(to), reinterpret_cast<const uint2&>(from));
}

__device__ __forceinline__ f32x4 load_f32x4(const float* from)
{
    const uint4 bits = *(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const f32x4&>(bits);
}

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

struct __align__(4) f16x2 { f16 v[2]; };

__device__ __forceinline__ f16x2 load_f16x2(const f16* from)
{
    const unsigned int bits = __ldg(reinterpret_cast<const unsigned int*>(from));
    return reinterpret_cast<const f16x2&>(bits);
}

__device__ __forceinline__ void store(f16* to, const f16x2& from)
{
    __stcs(reinterpret_cast<unsigned int*>(to), reinterpret_cast<const unsigned int&>(from));
}

__device__ __forceinline__ u8x4 load_u8x4(const u8* from)
{
    const unsigned int bits = __ldg(reinterpret_cast<const unsigned int*>(from));
    return reinterpret_cast<const u8x4&>(bits);
}

struct __align__(8) f16x4 { f16 v[4]; };

__device__ __forceinline__ f16x4 load_f16x4(const f16* from)
{
    const uint2 bits = __ldg(reinterpret_cast<const uint2*>(from));
    return reinterpret_cast<const f16x4&>(bits);
}

struct __align__(8) bf16x4 { bf16 v[4]; };

__device__ __forceinline__ bf16x4 load_bf16x4(const bf16* from)
{
    const uint2 bits = __ldg(reinterpret_cast<const uint2*>(from));
    return reinterpret_cast<const bf16x4&>(bits);
}

__device__ __forceinline__ uint2 load_f16x4(const f16* from)
{
    return __ldg(reinterpret_cast<const uint2*>(from));
}

__device__ __forceinline__ void write(f16* to, const f16x8& from)
{
    *(reinterpret_cast<uint4*>(to)) = reinterpret_cast<const uint4&>(from);
}

struct __align__(4) bf16x2 { bf16 v[2]; };

__device__ __forceinline__ void store(bf16* to, const bf16x2& from)
{
    __stcs(reinterpret_cast<unsigned int*>(to), reinterpret_cast<const unsigned int&>(from));
}

struct __align__(16) bf16x8 { bf16 v[8]; };

__device__ __forceinline__ void store(bf16* to, const bf16x8& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

__device__ __forceinline__ void write(bf16* to, const bf16x8& from)
{
    *(reinterpret_cast<uint4*>(to)) = reinterpret_cast<const uint4&>(from);
}

__device__ __forceinline__ void write(bf16* to, const bf16x2& from)
{
    *(reinterpret_cast<unsigned int*>(to)) = reinterpret_cast<const unsigned int&>(from);
}

__device__ __forceinline__ uint4 load_bf16x8(const bf16* from)
{
    return __ldg(reinterpret_cast<const uint4*>(from));
}

__device__ __forceinline__ void write(u32* to, const u32x2& from)
{
    *(reinterpret_cast<uint2*>(to)) = reinterpret_cast<const uint2&>(from);
}

struct __align__(16) u32x4 { u32 v[4]; };

__device__ __forceinline__ void write(u32* to, const u32x4& from)
{
    *(reinterpret_cast<uint4*>(to)) = reinterpret_cast<const uint4&>(from);
}

struct __align__(16) c64x4 { c64 v[4]; };

__device__ __forceinline__ c64x4 load_c64x4(const c64* from)
{
    c64x4 to;
    #pragma unroll
    for (int k = 0; k < 2; ++k)
        reinterpret_cast<uint4*>(&to)[k] = __ldg(reinterpret_cast<const uint4*>(from) + k);
    return to;
}

struct __align__(16) f64x4 { double v[4]; };

__device__ __forceinline__ f64x4 load_f64x4(const double* from)
{
    f64x4 to;
    #pragma unroll
    for (int k = 0; k < 2; ++k)
        reinterpret_cast<uint4*>(&to)[k] = __ldg(reinterpret_cast<const uint4*>(from) + k);
    return to;
}

__device__ __forceinline__ void store(double* to, const f64x4& from)
{
    #pragma unroll
    for (int k = 0; k < 2; ++k)
        __stcs(reinterpret_cast<uint4*>(to) + k, reinterpret_cast<const uint4*>(&from)[k]);
}

__device__ __forceinline__ void store(f16* to, const f16x4& from)
{
    __stcs(reinterpret_cast<uint2*>(to), reinterpret_cast<const uint2&>(from));
}

__device__ __forceinline__ void write(float* to, const f32x4& from)
{
    *(reinterpret_cast<uint4*>(to)) = reinterpret_cast<const uint4&>(from);
}

struct __align__(4) i8x4 { i8 v[4]; };

struct __align__(4) i16x2 { i16 v[2]; };

__device__ __forceinline__ i16x2 load_i16x2(const i16* from)
{
    const unsigned int bits = *(reinterpret_cast<const unsigned int*>(from));
    return reinterpret_cast<const i16x2&>(bits);
}

__device__ __forceinline__ void write(i64* to, const i64x2& from)
{
    *(reinterpret_cast<uint4*>(to)) = reinterpret_cast<const uint4&>(from);
}

__device__ __forceinline__ void write(double* to, const f64x2& from)
{
    *(reinterpret_cast<uint4*>(to)) = reinterpret_cast<const uint4&>(from);
}

__device__ __forceinline__ u8x16 load_u8x16(const u8* from)
{
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const u8x16&>(bits);
}

struct __align__(16) u64x2 { u64 v[2]; };

__device__ __forceinline__ u64x2 load_u64x2(const u64* from)
{
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const u64x2&>(bits);
}
