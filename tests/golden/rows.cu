// sum(x0 * x0)
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_sum_of_mul_f32_v4_axes2
// ... shared/bodies.cu: body
// ... shared/block_reduce.cu: further_on, block_reduce

    __shared__ accumulators shared[8];
    const unsigned int group = blockIdx.x;
    const int lane = threadIdx.x % 32;
    const unsigned int kept = at.word[7];
    const unsigned int reduced = at.word[8];
    const bool is_there = group * 8 + threadIdx.x / 32 < kept;
    const unsigned int value = is_there ? group * 8 + threadIdx.x / 32 : kept - 1;
    const unsigned int begin = 0;
    const unsigned int end = reduced;
    const int p0 = value;
    accumulators part[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) part[k] = identity();
    #pragma unroll 1
    for (unsigned int next = begin + lane * 4; next < end; next += 512) {
        f32x4 v_x0[4];
        #pragma unroll
        for (int u = 0; u < 4; ++u) {
            const unsigned int first = next + u * 128;
            if (first + 4 <= end) {
                const int p1 = first;
                const unsigned int i = (static_cast<unsigned int>(p0) * int(at.word[2]) + p1);
                v_x0[u] = load_f32x4(x0 + i);
            }
        }
        #pragma unroll
        for (int u = 0; u < 4; ++u) {
            const unsigned int first = next + u * 128;
            if (first + 4 <= end) {
                const int p1 = first;
                const unsigned int i = (static_cast<unsigned int>(p0) * int(at.word[2]) + p1);
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    float one_y0;
                    body(v_x0[u].v[k], one_y0);
                    accumulators one; one.s0 = one_y0;
                    part[k] = combine(part[k], one);
                }
            }
        }
    }
    const unsigned int vectors = (end - begin) / 4;
    if (begin + vectors * 4 < end && lane == vectors % 32) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            const unsigned int first = begin + vectors * 4 + k;
            if (first < end) {
                const int p1 = first;
                const unsigned int i = (static_cast<unsigned int>(p0) * int(at.word[2]) + p1);
                float one_y0;
                body(x0[i], one_y0);
                accumulators one; one.s0 = one_y0;
                part[k] = combine(part[k], one);
            }
        }
    }
    accumulators mine[1] = {combine(combine(part[0], part[1]), combine(part[2], part[3]))};
    #pragma unroll
    for (int k = 0; k < 1; ++k) {
        mine[k] = block_reduce(mine[k], shared, lane);
    }
    if (lane == 0 && is_there) {
        y0[value] = finish_0(mine[0].s0, reduced);
    }
}
