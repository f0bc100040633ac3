// cumsum of float32
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/heads.cu: kiln_cumsum_f32_256_lines

    // ... as in scan_columns
    const long long lines = outer * inner;
    const bool is_there = number < lines;
    const long long line = is_there ? number : lines - 1;
    const long long first = line / inner * count * inner + line % inner;
    const int rows = static_cast<int>(count);
    const int rows_of_part = static_cast<int>(part);
    accumulators sum = identity();
    // ... as in scan_rows
    accumulators of_part = identity();
    int left = rows_of_part;
    accumulators next[16];
    #pragma unroll
    for (int u = 0; u < 16; ++u) {
        if (u < rows) next[u].s0 = from[first + static_cast<long long>(u) * inner];
    }
    #pragma unroll 1
    for (int x = 0; x < rows; x += 16) {
        accumulators now[16];
        #pragma unroll
        for (int u = 0; u < 16; ++u) now[u] = next[u];
        #pragma unroll
        for (int u = 0; u < 16; ++u) {
            if (x + 16 + u < rows) next[u].s0 = from[first + static_cast<long long>(x + 16 + u) * inner];
        }
        __syncthreads();
        #pragma unroll
        for (int u = 0; u < 16; ++u) {
            if (x + u < rows) {
                if (left == 0) {
                    before = combine(before, of_part);
                    sum = before;
                    of_part = identity();
                    left = rows_of_part;
                }
                left = left - 1;
                of_part = combine(of_part, now[u]);
                sum = combine(sum, now[u]);
                if (is_there) to[first + static_cast<long long>(x + u) * inner] = sum.s0;
            }
        }
    }
}
