#include "hand_written_loops.hpp"

namespace kiln::bench {

const hand_written_loop bodies_by_hand{"bodies", R"(
constexpr int warps = 16;
constexpr int bodies_of_lane = 4;

// Distances are known to be neither tiny nor huge: the root and the reciprocal are rounded correctly without the compiler's other path.
__device__ __forceinline__ float one_over_root(float a)
{
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(a));
    const float near = a * inverse;
    const float root = fmaf(fmaf(-near, near, a), 0.5f * inverse, near);
    float reciprocal;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(root));
    return fmaf(reciprocal, fmaf(-root, reciprocal, 1.0f), reciprocal);
}

struct acceleration { float x, y, z; };

__device__ __forceinline__ void attract(acceleration& of, float4 body, float x, float y, float z)
{
    const float dx = body.x - x, dy = body.y - y, dz = body.z - z;
    const float inverse = one_over_root(dx * dx + dy * dy + dz * dz + 0.01f);
    const float pull = body.w * (inverse * inverse * inverse);
    of.x += pull * dx;
    of.y += pull * dy;
    of.z += pull * dz;
}

extern "C" __global__ void __launch_bounds__(warps * 32, 1)
bodies(float* __restrict__ ax, float* __restrict__ ay, float* __restrict__ az, const float* __restrict__ x,
       const float* __restrict__ y, const float* __restrict__ z, const float* __restrict__ mass, int count)
{
    __shared__ float4 tile[warps][32];
    __shared__ acceleration of_warps[warps][bodies_of_lane * 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int first = blockIdx.x * bodies_of_lane * 32;
    float mine_x[bodies_of_lane], mine_y[bodies_of_lane], mine_z[bodies_of_lane];
    acceleration sum[bodies_of_lane];
    #pragma unroll
    for (int b = 0; b < bodies_of_lane; ++b) {
        const int i = min(first + b * 32 + lane, count - 1);
        mine_x[b] = x[i];
        mine_y[b] = y[i];
        mine_z[b] = z[i];
        sum[b] = {0, 0, 0};
    }
    // Where there is no body, one without a mass.
    const auto body_at = [&](int i) {
        const int there = min(i, count - 1);
        return make_float4(x[there], y[there], z[there], i < count ? mass[there] : 0.0f);
    };
    float4 next = body_at(warp * 32 + lane);
    for (int begin = warp * 32; begin < count; begin += warps * 32) {
        __syncwarp();
        tile[warp][lane] = next;
        __syncwarp();
        next = body_at(begin + warps * 32 + lane);
        #pragma unroll 4
        for (int k = 0; k < 32; ++k) {
            const float4 body = tile[warp][k];
            #pragma unroll
            for (int b = 0; b < bodies_of_lane; ++b) attract(sum[b], body, mine_x[b], mine_y[b], mine_z[b]);
        }
    }
    #pragma unroll
    for (int b = 0; b < bodies_of_lane; ++b) of_warps[warp][b * 32 + lane] = sum[b];
    __syncthreads();
    const int body = threadIdx.x;
    if (body >= bodies_of_lane * 32 || first + body >= count) return;
    acceleration all = of_warps[0][body];
    #pragma unroll 1
    for (int w = 1; w < warps; ++w) {
        all.x += of_warps[w][body].x;
        all.y += of_warps[w][body].y;
        all.z += of_warps[w][body].z;
    }
    ax[first + body] = all.x;
    ay[first + body] = all.y;
    az[first + body] = all.z;
}
)"};

const hand_written_loop nearest_by_hand{"nearest", R"(
constexpr int centres_at_once = 64;
constexpr int points_of_thread = 2;

extern "C" __global__ void __launch_bounds__(256)
nearest(long long* __restrict__ which, const float4* __restrict__ points, const float4* __restrict__ centres, int count,
        int centre_count)
{
    __shared__ float4 shared[centres_at_once * 2];
    const int first = (blockIdx.x * 256 + threadIdx.x) * points_of_thread;
    float4 a[points_of_thread], b[points_of_thread];
    float least[points_of_thread];
    int at[points_of_thread];
    #pragma unroll
    for (int p = 0; p < points_of_thread; ++p) {
        const int i = min(first + p, count - 1);
        a[p] = points[i * 2];
        b[p] = points[i * 2 + 1];
        least[p] = 1.0f / 0.0f;
        at[p] = 0;
    }
    for (int begin = 0; begin < centre_count; begin += centres_at_once) {
        const int there = min(centres_at_once, centre_count - begin);
        __syncthreads();
        for (int i = threadIdx.x; i < there * 2; i += 256) shared[i] = centres[begin * 2 + i];
        __syncthreads();
        #pragma unroll 4
        for (int c = 0; c < there; ++c) {
            const float4 u = shared[c * 2], v = shared[c * 2 + 1];
            #pragma unroll
            for (int p = 0; p < points_of_thread; ++p) {
                const float d0 = a[p].x - u.x, d1 = a[p].y - u.y, d2 = a[p].z - u.z, d3 = a[p].w - u.w;
                const float d4 = b[p].x - v.x, d5 = b[p].y - v.y, d6 = b[p].z - v.z, d7 = b[p].w - v.w;
                const float square = ((d0 * d0 + d4 * d4) + (d1 * d1 + d5 * d5)) + ((d2 * d2 + d6 * d6) + (d3 * d3 + d7 * d7));
                if (square < least[p]) {
                    least[p] = square;
                    at[p] = begin + c;
                }
            }
        }
    }
    #pragma unroll
    for (int p = 0; p < points_of_thread; ++p)
        if (first + p < count) which[first + p] = at[p];
}
)"};

const hand_written_loop variance_by_hand{"variance", R"(
// Sums of differences from `value`, which is one of the elements.
struct moments { double value, sum, squares; unsigned int count; };

__device__ __forceinline__ moments with(moments of, double element)
{
    if (of.count == 0) of.value = element;
    const double off = element - of.value;
    of.sum += off;
    of.squares += off * off;
    of.count += 1;
    return of;
}

__device__ __forceinline__ moments together(moments a, moments b)
{
    const double apart = b.value - a.value;
    const double moved = static_cast<double>(b.count) * apart;
    const bool none = a.count == 0;
    return {none ? b.value : a.value, none ? b.sum : a.sum + (b.sum + moved),
            none ? b.squares : a.squares + (b.squares + apart * (2.0 * b.sum + moved)), a.count + b.count};
}

__device__ __forceinline__ moments of_warp(moments mine)
{
    for (int apart = 16; apart > 0; apart /= 2) {
        const moments other = {__shfl_down_sync(0xffffffffu, mine.value, apart), __shfl_down_sync(0xffffffffu, mine.sum, apart),
                               __shfl_down_sync(0xffffffffu, mine.squares, apart), __shfl_down_sync(0xffffffffu, mine.count, apart)};
        mine = together(mine, other);
    }
    return mine;
}

__device__ moments of_block(moments mine)
{
    __shared__ moments of_warps[8];
    mine = of_warp(mine);
    __syncthreads();
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
    __syncthreads();
    for (int w = 1; w < 8; ++w) mine = together(mine, of_warps[w]);
    return mine;
}

extern "C" __global__ void __launch_bounds__(256)
variance(float* result, const float* __restrict__ x, moments* of_blocks, unsigned int* counter, unsigned int count)
{
    __shared__ bool is_last;
    const unsigned int part = (count / 4 + gridDim.x - 1) / gridDim.x * 4;
    const unsigned int begin = blockIdx.x * part;
    const unsigned int end = min(count / 4 * 4, begin + part);
    moments sums[4] = {};
    for (unsigned int first = begin + threadIdx.x * 4; first < end; first += 4096) {
        float4 loaded[4];
        #pragma unroll
        for (int u = 0; u < 4; ++u)
            if (first + u * 1024 < end) loaded[u] = __ldg(reinterpret_cast<const float4*>(x + first + u * 1024));
        #pragma unroll
        for (int u = 0; u < 4; ++u)
            if (first + u * 1024 < end) {
                sums[0] = with(sums[0], loaded[u].x);
                sums[1] = with(sums[1], loaded[u].y);
                sums[2] = with(sums[2], loaded[u].z);
                sums[3] = with(sums[3], loaded[u].w);
            }
    }
    const unsigned int rest = count / 4 * 4 + threadIdx.x;
    if (blockIdx.x == 0 && rest < count) sums[0] = with(sums[0], x[rest]);
    moments mine = of_block(together(together(sums[0], sums[1]), together(sums[2], sums[3])));
    if (threadIdx.x == 0) {
        of_blocks[blockIdx.x] = mine;
        __threadfence();
        is_last = atomicAdd(counter, 1u) + 1 == gridDim.x;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    mine = {};
    for (unsigned int b = threadIdx.x; b < gridDim.x; b += 256) mine = together(mine, of_blocks[b]);
    mine = of_block(mine);
    if (threadIdx.x != 0) return;
    *counter = 0;
    const double n = static_cast<double>(mine.count);
    const double squares = mine.squares - mine.sum * mine.sum / n;
    *result = static_cast<float>((squares < 0.0 ? 0.0 : squares) / n);
}
)"};

const hand_written_loop gray_by_hand{"gray", R"(
extern "C" __global__ void __launch_bounds__(256)
gray(float* __restrict__ y, const unsigned char* __restrict__ pixels, const float* __restrict__ weights, unsigned int count)
{
    const unsigned int first = (blockIdx.x * 256 + threadIdx.x) * 4;
    if (first >= count) return;
    const float red = weights[0], green = weights[1], blue = weights[2];
    if (first + 4 > count) {
        for (unsigned int i = first; i < count; ++i)
            y[i] = pixels[i * 3] * red + pixels[i * 3 + 1] * green + pixels[i * 3 + 2] * blue;
        return;
    }
    union { unsigned int word[3]; unsigned char byte[12]; } loaded;
    #pragma unroll
    for (int i = 0; i < 3; ++i) loaded.word[i] = __ldg(reinterpret_cast<const unsigned int*>(pixels + first * 3) + i);
    float of[4];
    #pragma unroll
    for (int i = 0; i < 4; ++i)
        of[i] = loaded.byte[i * 3] * red + loaded.byte[i * 3 + 1] * green + loaded.byte[i * 3 + 2] * blue;
    __stcs(reinterpret_cast<float4*>(y + first), make_float4(of[0], of[1], of[2], of[3]));
}
)"};

const hand_written_loop byte_counts_by_hand{"byte_counts", R"(
extern "C" __global__ void __launch_bounds__(1024, 2)
byte_counts(long long* __restrict__ result, unsigned int* counters, const unsigned char* __restrict__ bytes,
            unsigned int count)
{
    __shared__ unsigned int table[256 * 32];
    __shared__ bool is_last;
    const unsigned int thread = threadIdx.x, lane = thread % 32;
    for (int i = thread; i < 256 * 32; i += 1024) table[i] = 0;
    __syncthreads();
    // Two vectors at once are underway: on an H200 21.0 us for 67M bytes in place of 22.2.
    const unsigned int vectors = count / 16, round = gridDim.x * 1024;
    const auto count_bytes = [&](uint4 of) {
        const unsigned int word[4] = {of.x, of.y, of.z, of.w};
        #pragma unroll
        for (int k = 0; k < 16; ++k) atomicAdd(table + (word[k / 4] >> k % 4 * 8 & 255u) * 32 + lane, 1u);
    };
    const uint4* const loaded = reinterpret_cast<const uint4*>(bytes);
    unsigned int i = blockIdx.x * 1024 + thread;
    for (; i + round < vectors; i += 2 * round) {
        const uint4 one = __ldg(loaded + i), other = __ldg(loaded + i + round);
        count_bytes(one);
        count_bytes(other);
    }
    if (i < vectors) count_bytes(__ldg(loaded + i));
    if (blockIdx.x == 0 && thread < count % 16) atomicAdd(table + bytes[vectors * 16 + thread] * 32 + lane, 1u);
    __syncthreads();
    for (int i = thread; i < 256; i += 1024) {
        unsigned int all = 0;
        #pragma unroll 1
        for (int copy = 0; copy < 32; ++copy) all += table[i * 32 + (copy + lane) % 32];
        if (all) atomicAdd(counters + i, all);
    }
    __threadfence();
    __syncthreads();
    if (thread == 0) is_last = atomicAdd(counters + 256, 1u) + 1 == gridDim.x;
    __syncthreads();
    if (!is_last) return;
    for (int i = thread; i < 256; i += 1024) result[i] = atomicExch(counters + i, 0u);
    if (thread == 0) counters[256] = 0;
}
)"};

}  // namespace kiln::bench
