// argmax(x0)
// ... shared/types.cu: i64
// ... shared/accumulators.cu: found_f32, argmax_of, argmax_next, finish_0, accumulators, identity, combine, append
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, wait_for_earlier_kernels, kiln_argmax_i64_v4_axes2
// ... shared/bodies.cu: body
// ... shared/block_reduce.cu: further_on, block_reduce

    // ... as in rows
                    accumulators one; one.s0.value = one_y0; one.s0.at = first + k;
                    part[k] = append(part[k], one);
                // ... as in rows
                accumulators one; one.s0.value = one_y0; one.s0.at = first;
                part[k] = append(part[k], one);
            // ... as in rows
