// cumsum(flip(float32(x0))) of float16
// ... shared/types.cu: u64
// ... shared/helpers.cu: wait_for_earlier_kernels, published, publish, await, next_number, f16, bits16_of, f32_from_f16
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, write
// ... shared/heads.cu: kiln_cumsum_f32_of_f16_reversed_8x128_level2_narrow_panels

    // ... as in scan_narrow_panels
    const long long last = (o * count + (count - 1 - p * part)) * inner + column;
    // ... as in scan_narrow_panels
    if (is_there) {
        #pragma unroll 1
        for (int first_row = row; first_row < rows; first_row += rows_at_once * 8) {
            f16 next[8];
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                const int x = first_row + u * rows_at_once;
                const int there = x < rows ? x : first_row;
                next[u] = from[last - there * inner];
            }
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                const int x = first_row + u * rows_at_once;
                if (x < rows) panel[x * columns + x / 128 * gap + column] = f32_from_f16(next[u]);
            }
        }
    }
    // ... as in scan_narrow_panels
    if (reinterpret_cast<unsigned long long>(to + piece) % 16 == 0) {
        // ... as in scan_narrow_panels
        for (int v = thread; v < vectors; v += 256) write(to + (piece + v * 4), reinterpret_cast<const f32x4&>(panel[v * 4 + v / vectors_of_part * gap]));
        #pragma unroll 1
        for (int e = vectors * 4 + thread; e < elements; e += 256) to[piece + e] = panel[e + e / (vectors_of_part * 4) * gap];
    // ... as in scan_narrow_panels
