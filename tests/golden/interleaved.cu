// sum(float32(x0) * x1)
// ... shared/types.cu: u8
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: u8x4, load_u8x4, f32x4, store
// ... shared/heads.cu: layout, kiln_sum_of_cast_mul_f32_v4_axes2_values4
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: body

    // ... as in contiguous
    const int lane = thread % 1;
    // ... as in rows
    const unsigned int wanted = (block * 256 + thread / 1) * 4;
    // ... as in columns
    const int p0 = value;
    if (!is_there) return;
    const bool whole = value + 4 <= kept;
    u8x4 v_x0[3];
    if (whole) {
        #pragma unroll
        for (int v = 0; v < 3; ++v) v_x0[v] = load_u8x4(x0 + (value * 3 + v * 4));
    } else {
        #pragma unroll
        for (int f = 0; f < 12; ++f) v_x0[f / 4].v[f % 4] = x0[least_index(value + f / 3, kept - 1) * 3 + f % 3];
    }
    float v_x1[3];
    #pragma unroll
    for (int e = 0; e < 3; ++e) {
        const int p1 = e;
        const int at_x1 = p1;
        v_x1[e] = x1[at_x1];
    }
    f32x4 v_y0[1];
    #pragma unroll
    for (int r = 0; r < 4; ++r) {
        const unsigned int row = least_index(value + r, kept - 1);
        const int p02 = row;
        // ... as in rows
        #pragma unroll
        for (int e = 0; e < 3; ++e) {
            float one_y0;
            body(v_x0[(r * 3 + e) / 4].v[(r * 3 + e) % 4], v_x1[e], one_y0);
            // ... as in rows
            part[e % 4] = combine(part[e % 4], one);
        // ... as in rows
        v_y0[r / 4].v[r % 4] = finish_0(mine.s0, 3);
    }
    if (whole) {
        store(y0 + value, v_y0[0]);
    } else {
        #pragma unroll
        for (int f = 0; f < 3; ++f) {
            if (value + f / 1 < kept) y0[value + f] = v_y0[f / 4].v[f % 4];
        }
    }
}
