// cumsum of float32
// ... shared/types.cu: u64
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, published, publish, await, next_number
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/heads.cu: kiln_cumsum_f32_256x32_level1_panels

    __shared__ long long taken[1];
    __shared__ __align__(16) float panel[8192];
    // ... as in wide_index
    const int lane = threadIdx.x;
    if (lane == 0) taken[0] = next_number(states);
    // ... as in scan_few_row_parts
    const int panel_number = static_cast<int>(number);
    const int panels = static_cast<int>((inner + 31) / 32);
    const int parts_of_line = static_cast<int>(parts);
    const int above = panel_number / panels;
    const long long left_column = static_cast<long long>(panel_number % panels) * 32;
    const int p = above % parts_of_line;
    const int o = above / parts_of_line;
    const long long column = left_column + lane;
    const bool is_there = lane < 32 && column < inner;
    // ... as in scan_columns
    const int rows = static_cast<int>(length);
    const long long first = (o * count + p * part) * inner + left_column;
    if (left_column + 32 <= inner && inner % 4 == 0 && reinterpret_cast<unsigned long long>(from + first) % 16 == 0) {
        const int place = lane % 8 * 4;
        #pragma unroll 4
        for (int x = lane / 8; x < rows; x += 4) {
            copy_async<16>(panel + (x * 32 + place), from + (first + x * inner + place));
        }
    } else {
        if (is_there) {
            #pragma unroll 1
            for (int x = 0; x < rows; ++x) {
                copy_async<4>(panel + (x * 32 + lane), from + (first + x * inner + lane));
            }
        }
    }
    // ... as in contraction_copied
    if (is_there) {
        accumulators sum = identity();
        if (p + 1 < parts) {
            #pragma unroll 8
            for (int x = 0; x < rows; ++x) {
                accumulators one;
                one.s0 = panel[x * 32 + lane];
                sum = combine(sum, one);
            }
            publish(states + ((outer * 0 + o * parts + p) * inner + column + 1), sum.s0);
        }
        sum = identity();
        if (p > 0) {
            const int end = p;
            float published[16];
            #pragma unroll 1
            for (int q = (end - 1) / 64 * 64; q < end; q += 16) {
                const int there = end - q < 16 ? end - q : 16;
                await<16>(published, states + ((outer * 0 + o * parts + q) * inner + column + 1), inner, there);
                #pragma unroll
                for (int u = 0; u < 16; ++u) {
                    if (u < there) {
                        accumulators one;
                        one.s0 = published[u];
                        sum = combine(sum, one);
                    }
                }
            }
        }
        #pragma unroll 8
        for (int x = 0; x < rows; ++x) {
            accumulators one;
            one.s0 = panel[x * 32 + lane];
            sum = combine(sum, one);
            to[first + lane + x * inner] = sum.s0;
        }
    }
}
