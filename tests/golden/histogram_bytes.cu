// segments: histogram of uint8
// ... shared/types.cu: u8, u32, i64
// ... shared/helpers.cu: is_last_of, wait_for_earlier_kernels, atomic_sum
// ... shared/vectors.cu: u8x16, load_u8x16
// ... shared/heads.cu: kiln_segment_histogram_u8_shared_inside_counters

    __shared__ u32 table[8192];
    // ... as in wide_total
    // ... as in scan_rows
    const int thread = warp * 32 + lane;
    #pragma unroll 1
    for (long long i = static_cast<long long>(thread); i < count * copy_count; i += 1024) table[i] = 0;
    __syncthreads();
    const long long first = (block * 1024 + warp * 32) * 16;
    if (reinterpret_cast<unsigned long long>(numbers) % 16 == 0) {
        const long long whole = element_count / 16 * 16;
        #pragma unroll 1
        for (long long x = first; x < whole; x += stride * 2) {
            const long long at = x + lane * 16;
            const long long next = at + stride;
            if (next < whole) {
                const u8x16 loaded = load_u8x16(numbers + at);
                const u8x16 loaded2 = load_u8x16(numbers + next);
                #pragma unroll
                for (int k = 0; k < 16; ++k) {
                    const int s = static_cast<int>(loaded.v[k]);
                    atomic_sum(table + (static_cast<int>(s) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), 1);
                }
                #pragma unroll
                for (int k = 0; k < 16; ++k) {
                    const int s = static_cast<int>(loaded2.v[k]);
                    atomic_sum(table + (static_cast<int>(s) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), 1);
                }
            } else {
                if (at < whole) {
                    const u8x16 loaded = load_u8x16(numbers + at);
                    #pragma unroll
                    for (int k = 0; k < 16; ++k) {
                        const int s = static_cast<int>(loaded.v[k]);
                        atomic_sum(table + (static_cast<int>(s) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), 1);
                    }
                }
            }
        }
        const long long rest = whole + warp * 32;
        if (block == 0 && warp == 0) {
            #pragma unroll 1
            for (long long x = rest; x < element_count; x += 32) {
                const long long at = x + lane;
                if (at < element_count) {
                    const u8 loaded = numbers[at];
                    const int s = static_cast<int>(loaded);
                    atomic_sum(table + (static_cast<int>(s) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), 1);
                }
            }
        }
    } else {
        const long long one = block * 1024 + warp * 32;
        #pragma unroll 1
        for (long long x = one; x < element_count; x += stride / 16) {
            const long long at = x + lane;
            if (at < element_count) {
                const u8 loaded = numbers[at];
                const int s = static_cast<int>(loaded);
                atomic_sum(table + (static_cast<int>(s) * static_cast<int>(copy_count) + (lane & (static_cast<int>(copy_count) - 1))), 1);
            }
        }
    }
    __syncthreads();
    #pragma unroll 1
    for (long long i = static_cast<long long>(thread); i < count; i += 1024) {
        long long all = 0;
        #pragma unroll 1
        for (long long copy = 0; copy < copy_count; ++copy) {
            const long long one = static_cast<long long>(table[i * copy_count + ((copy + thread) & (copy_count - 1))]);
            all = all + one;
        }
        if (!(all == 0)) {
            atomic_sum(counters + i, all);
        }
    }
    __syncthreads();
    if (thread == 0) is_last[0] = is_last_of(stride / 16384, counters + 8191);
    // ... as in total
    #pragma unroll 1
    for (long long i = static_cast<long long>(thread); i < count; i += 1024) {
        result[i] = static_cast<i64>(counters[i]);
        counters[i] = 0;
    }
    if (thread == 0) counters[8191] = 0;
}
