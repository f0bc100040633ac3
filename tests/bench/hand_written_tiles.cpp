// The longer ones, whose elements wait in shared memory.
#include "hand_written_loops.hpp"

namespace kiln::bench {

const hand_written_loop middle_softmax_by_hand{"middle_softmax", R"(
constexpr int threads = 256;
constexpr int columns_of_block = 32;
constexpr int threads_of_row = columns_of_block / 4;
constexpr int rows_at_once = threads / threads_of_row;
constexpr int in_registers = 8;  // of a thread's rows, which are rows_at_once apart; the others are in shared memory

__device__ __forceinline__ void copy_16(void* to, const void* from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 ::"r"(static_cast<unsigned int>(__cvta_generic_to_shared(to))), "l"(from) : "memory");
}

// Exponentials and their sums are neither tiny nor huge: rounded correctly without the compiler's other path.
__device__ __forceinline__ float quotient(float a, float b, float one_by_b)
{
    const float near = a * one_by_b;
    return fmaf(fmaf(-b, near, a), one_by_b, near);
}

__device__ __forceinline__ float4 largest(float4 a, float4 b)
{
    return make_float4(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w));
}
__device__ __forceinline__ float4 sum(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ __forceinline__ float4 exponential(float4 a, float4 less)
{
    return make_float4(expf(a.x - less.x), expf(a.y - less.y), expf(a.z - less.z), expf(a.w - less.w));
}

// Of a column's threads: those of a warp, then the warps.
template <class Combine>
__device__ __forceinline__ float4 of_column(float4 mine, float4* of_warps, Combine combine)
{
    #pragma unroll
    for (int apart = 16; apart >= threads_of_row; apart /= 2)
        mine = combine(mine, make_float4(__shfl_xor_sync(0xffffffffu, mine.x, apart), __shfl_xor_sync(0xffffffffu, mine.y, apart),
                                         __shfl_xor_sync(0xffffffffu, mine.z, apart), __shfl_xor_sync(0xffffffffu, mine.w, apart)));
    const int place = threadIdx.x % threads_of_row;
    if (threadIdx.x % 32 < threads_of_row) of_warps[threadIdx.x / 32 * threads_of_row + place] = mine;
    __syncthreads();
    mine = of_warps[place];
    #pragma unroll 1
    for (int w = 1; w < threads / 32; ++w) mine = combine(mine, of_warps[w * threads_of_row + place]);
    return mine;
}

// At least 256 rows; columns in fours.
extern "C" __global__ void __launch_bounds__(threads, 2)
middle_softmax(float* __restrict__ y, const float* __restrict__ x, int rows, int columns)
{
    extern __shared__ float4 slots[];
    __shared__ float4 maxima[threads / 32 * threads_of_row], sums[threads / 32 * threads_of_row];
    const int thread = threadIdx.x;
    const int blocks_of_plane = (columns + columns_of_block - 1) / columns_of_block;
    const int plane = blockIdx.x / blocks_of_plane;
    const int wanted = blockIdx.x % blocks_of_plane * columns_of_block + thread % threads_of_row * 4;
    const int column = min(wanted, columns - 4);
    const int row = thread / threads_of_row;
    const size_t first = (static_cast<size_t>(plane) * rows + row) * columns + column;
    const size_t apart = static_cast<size_t>(rows_at_once) * columns;
    const int in_slots = (rows - row + rows_at_once - 1) / rows_at_once - in_registers;
    for (int s = 0; s < in_slots; ++s) copy_16(slots + s * threads + thread, x + first + (s + in_registers) * apart);
    float4 held[in_registers];
    #pragma unroll
    for (int r = 0; r < in_registers; ++r) held[r] = __ldcs(reinterpret_cast<const float4*>(x + first + r * apart));

    float4 most = held[0];
    #pragma unroll
    for (int r = 1; r < in_registers; ++r) most = largest(most, held[r]);
    asm volatile("cp.async.wait_all;" ::: "memory");
    #pragma unroll 4
    for (int s = 0; s < in_slots; ++s) most = largest(most, slots[s * threads + thread]);
    most = of_column(most, maxima, [](float4 a, float4 b) { return largest(a, b); });

    float4 total = make_float4(0, 0, 0, 0);
    #pragma unroll
    for (int r = 0; r < in_registers; ++r) {
        held[r] = exponential(held[r], most);
        total = sum(total, held[r]);
    }
    #pragma unroll 4
    for (int s = 0; s < in_slots; ++s) {
        const float4 one = exponential(slots[s * threads + thread], most);
        slots[s * threads + thread] = one;
        total = sum(total, one);
    }
    total = of_column(total, sums, [](float4 a, float4 b) { return sum(a, b); });

    const float4 by = make_float4(1.0f / total.x, 1.0f / total.y, 1.0f / total.z, 1.0f / total.w);
    const auto store = [&](int r, float4 of) {
        of = make_float4(quotient(of.x, total.x, by.x), quotient(of.y, total.y, by.y), quotient(of.z, total.z, by.z),
                         quotient(of.w, total.w, by.w));
        if (wanted < columns) __stcs(reinterpret_cast<float4*>(y + first + r * apart), of);
    };
    #pragma unroll
    for (int r = 0; r < in_registers; ++r) store(r, held[r]);
    #pragma unroll 4
    for (int s = 0; s < in_slots; ++s) store(s + in_registers, slots[s * threads + thread]);
}
)"};

const hand_written_loop product_by_hand{"product", R"(
constexpr int threads = 128;
constexpr int tile = 64;   // rows and columns of a block's
constexpr int depth = 32;  // of what is copied together
constexpr int stages = 3;
constexpr int pitch_a = depth + 4, pitch_b = tile + 4;

// `bytes` of 16 are read, zeros stand for the others.
__device__ __forceinline__ void copy_16(void* to, const void* from, int bytes)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 ::"r"(static_cast<unsigned int>(__cvta_generic_to_shared(to))), "l"(from), "r"(bytes) : "memory");
}

// a: rows x terms, b: terms x columns; terms and columns in fours.
extern "C" __global__ void __launch_bounds__(threads, 2)
product(float* __restrict__ y, const float* __restrict__ a, const float* __restrict__ b, int rows, int terms, int columns)
{
    extern __shared__ __align__(16) float shared[];
    float* const shared_a = shared;
    float* const shared_b = shared + stages * tile * pitch_a;
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int first_row = blockIdx.y * tile, first_column = blockIdx.x * tile;
    const int my_row = warp % 2 * 32 + lane % 8, my_column = warp / 2 * 32 + lane / 8 * 4;

    const auto copy = [&](int stage, int first) {
        #pragma unroll
        for (int p = 0; p < tile * depth / 4 / threads; ++p) {
            const int row = p * threads / 8 + thread / 8, term = thread % 8 * 4;
            copy_16(shared_a + (stage * tile + row) * pitch_a + term,
                    a + static_cast<size_t>(min(first_row + row, rows - 1)) * terms + first + term, first + term < terms ? 16 : 0);
        }
        #pragma unroll
        for (int p = 0; p < tile * depth / 4 / threads; ++p) {
            const int term = p * threads / 16 + thread / 16, column = thread % 16 * 4;
            copy_16(shared_b + (stage * depth + term) * pitch_b + column,
                    b + static_cast<size_t>(first + term) * columns + min(first_column + column, columns - 4),
                    first + term < terms ? 16 : 0);
        }
    };

    float sums[4][8] = {};
    #pragma unroll 1
    for (int s = 0; s < stages - 1; ++s) {
        copy(s, s * depth);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    int stage = 0, filled = stages - 1;
    #pragma unroll 1
    for (int first = 0; first < terms; first += depth) {
        asm volatile("cp.async.wait_group %0;" ::"n"(stages - 2) : "memory");
        __syncthreads();
        copy(filled, first + (stages - 1) * depth);
        asm volatile("cp.async.commit_group;" ::: "memory");
        const float* const tile_a = shared_a + (stage * tile + my_row) * pitch_a;
        const float* const tile_b = shared_b + stage * depth * pitch_b + my_column;
        #pragma unroll
        for (int deep = 0; deep < depth; deep += 4) {
            float of_a[4][4];
            #pragma unroll
            for (int r = 0; r < 4; ++r)
                *reinterpret_cast<float4*>(of_a[r]) = *reinterpret_cast<const float4*>(tile_a + r * 8 * pitch_a + deep);
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                float of_b[8];
                #pragma unroll
                for (int v = 0; v < 2; ++v)
                    *reinterpret_cast<float4*>(of_b + v * 4) = *reinterpret_cast<const float4*>(tile_b + (deep + k) * pitch_b + v * 16);
                #pragma unroll
                for (int r = 0; r < 4; ++r) {
                    #pragma unroll
                    for (int c = 0; c < 8; ++c) sums[r][c] += of_a[r][k] * of_b[c];
                }
            }
        }
        stage = stage + 1 == stages ? 0 : stage + 1;
        filled = filled + 1 == stages ? 0 : filled + 1;
    }
    #pragma unroll
    for (int r = 0; r < 4; ++r) {
        const int row = first_row + my_row + r * 8;
        #pragma unroll
        for (int v = 0; v < 2; ++v) {
            const int column = first_column + my_column + v * 16;
            if (row < rows && column < columns)
                __stcs(reinterpret_cast<float4*>(y + static_cast<size_t>(row) * columns + column),
                       make_float4(sums[r][v * 4], sums[r][v * 4 + 1], sums[r][v * 4 + 2], sums[r][v * 4 + 3]));
        }
    }
}
)"};

const hand_written_loop column_sums_by_hand{"column_sums", R"(
constexpr int rows_of_block = 256;

__device__ __forceinline__ void copy_16(void* to, const void* from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 ::"r"(static_cast<unsigned int>(__cvta_generic_to_shared(to))), "l"(from) : "memory");
}

// A warp has 32 columns of 256 rows; which, it is told by a counter, so that those before it have begun. What its rows come to it
// publishes in a word with a bit that says so. `published` and `counter` are zeros before; columns are a multiple of 32.
extern "C" __global__ void __launch_bounds__(32)
column_sums(float* __restrict__ y, const float* __restrict__ x, unsigned long long* published, unsigned int* counter, int rows,
            int columns)
{
    __shared__ __align__(16) float panel[rows_of_block * 32];
    __shared__ unsigned int taken;
    const int lane = threadIdx.x;
    if (lane == 0) taken = atomicAdd(counter, 1u);
    __syncthreads();
    const int panels = columns / 32;
    const int part = taken / panels, left = taken % panels * 32;
    const int first = part * rows_of_block;
    const int there = min(rows_of_block, rows - first);
    const size_t at = static_cast<size_t>(first) * columns + left;
    #pragma unroll 4
    for (int row = lane / 8; row < there; row += 4)
        copy_16(panel + row * 32 + lane % 8 * 4, x + at + static_cast<size_t>(row) * columns + lane % 8 * 4);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    float sum = 0;
    if (first + there < rows) {
        #pragma unroll 8
        for (int row = 0; row < there; ++row) sum += panel[row * 32 + lane];
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;"
                     ::"l"(published + static_cast<size_t>(part) * columns + left + lane), "l"(1ull << 32 | __float_as_uint(sum))
                     : "memory");
    }
    sum = 0;
    #pragma unroll 1
    for (int next = 0; next < part; next += 16) {
        unsigned long long word[16];
        bool all;
        do {
            all = true;
            #pragma unroll
            for (int u = 0; u < 16; ++u) {
                word[u] = 1ull << 32;
                if (next + u < part)
                    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word[u])
                                 : "l"(published + static_cast<size_t>(next + u) * columns + left + lane) : "memory");
            }
            #pragma unroll
            for (int u = 0; u < 16; ++u) all = all && word[u] >> 32;
        } while (!all);
        #pragma unroll
        for (int u = 0; u < 16; ++u) sum += __uint_as_float(static_cast<unsigned int>(word[u]));
    }
    #pragma unroll 8
    for (int row = 0; row < there; ++row) {
        sum += panel[row * 32 + lane];
        y[at + static_cast<size_t>(row) * columns + lane] = sum;
    }
}
)"};

}  // namespace kiln::bench
