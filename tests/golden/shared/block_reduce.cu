// What the thread has that is so many further on in the warp.
__device__ __forceinline__ accumulators further_on(accumulators mine, int apart)
{
    union { accumulators all; unsigned int word[(sizeof(accumulators) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_down_sync(0xffffffffu, bits.word[i], apart);
    return bits.all;
}

// The results of a row's threads, in pairs; the first of them has all.
__device__ __forceinline__ accumulators block_reduce(accumulators mine, accumulators* shared, int lane)
{
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return mine;
}

// The results of a row's threads, in pairs; the first of them has all.
__device__ __forceinline__ accumulators block_reduce(accumulators mine, accumulators* shared, int lane)
{
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = mine;
    __syncthreads();
    mine = shared[(threadIdx.x - lane) / 32 + threadIdx.x % 8];
    #pragma unroll
    for (int apart = 4; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return mine;
}

// Counts the block as done, and says whether it is the last: then what the others have left is there.
__device__ __forceinline__ bool is_last_of(unsigned int count, unsigned int* counter)
{
    unsigned int before;
    asm volatile("atom.release.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
    if (before + 1 == count) asm volatile("fence.acq_rel.gpu;" ::: "memory");
    return before + 1 == count;
}

// The results of a value's threads, in pairs; the first of them has all.
__device__ __forceinline__ accumulators block_reduce(accumulators mine, accumulators* shared, int lane)
{
    shared[threadIdx.x] = mine;
    #pragma unroll
    for (int apart = 4; apart > 0; apart /= 2) {
        __syncthreads();
        if (lane < apart) shared[threadIdx.x] = mine = combine(mine, shared[threadIdx.x + apart * 32]);
    }
    __syncthreads();
    return mine;
}

// The results of a row's threads, in pairs; the first of them has all.
__device__ __forceinline__ accumulators block_reduce(accumulators mine, accumulators* shared, int lane)
{
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = mine;
    __syncthreads();
    mine = shared[(threadIdx.x - lane) / 32 + threadIdx.x % 4];
    #pragma unroll
    for (int apart = 2; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return mine;
}

// What the thread has that is so many further on in the warp.
__device__ __forceinline__ accumulators_0 further_on(accumulators_0 mine, int apart)
{
    union { accumulators_0 all; unsigned int word[(sizeof(accumulators_0) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_down_sync(0xffffffffu, bits.word[i], apart);
    return bits.all;
}

// What the first of the row's threads in the warp has.
__device__ __forceinline__ accumulators_0 first_of_row(accumulators_0 mine, int lane)
{
    union { accumulators_0 all; unsigned int word[(sizeof(accumulators_0) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_sync(0xffffffffu, bits.word[i], (threadIdx.x - lane) % 32);
    return bits.all;
}

// The results of a row's threads, in pairs; each of them has all.
__device__ __forceinline__ accumulators_0 block_reduce(accumulators_0 mine, accumulators_0* shared, int lane)
{
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = mine;
    __syncthreads();
    mine = shared[(threadIdx.x - lane) / 32 + threadIdx.x % 8];
    #pragma unroll
    for (int apart = 4; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return first_of_row(mine, lane);
}

// What the thread has that is so many further on in the warp.
__device__ __forceinline__ accumulators_1 further_on(accumulators_1 mine, int apart)
{
    union { accumulators_1 all; unsigned int word[(sizeof(accumulators_1) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_down_sync(0xffffffffu, bits.word[i], apart);
    return bits.all;
}

// What the first of the row's threads in the warp has.
__device__ __forceinline__ accumulators_1 first_of_row(accumulators_1 mine, int lane)
{
    union { accumulators_1 all; unsigned int word[(sizeof(accumulators_1) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_sync(0xffffffffu, bits.word[i], (threadIdx.x - lane) % 32);
    return bits.all;
}

// The results of a row's threads, in pairs; each of them has all.
__device__ __forceinline__ accumulators_1 block_reduce(accumulators_1 mine, accumulators_1* shared, int lane)
{
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = mine;
    __syncthreads();
    mine = shared[(threadIdx.x - lane) / 32 + threadIdx.x % 8];
    #pragma unroll
    for (int apart = 4; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return first_of_row(mine, lane);
}

// The results of a row's threads, in pairs; each of them has all.
__device__ __forceinline__ accumulators_0 block_reduce(accumulators_0 mine, accumulators_0* shared, int lane)
{
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return first_of_row(mine, lane);
}

// The results of a row's threads, in pairs; each of them has all.
__device__ __forceinline__ accumulators_1 block_reduce(accumulators_1 mine, accumulators_1* shared, int lane)
{
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return first_of_row(mine, lane);
}

// The results of a row's threads, in pairs; each of them has all.
__device__ __forceinline__ accumulators_0 block_reduce(accumulators_0 mine, accumulators_0* shared, int lane)
{
    #pragma unroll
    for (int apart = 2; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return first_of_row(mine, lane);
}

// The results of a row's threads, in pairs; each of them has all.
__device__ __forceinline__ accumulators_1 block_reduce(accumulators_1 mine, accumulators_1* shared, int lane)
{
    #pragma unroll
    for (int apart = 2; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return first_of_row(mine, lane);
}
