// mean((sigmoid(sum(x0 * x1)) - x2) * x0)
// ... shared/types.host.cc: i64
// ... shared/library.host.cc: block_sigmoid_f32
// ... shared/accumulators.host.cc: sum_of, finish_1, identity_1, run_1
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: row_0_1, element_of_row, result_of_row
// ... shared/heads.host.cc: kiln_mean_of_mul2_sum_sigmoid_sub_f32_axes2_crossed

    const i64 extent = at[2];
    alignas(64) float to_reduce[1024];
    alignas(64) float reduced[256];
    alignas(64) float rows_x2[256];
    alignas(64) float made_of_row_0[256];
    const i64 end_row = end / extent;
    const i64 first_row = begin / extent;
    for (i64 first = first_row; first < end_row; first += 256) {
        const i64 count = least_index(end / extent - first, 256);
        i64 p0 = first;
        for (i64 row = 0; row < count; ++row) {
            const i64 linear = (first + row) * extent;
            const i64 at_x1 = 0;
            #pragma GCC ivdep
            for (i64 i = 0; i < extent; ++i) {
                float t;
                element_of_row(x0[linear + i], x1[at_x1 + i], t, library);
                to_reduce[i] = t;
            }
            float all = identity_1();
            all = run_1(all, to_reduce, extent, 0);
            const float r0 = finish_1(all, extent);
            reduced[row] = r0;
            const i64 at_x2 = p0;
            rows_x2[row] = x2[at_x2];
            p0 = p0 + 1;
        // ... as in short_rows_of_any_length
            block_sigmoid_f32(library, reduced + strip, buffer, count2);
            #pragma GCC ivdep
            for (i64 j = 0; j < count2; ++j) row_0_1(rows_x2[strip + j], buffer[j], made_of_row_0[strip + j], library);
        }
        i64 p02 = first;
        for (i64 again = 0; again < count; ++again) {
            const i64 linear = (first + again) * extent;
            const float of_row = made_of_row_0[again];
            #pragma GCC ivdep
            for (i64 i = 0; i < extent; ++i) {
                float t;
                result_of_row(x0[linear + i], of_row, t, library);
                y0[linear + i] = t;
            }
            p02 = p02 + 1;
        }
    }
}
