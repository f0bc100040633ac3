// random_f32(uint64(i0), s0)
typedef unsigned long long u64;
typedef long long i64;

struct philox_words { unsigned int a; unsigned int b; unsigned int c; unsigned int d; };
static inline philox_words philox_round(philox_words x, unsigned int key_low, unsigned int key_high)
{
    const unsigned long long left = 0xd2511f53ull * x.a;
    const unsigned long long right = 0xcd9e8d57ull * x.c;
    const philox_words out = {static_cast<unsigned int>(right >> 32) ^ x.b ^ key_low, static_cast<unsigned int>(right),
                              static_cast<unsigned int>(left >> 32) ^ x.d ^ key_high, static_cast<unsigned int>(left)};
    return out;
}
static inline philox_words philox(unsigned long long block, unsigned long long seed)
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
static inline unsigned int draw_32(unsigned long long position, unsigned long long seed)
{
    const philox_words x = philox(position >> 2, seed);
    const unsigned int of_first_pair = position & 1u ? x.b : x.a;
    const unsigned int of_second_pair = position & 1u ? x.d : x.c;
    return position & 2u ? of_second_pair : of_first_pair;
}
static inline float draw_f32(unsigned long long position, unsigned long long seed)
{
    return static_cast<float>(static_cast<int>(draw_32(position, seed) >> 8)) * 5.9604644775390625e-8f;
}
typedef long long part_of_line __attribute__((vector_size(16), may_alias));
static inline void store_past_caches(void* to, const void* from, int bytes)
{
    for (int i = 0; i < bytes / 16; ++i) {
        const part_of_line part = static_cast<const part_of_line*>(from)[i];
#if defined(__clang__)
        __builtin_nontemporal_store(part, static_cast<part_of_line*>(to) + i);
#elif defined(__SSE2__)
        __builtin_ia32_movntdq(static_cast<part_of_line*>(to) + i, part);
#else
        static_cast<part_of_line*>(to)[i] = part;
#endif
    }
}
static inline i64 least_index(i64 a, i64 b) { return a < b ? a : b; }
static inline void body(const i64 i0, const u64 s0, float& y0)
{
    const u64 t0 = u64(i0);
    const float t1 = draw_f32(t0, s0);
    y0 = t1;
}

extern "C" void kiln_random_f32_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const i64 i0 = *static_cast<const i64*>(parameters[1]);
    const u64 s0 = *static_cast<const u64*>(parameters[2]);
    const bool past_caches = library[58] && ((i64)y0) % 64 == 0;
    i64 next = begin, stop = past_caches ? least_index(end, (begin + 15) / 16 * 16) : end;
    do {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(i0 + i, s0, y0[i]);
        for (next = stop; end - next >= 16; next += 16) {
            alignas(64) float line_y0[16];
            for (int j = 0; j < 16; ++j) { const i64 i = next + j; body(i0 + i, s0, line_y0[j]); }
            store_past_caches(y0 + next, line_y0, 64);
        }
        stop = end;
    } while (next < stop);
}
