// prod(x0)
// ... shared/types.cu: u32
// ... shared/helpers.cu: rounded, is_last_of, wait_for_earlier_kernels, complex, c64, complex_of, complex_mul
// ... shared/accumulators.cu: prod_of, finish_0, accumulators, identity, combine
// ... shared/heads.cu: layout, kiln_prod_c64_axes2
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    __shared__ accumulators shared[352];
    // ... as in columns
    const int lane = thread / 44;
    // ... as in rows
    const unsigned int wanted = group * 44 + thread % 44;
    // ... as in rows
    // ... as in columns
    accumulators part[1];
    part[0] = identity();
    #pragma unroll 1
    for (unsigned int next = begin + lane; next < end; next += 64) {
        c64 v_x0[8];
        const unsigned int last = next + 56;
        if (last < end) {
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                // ... as in columns
                v_x0[u] = x0[i];
            }
        } else {
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                // ... as in columns
                    v_x0[u] = x0[i];
                }
            }
        }
        #pragma unroll
        for (int u = 0; u < 8; ++u) {
            // ... as in columns
                c64 one_y0;
                body(v_x0[u], one_y0);
                // ... as in rows
                part[0] = combine(part[0], one);
            }
        }
    }
    shared[thread] = part[0];
    // ... as in columns
            part[0] = combine(part[0], shared[thread + apart * 44]);
            shared[thread] = part[0];
        }
    }
    __syncthreads();
    if (lane == 0 && is_there) workspace[split * kept + value] = part[0];
    // ... as in columns
    part[0] = identity();
    // ... as in columns
        // ... as in total
            // ... as in columns
            // ... as in total
            // ... as in columns
            if (split2 < splits) part[0] = combine(part[0], other[u]);
        }
    }
    shared[thread] = part[0];
    // ... as in columns
            part[0] = combine(part[0], shared[thread + apart * 44]);
            shared[thread] = part[0];
        }
    }
    __syncthreads();
    if (thread == 0) counters[group] = 0;
    if (lane == 0 && is_there) y0[value] = finish_0(part[0].s0, reduced);
}
