struct row_order {
    typedef u32 bits;
    static __device__ __forceinline__ u32 key(u32 x) { return key_of_float<u32>(x, 0x7f800000u); }
    static __device__ __forceinline__ u32 value(u32 key) { return float_of_key<u32>(key, 0x7f800000u); }
    static constexpr bool exact = false;
};

struct row_order {
    typedef u32 bits;
    static __device__ __forceinline__ u32 key(u32 x) { return key_of_float<u32>(x, 0x7f800000u); }
};

struct row_order {
    typedef u8 bits;
    static __device__ __forceinline__ u8 key(u8 x) { return static_cast<u8>(~key_of_signed<u8>(x)); }
};
