// variance of float32, of a split's lanes
// ... shared/helpers.cu: wait_for_earlier_kernels, moments, moments_of_none, moments_next, count_of_moments, with_count, moments_of_two, product_lost, squares_about_mean, squares_of_moments, variance_of_moments
// ... shared/accumulators.cu: finish_0, accumulators, identity, combine, append
// ... shared/heads.cu: kiln_variance_f32_column8_closed

    // ... as in rows
    // ... as in resumed_rows_closed
    const long long first = split % turns * 8 * kept + value;
    #pragma unroll 1
    for (long long turn = thread; turn < 8; turn += 256) shared[turn] = lanes[first + turn * kept];
    // ... as in resumed_rows_closed
            const long long left = turn / half * 8 + turn % half;
            // ... as in resumed_rows_closed
