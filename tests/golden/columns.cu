// sum(x0)
// ... shared/types.cu: u32
// ... shared/helpers.cu: is_last_of, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/heads.cu: layout, kiln_sum_f32_v4_axes2
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    __shared__ accumulators shared[256];
    // ... as in total
    const unsigned int splits = at.word[5];
    // ... as in stencil
    // ... as in total
    const int lane = thread / 32;
    // ... as in rows
    const unsigned int wanted = (group * 32 + thread % 32) * 4;
    // ... as in rows
    const unsigned int value = is_there ? wanted : kept - 4;
    const unsigned int part_of_split = at.word[9];
    // ... as in total
    const int p1 = value;
    // ... as in rows
    for (unsigned int next = begin + lane; next < end; next += 32) {
        f32x4 v_x0[4];
        const unsigned int last = next + 24;
        if (last < end) {
            #pragma unroll
            for (int u = 0; u < 4; ++u) {
                const unsigned int first = next + u * 8;
                const int p0 = first;
                // ... as in rows
        } else {
            #pragma unroll
            for (int u = 0; u < 4; ++u) {
                const unsigned int first = next + u * 8;
                // ... as in total
                    // ... as in rows
        }
        #pragma unroll
        for (int u = 0; u < 4; ++u) {
            const unsigned int first = next + u * 8;
            // ... as in total
                // ... as in rows
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
        shared[thread] = part[k];
        #pragma unroll
        for (int apart = 4; apart > 0; apart /= 2) {
            __syncthreads();
            if (lane < apart) {
                part[k] = combine(part[k], shared[thread + apart * 32]);
                shared[thread] = part[k];
            }
        }
        __syncthreads();
    }
    if (lane == 0 && is_there) {
        #pragma unroll
        for (int k = 0; k < 4; ++k) workspace[split * kept + value + k] = part[k];
    }
    __syncthreads();
    // ... as in total
    // ... as in rows
    for (unsigned int next = lane; next < splits; next += 64) {
        accumulators other[32];
        #pragma unroll
        for (int u = 0; u < 8; ++u) {
            const unsigned int split2 = next + u * 8;
            if (split2 < splits) {
                #pragma unroll
                for (int k = 0; k < 4; ++k) other[u * 4 + k] = workspace[split2 * kept + value + k];
            }
        }
        #pragma unroll
        for (int u = 0; u < 8; ++u) {
            const unsigned int split2 = next + u * 8;
            if (split2 < splits) {
                #pragma unroll
                for (int k = 0; k < 4; ++k) part[k] = combine(part[k], other[u * 4 + k]);
            }
        }
    }
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
        shared[thread] = part[k];
        #pragma unroll
        for (int apart = 4; apart > 0; apart /= 2) {
            __syncthreads();
            if (lane < apart) {
                part[k] = combine(part[k], shared[thread + apart * 32]);
                shared[thread] = part[k];
            }
        }
        __syncthreads();
    }
    // ... as in two_totals
        f32x4 v_y0;
        #pragma unroll
        for (int k = 0; k < 4; ++k) v_y0.v[k] = finish_0(part[k].s0, reduced);
        store(y0 + value, v_y0);
    }
}
