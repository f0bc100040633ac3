// x0 + s0, sum(x0 + s1)
// ... shared/helpers.cu: shuffle_down, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, finish_1, accumulators, identity, combine
// ... shared/vectors.cu: f64x4, load_f64x4, store
// ... shared/heads.cu: layout, kiln_sum_of_add2_f64_v4_axes2
// ... shared/bodies.cu: body

    // ... as in rows
        f64x4 v_x0[4];
        // ... as in rows
                v_x0[u] = load_f64x4(x0 + i);
            // ... as in rows
                f64x4 v_y0;
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    double one_y0;
                    double one_y1;
                    body(v_x0[u].v[k], s0, s1, one_y0, one_y1);
                    v_y0.v[k] = one_y0;
                    accumulators one;
                    // ... as in two_totals
                if (is_there) store(y0 + i, v_y0);
            // ... as in rows
                double one_y0;
                double one_y1;
                body(x0[i], s0, s1, one_y0, one_y1);
                if (is_there) y0[i] = one_y0;
                accumulators one;
                // ... as in two_totals
    if (lane == 0 && is_there) y1[value] = finish_1(mine.s1, reduced);
}
