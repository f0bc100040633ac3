__device__ __forceinline__ float sum_of_two(float x0, float x1) { return x0 + x1; }

// What the last of the blocks that left these partial sums would have made of them, in the same order.
__device__ __forceinline__ float finalize(const float* partial_sums, int count, float* of_warp)
{
    #pragma unroll
    for (int lane = threadIdx.x; lane < 256; lane += 256) {
        const float first = lane < count ? partial_sums[lane] : (-0.0f);
        const float second = lane + 256 < count ? partial_sums[lane + 256] : (-0.0f);
        float mine = sum_of_two(first, second);
        union { float all; unsigned int word[sizeof(float) / 4]; } other;
        #pragma unroll
        for (int apart = 16; apart > 0; apart /= 2) {
            other.all = mine;
            #pragma unroll
            for (int i = 0; i < static_cast<int>(sizeof(float) / 4); ++i)
                other.word[i] = __shfl_down_sync(0xffffffffu, other.word[i], apart);
            mine = sum_of_two(mine, other.all);
        }
        if (lane % 32 == 0) of_warp[lane / 32] = mine;
    }
    __syncthreads();
    const float even = sum_of_two(sum_of_two(of_warp[0], of_warp[4]), sum_of_two(of_warp[2], of_warp[6]));
    const float odd = sum_of_two(sum_of_two(of_warp[1], of_warp[5]), sum_of_two(of_warp[3], of_warp[7]));
    return sum_of_two(even, odd);
}
