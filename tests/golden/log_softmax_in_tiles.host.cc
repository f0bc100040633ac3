// (((x0 * x1) - max(x0 * x1)) - log(sum(exp((x0 * x1) - max(x0 * x1))))) + x2
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/library.host.cc: block_exp_f32, block_log_f32
// ... shared/accumulators.host.cc: max_of, sum_of, finish_0, finish_1, identity_0, rows_0, identity_1, rows_1
// ... shared/moves.host.cc: spread_rows_of_4, repeat_rows_of_4
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: element_0, element_1_0, element_1_1, element_2
// ... shared/heads.host.cc: kiln_mul_max_sub2_exp_sum_log_add_f32_axes2_persistent

    const i64 extent = at[2];
    const i64 rows_of_tile = 1024 / (extent * 4) * 4;
    alignas(64) float many_x1[1040];
    alignas(64) float many_x2[1040];
    alignas(64) float row_t0[1024];
    alignas(64) float row_t2[1024];
    alignas(64) float all_0[512];
    alignas(64) float rows_t1[512];
    alignas(64) float piece_t3[1024];
    alignas(64) float all_1[512];
    alignas(64) float rows_t4[512];
    alignas(64) float rows_t5[512];
    // ... as in contiguous
    for (i64 i = 0; i < extent; ++i) {
        const i64 at_x1 = i;
        many_x1[i] = x1[at_x1];
    }
    repeat_rows_of_4(library, many_x1, extent, rows_of_tile * extent);
    for (i64 first = begin; first < end; first += rows_of_tile) {
        const i64 rows = least_index(rows_of_tile, end - first);
        const i64 count = rows * extent;
        const i64 linear = first * extent;
        i64 p0 = first;
        // ... as in reshaped
            const i64 at_x2 = p0;
            spread_rows_of_4(library, many_x2 + row * extent, x2 + at_x2, run, extent, 1);
            p0 = p0 + run;
            row = row + run;
        }
        #pragma GCC ivdep
        for (i64 i = 0; i < count; ++i) element_0(x0[linear + i], many_x1[i], row_t0[i], library);
        rows_0(all_0, row_t0, rows, extent, library);
        #pragma GCC ivdep
        for (i64 k = 0; k < rows; ++k) rows_t1[k] = finish_0(all_0[k], extent);
        alignas(64) float many_t1[1040];
        spread_rows_of_4(library, many_t1, rows_t1, rows, extent, 1);
        // ... as in short_rows_of_any_length
            for (i64 j = 0; j < count2; ++j) element_1_0(row_t0[strip + j], many_t1[strip + j], buffer[j], library);
            // ... as in functions
            block_exp_f32(library, buffer, buffer2, count2);
            #pragma GCC ivdep
            for (i64 j = 0; j < count2; ++j) element_1_1(buffer[j], buffer2[j], row_t2[strip + j], piece_t3[strip + j], library);
        }
        rows_1(all_1, piece_t3, rows, extent, library);
        #pragma GCC ivdep
        for (i64 k = 0; k < rows; ++k) rows_t4[k] = finish_1(all_1[k], extent);
        for (i64 strip = 0; strip < rows; strip += 256) {
            const i64 count2 = least_index(rows - strip, 256);
            block_log_f32(library, rows_t4 + strip, rows_t5 + strip, count2);
        }
        alignas(64) float many_t5[1040];
        spread_rows_of_4(library, many_t5, rows_t5, rows, extent, 1);
        i64 stop = nontemporal ? least_index(count, (linear + 15) / 16 * 16 - linear) : count;
        for (i64 next = 0; next < count;) {
            #pragma GCC ivdep
            for (i64 i = next; i < stop; ++i) element_2(many_x2[i], row_t2[i], many_t5[i], y0[linear + i], library);
            // ... as in short_rows
                alignas(64) float line_t7[16];
                // ... as in contiguous
                    element_2(many_x2[i], row_t2[i], many_t5[i], line_t7[j], library);
                }
                store_nontemporal(y0 + (linear + first_of_line), line_t7, 64);
            }
            next = lines_end;
            stop = count;
        }
    }
}
