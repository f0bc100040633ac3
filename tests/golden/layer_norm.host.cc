// ((float32(x0) - mean(float32(x0))) * rsqrt(mean(square(float32(x0) - mean(float32(x0)))) + s0)) * x1
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: store_nontemporal, f16
// ... shared/library.host.cc: block_widen_f16
// ... shared/accumulators.host.cc: mean_of, finish_0, finish_1, identity_0, run_0, identity_1, combine_1
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: element_1, row_2, element_2
// ... shared/heads.host.cc: kiln_cast_mean2_sub_square_add_rsqrt_mul2_f32_axes2_persistent

    // ... as in softmax
        reinterpret_cast<void* (*)(i64)>(const_cast<void*>(library[63]))(room * 8));
    float* const row_t0 = reinterpret_cast<float*>(memory + room * 0);
    float* const row_t2 = reinterpret_cast<float*>(memory + room * 4);
    // ... as in softmax
            block_widen_f16(library, x0 + (row + piece), row_t0 + piece, piece_end - piece);
            all_0 = run_0(all_0, row_t0 + piece, piece_end - piece, piece, library);
        }
        const float t1 = finish_0(all_0, reduced);
        // ... as in softmax
            alignas(64) float lanes_1[16];
            for (int lane = 0; lane < 16; ++lane) lanes_1[lane] = identity_1();
            const i64 whole = piece_end - (piece_end - piece) % 16;
            for (i64 first = piece; first < whole; first += 16) {
                #pragma GCC ivdep
                #pragma GCC unroll 1
                for (int lane = 0; lane < 16; ++lane) {
                    float t3;
                    element_1(row_t0[first + lane], t1, row_t2[first + lane], t3);
                    lanes_1[lane] = combine_1(lanes_1[lane], t3);
                }
            }
            #pragma GCC ivdep
            for (i64 i = whole; i < piece_end; ++i) {
                float t3;
                element_1(row_t0[i], t1, row_t2[i], t3);
                lanes_1[i - whole] = combine_1(lanes_1[i - whole], t3);
            }
            for (int lane = 0; lane < 8; ++lane) lanes_1[lane] = combine_1(lanes_1[lane], lanes_1[lane + 8]);
            for (int lane = 0; lane < 4; ++lane) lanes_1[lane] = combine_1(lanes_1[lane], lanes_1[lane + 4]);
            for (int lane = 0; lane < 2; ++lane) lanes_1[lane] = combine_1(lanes_1[lane], lanes_1[lane + 2]);
            for (int lane = 0; lane < 1; ++lane) lanes_1[lane] = combine_1(lanes_1[lane], lanes_1[lane + 1]);
            all_1 = combine_1(all_1, lanes_1[0]);
        }
        const float t4 = finish_1(all_1, reduced);
        float t6;
        row_2(s0, t4, t6);
        const i64 at_x1 = 0;
        // ... as in softmax
            for (i64 i = next; i < stop; ++i) element_2(x1[at_x1 + i], row_t2[i], t6, y0[row + i]);
            // ... as in softmax
                alignas(64) float line_t8[16];
                // ... as in contiguous
                    element_2(x1[at_x1 + i], row_t2[i], t6, line_t8[j]);
                }
                store_nontemporal(y0 + (row + first_of_line), line_t8, 64);
            }
            next = lines_end;
            stop = reduced;
        }
        p0 = p0 + 1;
    }
}
