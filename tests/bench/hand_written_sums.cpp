#include "hand_written_sums.hpp"

namespace kiln::bench {

std::string sum_variant::text() const {
    return std::to_string(threads) + " threads, " + std::to_string(blocks) + " blocks, " + std::to_string(loads) +
           " loads" + (in_turns ? ", in turns" : "");
}

namespace {

/// The variant's numbers as constants.
std::string constants(const sum_variant& how) {
    const auto constant = [](const char* name, int value) {
        return std::string("constexpr unsigned int ") + name + " = " + std::to_string(value) + ";\n";
    };
    return constant("threads", how.threads) + constant("blocks", how.blocks) + constant("loads", how.loads) +
           constant("in_turns", how.in_turns);
}

constexpr const char* last_block = R"(
__device__ bool counts_last(unsigned int* counter, unsigned int count)
{
    const bool last = atomicAdd(counter, 1u) + 1 == count;
    if (last) *counter = 0;
    return last;
}

// Past some thousand blocks one counter is a queue: groups of 64 have their own, whose last ones meet at the first.
__device__ bool is_last(unsigned int* counters, unsigned int count)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = blocks <= 4224 ? counts_last(counters, count)
                              : counts_last(counters + 1 + blockIdx.x / 64, 64u) && counts_last(counters, count / 64);
    }
    __syncthreads();
    return last;
}
)";

}  // namespace

std::vector<sum_variant> distance_variants() {
    std::vector<sum_variant> out;
    for (const int threads : {256, 512})
        for (const int blocks : {528, 1056, 2112, 4224, 8192, 16384})
            for (const int loads : {2, 4, 8})
                for (const bool in_turns : {false, true}) out.push_back({threads, blocks, loads, in_turns});
    return out;
}

std::string distance_source(const sum_variant& how) {
    return constants(how) + last_block + R"(
__device__ float of_block(float mine)
{
    __shared__ float of_warp[32];
    for (int apart = 16; apart > 0; apart /= 2) mine += __shfl_down_sync(0xffffffffu, mine, apart);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    float all = 0;
    for (int i = 0; i < threads / 32; ++i) all += of_warp[i];
    __syncthreads();
    return all;
}

extern "C" __global__ void __launch_bounds__(threads)
sum_by_hand(float* sum, const float4* __restrict__ x, const float4* __restrict__ y, float* parts, unsigned int* counter,
            unsigned int count)
{
    const unsigned int vectors = count / 4;
    const unsigned int part = (vectors + blocks - 1) / blocks;
    const unsigned int begin = (in_turns ? blockIdx.x * threads : blockIdx.x * part) + threadIdx.x;
    const unsigned int end = in_turns ? vectors : min(vectors, (blockIdx.x + 1) * part);
    const unsigned int stride = in_turns ? threads * blocks : threads;
    float4 mine = {0, 0, 0, 0};
    for (unsigned int i = begin; i < end; i += loads * stride) {
        float4 a[loads];
        float4 b[loads];
        #pragma unroll
        for (int u = 0; u < loads; ++u)
            if (i + u * stride < end) a[u] = __ldg(x + i + u * stride), b[u] = __ldg(y + i + u * stride);
        #pragma unroll
        for (int u = 0; u < loads; ++u)
            if (i + u * stride < end) {
                mine.x += (a[u].x - b[u].x) * (a[u].x - b[u].x);
                mine.y += (a[u].y - b[u].y) * (a[u].y - b[u].y);
                mine.z += (a[u].z - b[u].z) * (a[u].z - b[u].z);
                mine.w += (a[u].w - b[u].w) * (a[u].w - b[u].w);
            }
    }
    const float of_this = of_block((mine.x + mine.y) + (mine.z + mine.w));
    if (threadIdx.x == 0) parts[blockIdx.x] = of_this;
    if (!is_last(counter, blocks)) return;
    float all = 0;
    for (unsigned int i = threadIdx.x; i < blocks; i += threads) all += __ldcg(parts + i);
    all = of_block(all);
    if (threadIdx.x == 0) *sum = all;
}
)";
}

std::vector<sum_variant> column_variants() {
    std::vector<sum_variant> out;
    for (const int threads : {128, 256, 512})
        for (const int parts : {4, 8, 16, 32})
            for (const int loads : {2, 4, 8}) out.push_back({threads, parts, loads, false});
    return out;
}

std::string column_source(const sum_variant& how) {
    return constants(how) + last_block + R"(
__device__ float4 plus(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }

extern "C" __global__ void __launch_bounds__(threads)
sum_by_hand(float4* sums, const float4* __restrict__ x, const float4* __restrict__ y, float4* parts,
            unsigned int* counters, unsigned int rows, unsigned int columns)
{
    constexpr unsigned int warps = threads / 32;
    __shared__ float4 of_warp[warps][32];
    const unsigned int width = columns / 4;
    const unsigned int column = blockIdx.x * 32 + threadIdx.x % 32;
    const unsigned int warp = threadIdx.x / 32;
    const unsigned int part = rows / blocks;
    const unsigned int end = (blockIdx.y + 1) * part;
    float4 mine = {0, 0, 0, 0};
    for (unsigned int row = blockIdx.y * part + warp; row < end; row += loads * warps) {
        float4 a[loads];
        float4 b[loads];
        #pragma unroll
        for (int u = 0; u < loads; ++u)
            if (row + u * warps < end) {
                a[u] = __ldg(x + (row + u * warps) * width + column);
                b[u] = __ldg(y + (row + u * warps) * width + column);
            }
        #pragma unroll
        for (int u = 0; u < loads; ++u)
            if (row + u * warps < end)
                mine = plus(mine, make_float4(a[u].x * b[u].x, a[u].y * b[u].y, a[u].z * b[u].z, a[u].w * b[u].w));
    }
    of_warp[warp][threadIdx.x % 32] = mine;
    __syncthreads();
    if (warp == 0) {
        for (int other = 1; other < warps; ++other) mine = plus(mine, of_warp[other][threadIdx.x]);
        parts[blockIdx.y * width + column] = mine;
    }
    if (!is_last(counters + blockIdx.x, blocks)) return;
    if (warp == 0) {
        float4 all = {0, 0, 0, 0};
        #pragma unroll 8
        for (unsigned int i = 0; i < blocks; ++i) all = plus(all, __ldcg(parts + i * width + column));
        sums[column] = all;
    }
}
)";
}

}  // namespace kiln::bench
