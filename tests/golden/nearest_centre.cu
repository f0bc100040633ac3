// argmin(sum(square(x0 - x1)))
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/accumulators.cu: found_f32, argmin_of, argmin_next_until_nan, sum_of, finish_0, finish_1, accumulators, identity, combine, append, accumulators_0, identity_0
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, kiln_argmin_of_sub_square_sum_i64_v4_axes3_values2_nested8
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: element_of_row

    __shared__ __align__(16) float shared_x1[512];
    // ... as in interleaved
    // ... as in finished_distances
    const unsigned int wanted = (block * 256 + thread / 1) * 2;
    // ... as in shared_rows
    accumulators mine[2];
    #pragma unroll
    for (int v = 0; v < 2; ++v) mine[v] = identity();
    float v_x0[16];
    // ... as in shared_rows
        const int e = 0;
        const int at_x0 = p02 * int(at.word[12]) + e;
        #pragma unroll
        for (int vector = 0; vector < 2; ++vector) {
            const f32x4 loaded = load_f32x4(x0 + (at_x0 + vector * 4));
            #pragma unroll
            for (int k = 0; k < 4; ++k) v_x0[v * 8 + vector * 4 + k] = loaded.v[k];
        }
    }
    #pragma unroll 1
    for (unsigned int first = 0; first < reduced; first += 64) {
        const unsigned int end = least_index(first + 64, reduced);
        __syncthreads();
        const unsigned int there = (end - first) * 8;
        #pragma unroll 1
        for (unsigned int nth = thread; nth < there; nth += 256) {
            const unsigned int next = first + nth / 8;
            const int p1 = next;
            const int e = nth % 8;
            const int at_x1 = p1 * int(at.word[13]) + e;
            shared_x1[nth] = x1[at_x1];
        }
        __syncthreads();
        #pragma unroll 4
        for (unsigned int nth = 0; nth < end - first; ++nth) {
            const unsigned int next = first + nth;
            float v_x1[8];
            const int p1 = next;
            const int begin = nth * 8;
            #pragma unroll
            for (int vector = 0; vector < 2; ++vector) {
                const f32x4 loaded = reinterpret_cast<const f32x4&>(shared_x1[begin + vector * 4]);
                #pragma unroll
                for (int k = 0; k < 4; ++k) v_x1[vector * 4 + k] = loaded.v[k];
            }
            #pragma unroll
            for (int v = 0; v < 2; ++v) {
                accumulators_0 part[4];
                #pragma unroll
                for (int k = 0; k < 4; ++k) part[k] = identity_0();
                #pragma unroll
                for (int e = 0; e < 8; ++e) {
                    float t;
                    element_of_row(v_x0[v * 8 + e], v_x1[e], t);
                    accumulators_0 one;
                    one.s1 = t;
                    part[e / 4 % 1 * 4 + e % 4] = combine(part[e / 4 % 1 * 4 + e % 4], one);
                }
                accumulators_0 row[1];
                row[0] = combine(combine(part[0], part[1]), combine(part[2], part[3]));
                const float r0 = finish_1(row[0].s1, 8);
                accumulators one;
                one.s0.value = r0;
                one.s0.at = next;
                mine[v] = append(mine[v], one);
            }
        }
    }
    #pragma unroll
    for (int v = 0; v < 2; ++v) {
        if (!(mine[v].s0.value == mine[v].s0.value)) {
            const unsigned int first_nan = [](const unsigned int reduced, const unsigned int value, const int v, const unsigned int kept, const float* x0, const float* x1, const layout& at) __noinline__ {
                unsigned int nan = 0;
                #pragma unroll 1
                for (unsigned int next = 0; next < reduced; ++next) {
                    // ... as in shared_rows
                    const int p1 = next;
                    float v_x02[8];
                    const int e = 0;
                    const int at_x0 = p02 * int(at.word[12]) + e;
                    #pragma unroll
                    for (int vector = 0; vector < 2; ++vector) {
                        const f32x4 loaded = load_f32x4(x0 + (at_x0 + vector * 4));
                        #pragma unroll
                        for (int k = 0; k < 4; ++k) v_x02[vector * 4 + k] = loaded.v[k];
                    }
                    float v_x1[8];
                    const int e2 = 0;
                    const int at_x1 = p1 * int(at.word[13]) + e2;
                    #pragma unroll
                    for (int vector = 0; vector < 2; ++vector) {
                        const f32x4 loaded = load_f32x4(x1 + (at_x1 + vector * 4));
                        #pragma unroll
                        for (int k = 0; k < 4; ++k) v_x1[vector * 4 + k] = loaded.v[k];
                    }
                    accumulators_0 part[4];
                    #pragma unroll
                    for (int k = 0; k < 4; ++k) part[k] = identity_0();
                    #pragma unroll
                    for (int e3 = 0; e3 < 8; ++e3) {
                        float t;
                        element_of_row(v_x02[e3], v_x1[e3], t);
                        accumulators_0 one;
                        one.s1 = t;
                        part[e3 / 4 % 1 * 4 + e3 % 4] = combine(part[e3 / 4 % 1 * 4 + e3 % 4], one);
                    }
                    accumulators_0 row[1];
                    row[0] = combine(combine(part[0], part[1]), combine(part[2], part[3]));
                    const float r0 = finish_1(row[0].s1, 8);
                    if (!(r0 == r0)) {
                        nan = next;
                        break;
                    }
                }
                return nan;
            }(reduced, value, v, kept, x0, x1, at);
            mine[v].s0.at = first_nan;
        }
    }
    if (is_there) {
        // ... as in shared_rows
