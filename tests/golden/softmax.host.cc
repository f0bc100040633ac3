// exp(x0 - max(x0)) / sum(exp(x0 - max(x0)))
typedef long long i64;

static inline float exp_f32(const void* const* library, float a) { return reinterpret_cast<float (*)(float)>(const_cast<void*>(library[0]))(a); }

static inline float max_of(float x0, float x1)
{
    return (x0 == x0) & !(x1 <= x0) ? x1 : x0;
}
static inline float sum_of(float x0, float x1)
{
    return x0 + x1;
}
static inline float finish_0(float state, long long count) { return state; }
static inline float finish_1(float state, long long count) { return state; }
static inline float nothing_0() { return float((-1.0f / 0.0f)); }
static inline float run_0(float before, const float* values, long long count, long long)
{
    float lane[16];
    for (int j = 0; j < 16; ++j) lane[j] = nothing_0();
    long long i = 0;
    for (; i + 16 <= count; i += 16) {
        #pragma GCC unroll 1
        for (int j = 0; j < 16; ++j) lane[j] = max_of(lane[j], values[i + j]);
    }
    for (int j = 0; i < count; ++i, ++j) lane[j] = max_of(lane[j], values[i]);
    for (int apart = 16 / 2; apart > 0; apart /= 2)
        for (int j = 0; j < apart; ++j) lane[j] = max_of(lane[j], lane[j + apart]);
    return max_of(before, lane[0]);
}
static inline float nothing_1() { return float((-0.0f)); }
static inline float run_1(float before, const float* values, long long count, long long)
{
    float lane[16];
    for (int j = 0; j < 16; ++j) lane[j] = nothing_1();
    long long i = 0;
    for (; i + 16 <= count; i += 16) {
        #pragma GCC unroll 1
        for (int j = 0; j < 16; ++j) lane[j] = sum_of(lane[j], values[i + j]);
    }
    for (int j = 0; i < count; ++i, ++j) lane[j] = sum_of(lane[j], values[i]);
    for (int apart = 16 / 2; apart > 0; apart /= 2)
        for (int j = 0; j < apart; ++j) lane[j] = sum_of(lane[j], lane[j + apart]);
    return sum_of(before, lane[0]);
}
static inline i64 least_index(i64 a, i64 b) { return a < b ? a : b; }
static inline void phase1(const float x0, const float t0, float& y0, const void* const* library)
{
    const float t1 = x0 - t0;
    const float t2 = exp_f32(library, t1);
    y0 = t2;
}

static inline void phase2(const float t2, const float t3, float& y0, const void* const* library)
{
    const float t4 = t2 / t3;
    y0 = t4;
}

extern "C" void kiln_max_sub_exp_sum_div_f32_axes2_kept(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const i64* const at = static_cast<const i64*>(parameters[2]);
    const i64 reduced = 1 * at[2];
    const i64 room = (reduced + 63) / 64 * 64;
    char* const memory = static_cast<char*>(
        reinterpret_cast<void* (*)(i64)>(const_cast<void*>(library[59]))(room * 4));
    float* const row_t2 = reinterpret_cast<float*>(memory + room * 0);
    i64 p0 = begin;
    for (i64 value = begin; value < end; ++value) {
        const i64 row = value * reduced;
        auto all_0 = nothing_0();
        for (i64 piece = 0; piece < reduced; piece += 2048) {
            const i64 piece_end = least_index(piece + 2048, reduced);
            all_0 = run_0(all_0, x0 + row + piece, piece_end - piece, piece);
        }
        const float t0 = finish_0(all_0, reduced);
        auto all_1 = nothing_1();
        for (i64 piece = 0; piece < reduced; piece += 2048) {
            const i64 piece_end = least_index(piece + 2048, reduced);
            #pragma GCC ivdep
            for (i64 i = piece; i < piece_end; ++i) phase1(x0[row + i], t0, row_t2[i], library);
            all_1 = run_1(all_1, row_t2 + piece, piece_end - piece, piece);
        }
        const float t3 = finish_1(all_1, reduced);
        {
            const i64 piece = 0;
            const i64 piece_end = reduced;
            #pragma GCC ivdep
            for (i64 i = piece; i < piece_end; ++i) phase2(row_t2[i], t3, y0[row + i], library);
        }
        ++p0;
    }
}
