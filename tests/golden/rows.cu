// sum(x0 * x0)
// ... shared/helpers.cu: shuffle_down, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, kiln_sum_of_mul_f32_v4_axes2
// ... shared/bodies.cu: body

    __shared__ accumulators shared[8];
    // ... as in contiguous
    const int lane = thread % 32;
    const unsigned int kept = at.word[7];
    const unsigned int reduced = at.word[8];
    const unsigned int wanted = block * 8 + thread / 32;
    const bool is_there = wanted < kept;
    const unsigned int value = is_there ? wanted : kept - 1;
    const int p0 = value;
    accumulators part[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) part[k] = identity();
    #pragma unroll 1
    for (unsigned int next = lane * 4; next < reduced; next += 512) {
        f32x4 v_x0[4];
        #pragma unroll
        for (int u = 0; u < 4; ++u) {
            const unsigned int first = next + u * 128;
            if (first + 4 <= reduced) {
                const int p1 = first;
                const unsigned int i = static_cast<unsigned int>(p0) * int(at.word[2]) + p1;
                v_x0[u] = load_f32x4(x0 + i);
            }
        }
        #pragma unroll
        for (int u = 0; u < 4; ++u) {
            const unsigned int first = next + u * 128;
            if (first + 4 <= reduced) {
                const int p1 = first;
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    float one_y0;
                    body(v_x0[u].v[k], one_y0);
                    accumulators one;
                    one.s0 = one_y0;
                    part[k] = combine(part[k], one);
                }
            }
        }
    }
    const unsigned int vectors = reduced / 4;
    const unsigned int rest = vectors * 4;
    if (rest < reduced && lane == vectors % 32) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = rest + k;
            if (first < reduced) {
                const int p1 = first;
                const unsigned int i = static_cast<unsigned int>(p0) * int(at.word[2]) + p1;
                float one_y0;
                body(x0[i], one_y0);
                accumulators one;
                one.s0 = one_y0;
                part[k] = combine(part[k], one);
            }
        }
    }
    accumulators mine = combine(combine(part[0], part[1]), combine(part[2], part[3]));
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine = combine(mine, shuffle_down(mine, apart));
    if (lane == 0 && is_there) y0[value] = finish_0(mine.s0, reduced);
}
