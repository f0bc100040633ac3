// tests/functions/hash_functions: the float32 functions over all 2^32 floats on a GPU, those of two arguments over 2^30
// pairs; prints the hashes that check_functions --all prints where all results are right, and the time.
//   nvcc -O3 -fmad=false -arch=native -o hash_functions hash_functions.cu && ./hash_functions
#include "hashes.hpp"
#include "texts.hpp"

#include <cstdio>

namespace {

#define KILN_FLOAT32_FUNCTION(name, reference, mpfr, symmetry, from, to)                                     \
    __global__ void hash_##name(unsigned long long* sum)                                                     \
    {                                                                                                        \
        unsigned long long mine = 0;                                                                         \
        const unsigned long long step = static_cast<unsigned long long>(gridDim.x) * blockDim.x;             \
        for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < 1ull << 32; i += step) {      \
            const float y = nearest_##name(float_of(static_cast<unsigned>(i)));                              \
            mine += mixed(static_cast<unsigned>(i), y != y ? 0x7fc00000u : bits_of(y));                      \
        }                                                                                                    \
        atomicAdd(sum, mine);                                                                                \
    }
#include "functions.def"
#undef KILN_FLOAT32_FUNCTION

#define KILN_PAIRS(name, function)                                                                           \
    __global__ void hash_##name(unsigned long long* sum)                                                     \
    {                                                                                                        \
        unsigned long long mine = 0;                                                                         \
        const unsigned long long step = static_cast<unsigned long long>(gridDim.x) * blockDim.x;             \
        for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < numbered_pairs; i += step) {  \
            const pair_of_bits pair = numbered_pair(i);                                                      \
            const float y = function(float_of(pair.first), float_of(pair.second));                           \
            mine += mixed(static_cast<unsigned>(i), y != y ? 0x7fc00000u : bits_of(y));                      \
        }                                                                                                    \
        atomicAdd(sum, mine);                                                                                \
    }
KILN_PAIRS(hypot, nearest_hypot)
KILN_PAIRS(pow, nearest_pow)
KILN_PAIRS(atan2, nearest_atan2)

void run(const char* name, void (*kernel)(unsigned long long*), unsigned long long count)
{
    unsigned long long* sum;
    cudaMallocManaged(&sum, sizeof *sum);
    *sum = 0;
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    kernel<<<132 * 8, 256>>>(sum);
    cudaEventRecord(end);
    cudaDeviceSynchronize();
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    std::printf("%-8s cuda   %10llu arguments, hash %016llx, %.1f ms (%s)\n", name, count, *sum, ms, cudaGetErrorString(cudaGetLastError()));
    cudaFree(sum);
}

}  // namespace

int main()
{
#define KILN_FLOAT32_FUNCTION(name, reference, mpfr, symmetry, from, to) run(#name, hash_##name, 1ull << 32);
#include "functions.def"
#undef KILN_FLOAT32_FUNCTION
    run("hypot", hash_hypot, 1ull << 30);
    run("pow", hash_pow, 1ull << 30);
    run("atan2", hash_atan2, 1ull << 30);
}
