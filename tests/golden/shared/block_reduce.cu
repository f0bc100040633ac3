// What the thread has that is so many further on in the warp.
__device__ __forceinline__ states further_on(states mine, int apart)
{
    union { states all; unsigned int word[(sizeof(states) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_down_sync(0xffffffffu, bits.word[i], apart);
    return bits.all;
}

// The results of a row's threads, in pairs; the first of them has all.
__device__ __forceinline__ states meet(states mine, states* shared, int lane)
{
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return mine;
}

// The results of a row's threads, in pairs; the first of them has all.
__device__ __forceinline__ states meet(states mine, states* shared, int lane)
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
__device__ __forceinline__ states meet(states mine, states* shared, int lane)
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

// What the thread has that is so many further on in the warp.
__device__ __forceinline__ states_0 further_on(states_0 mine, int apart)
{
    union { states_0 all; unsigned int word[(sizeof(states_0) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_down_sync(0xffffffffu, bits.word[i], apart);
    return bits.all;
}

// What the first of the row's threads in the warp has.
__device__ __forceinline__ states_0 first_of_row(states_0 mine, int lane)
{
    union { states_0 all; unsigned int word[(sizeof(states_0) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_sync(0xffffffffu, bits.word[i], (threadIdx.x - lane) % 32);
    return bits.all;
}

// The results of a row's threads, in pairs; each of them has all.
__device__ __forceinline__ states_0 meet(states_0 mine, states_0* shared, int lane)
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
__device__ __forceinline__ states_1 further_on(states_1 mine, int apart)
{
    union { states_1 all; unsigned int word[(sizeof(states_1) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_down_sync(0xffffffffu, bits.word[i], apart);
    return bits.all;
}

// What the first of the row's threads in the warp has.
__device__ __forceinline__ states_1 first_of_row(states_1 mine, int lane)
{
    union { states_1 all; unsigned int word[(sizeof(states_1) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_sync(0xffffffffu, bits.word[i], (threadIdx.x - lane) % 32);
    return bits.all;
}

// The results of a row's threads, in pairs; each of them has all.
__device__ __forceinline__ states_1 meet(states_1 mine, states_1* shared, int lane)
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
__device__ __forceinline__ states_0 meet(states_0 mine, states_0* shared, int lane)
{
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return first_of_row(mine, lane);
}

// The results of a row's threads, in pairs; each of them has all.
__device__ __forceinline__ states_1 meet(states_1 mine, states_1* shared, int lane)
{
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return first_of_row(mine, lane);
}

// The results of a row's threads, in pairs; each of them has all.
__device__ __forceinline__ states_0 meet(states_0 mine, states_0* shared, int lane)
{
    #pragma unroll
    for (int apart = 2; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return first_of_row(mine, lane);
}

// The results of a row's threads, in pairs; each of them has all.
__device__ __forceinline__ states_1 meet(states_1 mine, states_1* shared, int lane)
{
    #pragma unroll
    for (int apart = 2; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));
    return first_of_row(mine, lane);
}

struct __align__(16) vectors { states v[4]; };

// What a lane of the warp has.
__device__ __forceinline__ states from_lane(states mine, int lane)
{
    union { states all; unsigned int word[(sizeof(states) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_sync(0xffffffffu, bits.word[i], lane);
    return bits.all;
}
