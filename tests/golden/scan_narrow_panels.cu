// cumsum of float32
// ... shared/types.cu: u64
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, published, publish, await, next_number
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, write
// ... shared/heads.cu: kiln_cumsum_f32_8x128_level2_narrow_panels

    // ... as in scan_panels_together
    __shared__ float totals[256];
    // ... as in wide_index
    if (thread == 0) taken[0] = next_number(states);
    // ... as in scan_panels
    const int panels = static_cast<int>((parts + 7) / 8);
    const int p = panel_number % panels * 8;
    const int o = panel_number / panels;
    const int columns = static_cast<int>(inner);
    const int row = thread / columns;
    const int column = thread % columns;
    const int rows_at_once = 256 / columns;
    const bool is_there = row < rows_at_once;
    // ... as in scan_columns
    const int rows = static_cast<int>(left < 1024 ? left : 1024);
    const long long first = (o * count + p * part) * inner + column;
    const int gap = (columns + 3) / 4 * 4;
    const long long piece = first - column;
    if (reinterpret_cast<unsigned long long>(from + piece) % 16 == 0) {
        const int elements = rows * columns;
        const int vectors = elements / 4;
        const int vectors_of_part = columns * 32;
        #pragma unroll 4
        for (int v = thread; v < vectors; v += 256) {
            copy_async<16>(panel + (v * 4 + v / vectors_of_part * gap), from + (piece + v * 4));
        }
        #pragma unroll 1
        for (int e = vectors * 4 + thread; e < elements; e += 256) {
            copy_async<4>(panel + (e + e / (vectors_of_part * 4) * gap), from + (piece + e));
        }
    } else {
        if (is_there) {
            #pragma unroll 4
            for (int x = row; x < rows; x += rows_at_once) {
                copy_async<4>(panel + (x * columns + x / 128 * gap + column), from + (first + x * inner));
            // ... as in scan_panels
    const int begin = row * 128;
    const int end = begin + 128 < rows ? begin + 128 : rows;
    const bool has_part = row < 8;
    accumulators sum = identity();
    if (has_part) {
        #pragma unroll 8
        for (int x = begin; x < end; ++x) {
            accumulators one;
            one.s0 = panel[x * columns + x / 128 * gap + column];
            sum = combine(sum, one);
        }
        totals[row * columns + column] = sum.s0;
        if (p + row + 1 < parts) {
            publish(states + ((outer * 0 + o * parts + (p + row)) * inner + column + 1), sum.s0);
        }
    }
    __syncthreads();
    if (row == 0) {
        // ... as in scan_rows
        accumulators next = identity();
        accumulators one;
        // ... as in scan_groups_of_panels
                const int end2 = p / 1;
                float published[8];
                #pragma unroll 1
                for (int q = end2 - 64; q < end2; q += 8) {
                    const int there = end2 - q < 8 ? end2 - q : 8;
                    await<8>(published, states + ((outer * 0 + o * parts + q) * inner + column + 1), inner, there);
                    #pragma unroll
                    for (int u = 0; u < 8; ++u) {
                        if (u < there) {
                            accumulators one2;
                            one2.s0 = published[u];
                            of_group = combine(of_group, one2);
                        // ... as in scan_groups_of_panels
            const int end2 = (p - 1) / 64 * 64 / 64;
            float published[8];
            #pragma unroll 1
            for (int q = (end2 - 1) / 64 * 64; q < end2; q += 8) {
                const int there = end2 - q < 8 ? end2 - q : 8;
                await<8>(published, states + ((outer * parts + o * ((parts + 63) / 64) + q) * inner + column + 1), inner, there);
                #pragma unroll
                for (int u = 0; u < 8; ++u) {
                    if (u < there) {
                        accumulators one2;
                        one2.s0 = published[u];
                        before = combine(before, one2);
                    }
                }
            }
            const int end3 = p;
            float published2[8];
            #pragma unroll 1
            for (int q = (end3 - 1) / 64 * 64; q < end3; q += 8) {
                const int there = end3 - q < 8 ? end3 - q : 8;
                await<8>(published2, states + ((outer * 0 + o * parts + q) * inner + column + 1), inner, there);
                #pragma unroll
                for (int u = 0; u < 8; ++u) {
                    if (u < there) {
                        accumulators one2;
                        one2.s0 = published2[u];
                        before = combine(before, one2);
                    }
                }
            }
        }
        next = before;
        if (p > 0 && p % 64 == 0) {
            next = identity();
            const int end2 = (p + 1 - 1) / 64 * 64 / 64;
            float published[8];
            #pragma unroll 1
            for (int q = (end2 - 1) / 64 * 64; q < end2; q += 8) {
                const int there = end2 - q < 8 ? end2 - q : 8;
                await<8>(published, states + ((outer * parts + o * ((parts + 63) / 64) + q) * inner + column + 1), inner, there);
                #pragma unroll
                for (int u = 0; u < 8; ++u) {
                    if (u < there) {
                        accumulators one2;
                        one2.s0 = published[u];
                        next = combine(next, one2);
                    }
                }
            }
        }
        #pragma unroll 1
        for (int q = 0; q < 8; ++q) {
            one.s0 = totals[q * columns + column];
            totals[q * columns + column] = before.s0;
            next = combine(next, one);
            before = next;
        }
    }
    __syncthreads();
    if (has_part) {
        sum.s0 = totals[row * columns + column];
        float next[8];
        const int whole = begin + (end - begin) / 8 * 8;
        #pragma unroll 1
        for (int x = begin; x < whole; x += 8) {
            #pragma unroll
            for (int u = 0; u < 8; ++u) next[u] = panel[(x + u) * columns + (x + u) / 128 * gap + column];
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                accumulators one;
                one.s0 = next[u];
                sum = combine(sum, one);
                panel[(x + u) * columns + (x + u) / 128 * gap + column] = sum.s0;
            }
        }
        #pragma unroll 1
        for (int x = whole; x < end; ++x) {
            accumulators one;
            one.s0 = panel[x * columns + x / 128 * gap + column];
            sum = combine(sum, one);
            panel[x * columns + x / 128 * gap + column] = sum.s0;
        }
    }
    __syncthreads();
    const long long piece2 = first - column;
    if (reinterpret_cast<unsigned long long>(to + piece2) % 16 == 0) {
        const int elements = rows * columns;
        const int vectors = elements / 4;
        const int vectors_of_part = columns * 32;
        #pragma unroll 4
        for (int v = thread; v < vectors; v += 256) write(to + (piece2 + v * 4), reinterpret_cast<const f32x4&>(panel[v * 4 + v / vectors_of_part * gap]));
        #pragma unroll 1
        for (int e = vectors * 4 + thread; e < elements; e += 256) to[piece2 + e] = panel[e + e / (vectors_of_part * 4) * gap];
    } else {
        if (is_there) {
            #pragma unroll 4
            for (int x = row; x < rows; x += rows_at_once) to[first + x * inner] = panel[x * columns + x / 128 * gap + column];
        }
    }
}
