// dot(x0 * x1)
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies
// ... shared/accumulators.cu: dot_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, store
// ... shared/heads.cu: layout, kiln_dot_of_mul_f32_axes3_contraction64x64
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: body

    // ... as in finished_product_of_floats
    accumulators part[32];
    #pragma unroll
    for (int v = 0; v < 32; ++v) part[v] = identity();
    // ... as in finished_product_of_floats
                        float one_y0;
                        body(v_x0[r].v[k], v_x1[c / 4].v[c % 4], one_y0);
                        // ... as in contraction
        // ... as in finished_product_of_floats
                // ... as in contraction_copied
