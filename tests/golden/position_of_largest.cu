// argmax(x0)
// ... shared/types.cu: i64
// ... shared/helpers.cu: shuffle_down, wait_for_earlier_kernels
// ... shared/accumulators.cu: found_f32, argmax_of, argmax_next, finish_0, accumulators, identity, combine, append
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, kiln_argmax_i64_v4_free32_axes2
// ... shared/bodies.cu: body

    // ... as in rows
    const unsigned int start = lane * 4;
    #pragma unroll 1
    for (unsigned int next = start; next < reduced; next += 512) {
        // ... as in rows
                    one.s0.value = one_y0;
                    one.s0.at = first + k;
                    part[k] = append(part[k], one);
                }
            // ... as in rows
