// By multiplication: divisor is multiplier | shift << 32.
__device__ __forceinline__ unsigned int divide(unsigned int x, long long divisor)
{
    return (__umulhi(x, (unsigned int)divisor) + x) >> int(divisor >> 32);
}

__device__ __forceinline__ int clamp_index(int i, int extent)
{
    const int from_first = i < 0 ? 0 : i;
    const int last = extent - 1;
    return from_first < last ? from_first : last;
}

__device__ __forceinline__ int mirror_index(int i, int extent)
{
    const int from_first = i < 0 ? -i : i;
    return from_first < extent ? from_first : 2 * (extent - 1) - from_first;
}

__device__ __forceinline__ int outside_index(int i, int extent) { return i < 0 || i >= extent; }

__device__ __forceinline__ int least_index(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ int wrap_index(int i, int extent) { return i < extent ? i : i - extent; }

__device__ __forceinline__ int lookup_index(i64 i, int extent)
{
    const int low = (int)i, high = (int)(i >> 32);
    const int narrow = high == low >> 31 ? low : high >> 31 ^ 0x7fffffff;
    const int from_first = narrow < 0 ? narrow + extent : narrow;
    return from_first < 0 ? 0 : from_first < extent ? from_first : extent - 1;
}
