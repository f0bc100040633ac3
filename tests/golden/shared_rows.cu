// sum(s1 / (square(x0 - x1) + s0))
// ... shared/helpers.cu: shuffle_down, wait_for_earlier_kernels, quotient_in_range, is_quotient_in_range
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, kiln_sum_of_sub_square_add_div_f32_v4_axes2_values2
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: body, fast_body

    // ... as in rows
    const int lane = thread % 128;
    // ... as in rows
    const unsigned int wanted = (block * 2 + thread / 128) * 2;
    // ... as in rows
    const unsigned int value = is_there ? wanted : kept - 2;
    const int p0 = value;
    accumulators part[8];
    #pragma unroll
    for (int k = 0; k < 8; ++k) part[k] = identity();
    float v_x1[2];
    #pragma unroll
    for (int v = 0; v < 2; ++v) {
        const unsigned int which = least_index(value + v, kept - 1);
        const int p02 = which;
        const int at_x1 = p02;
        v_x1[v] = x1[at_x1];
    }
    const unsigned int whole = reduced / 4 * 4;
    bool in_range = true;
    #pragma unroll 1
    for (unsigned int next = lane * 4; next < whole; next += 512) {
        const int p1 = next;
        const int at_x0 = p1;
        const f32x4 v_x0 = load_f32x4(x0 + at_x0);
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            #pragma unroll
            for (int v = 0; v < 2; ++v) {
                float one_y0;
                fast_body(v_x0.v[k], v_x1[v], s0, s1, one_y0, in_range);
                // ... as in rows
                part[v * 4 + k] = combine(part[v * 4 + k], one);
            }
        }
    }
    if (!in_range) {
        #pragma unroll
        for (int k = 0; k < 8; ++k) part[k] = identity();
        const unsigned int from = lane * 4;
        #pragma unroll 1
        for (int k = 0; k < 4; ++k) {
            #pragma unroll 1
            for (unsigned int next = from + static_cast<unsigned int>(k); next < reduced; next += 512) {
                const int p1 = next;
                const int at_x0 = p1;
                const float v_x0 = x0[at_x0];
                bool is_right = true;
                accumulators made[2];
                #pragma unroll
                for (int v = 0; v < 2; ++v) {
                    float one_y0;
                    fast_body(v_x0, v_x1[v], s0, s1, one_y0, is_right);
                    // ... as in rows
                    made[v] = one;
                }
                if (!is_right) {
                    #pragma unroll
                    for (int v = 0; v < 2; ++v) {
                        float one_y0;
                        body(v_x0, v_x1[v], s0, s1, one_y0);
                        // ... as in rows
                        made[v] = one;
                    }
                }
                #pragma unroll
                for (int v = 0; v < 2; ++v) part[v * 4] = combine(part[v * 4], made[v]);
            }
            #pragma unroll
            for (int v = 0; v < 2; ++v) {
                const accumulators taken = part[v * 4];
                #pragma unroll
                for (int each = 0; each < 3; ++each) part[v * 4 + each] = part[v * 4 + (each + 1)];
                part[v * 4 + 3] = taken;
            }
        }
    }
    accumulators mine[2];
    #pragma unroll
    for (int v = 0; v < 2; ++v) mine[v] = combine(combine(part[v * 4], part[v * 4 + 1]), combine(part[v * 4 + 2], part[v * 4 + 3]));
    #pragma unroll
    for (int v = 0; v < 2; ++v) {
        #pragma unroll
        for (int apart = 16; apart > 0; apart /= 2) mine[v] = combine(mine[v], shuffle_down(mine[v], apart));
        if (thread % 32 == 0) shared[thread / 32] = mine[v];
        __syncthreads();
        mine[v] = shared[thread / 128 * 4 + thread % 4];
        #pragma unroll
        for (int apart = 2; apart > 0; apart /= 2) mine[v] = combine(mine[v], shuffle_down(mine[v], apart));
        // ... as in columns
        for (int v = 0; v < 2; ++v) {
            const unsigned int number = value + v;
            if (number < kept) y0[number] = finish_0(mine[v].s0, reduced);
        }
    }
}
