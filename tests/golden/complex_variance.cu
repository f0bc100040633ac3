// float64(squares_about_mean(imag(x0))), float64(squares_about_mean(real(x0)))
// ... shared/types.cu: u32
// ... shared/helpers.cu: shuffle_down, is_last_of, wait_for_earlier_kernels, complex, c64, moments, moments_of_none, moments_next, count_of_moments, with_count, moments_of_two, product_lost, squares_about_mean, squares_of_moments
// ... shared/accumulators.cu: finish_0, finish_1, accumulators, identity, combine, append
// ... shared/vectors.cu: c64x4, load_c64x4
// ... shared/heads.cu: layout, kiln_squares_about_mean_squares_about_mean_of_imag_real_f64_v4_axes1
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    // ... as in total
        c64x4 v_x0[2];
        // ... as in total
                v_x0[u] = load_c64x4(x0 + i);
            // ... as in variances
