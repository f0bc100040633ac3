// float16(float32(x0) - max(float32(x0)))
// ... shared/helpers.cu: across, shuffle, shuffle_down, wait_for_earlier_kernels, f16, bits16_of, f32_from_f16, anew, f16_from_f32
// ... shared/accumulators.cu: max_of, finish_0, accumulators_0, identity_0, combine
// ... shared/vectors.cu: f16x4, load_f16x4, store
// ... shared/heads.cu: layout, kiln_cast2_max_sub_f16_axes2_persistent48
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: element_0, element_1

    // ... as in skewed_rows
    const unsigned int i2 = static_cast<unsigned int>(p0) * int(at.word[2]) + p12;
    // ... as in skewed_rows
            f16x4 v_y0;
            // ... as in skewed_rows
                    const int p13 = first;
                    f16 t3;
                    element_1(anew(row_x0[u * 4 + k]), t1, t3);
                    v_y0.v[k] = t3;
                }
            }
            const int first = vector;
            // ... as in skewed_rows
            const int end_y0 = first - skew_y0 + 4;
            // ... as in skewed_rows
                [](const int end_y0, const int count_y0, const int first_part_y0, const int alone_y0, const int first, const int begin_y0, const int u, const f16x4 mine_y0, f16* y0) __noinline__ {
                    // ... as in skewed_rows
                    if (((elements & 1) > 0) & (first < count_y0)) y0[begin_y0 + u * 2048] = mine_y0.v[0];
                    if (((elements & 2) > 0) & (first + 1 < count_y0)) y0[begin_y0 + (u * 2048 + 1)] = mine_y0.v[1];
                    if (((elements & 4) > 0) & (first + 2 < count_y0)) y0[begin_y0 + (u * 2048 + 2)] = mine_y0.v[2];
                    if (((elements & 8) > 0) & (first + 3 < count_y0)) y0[begin_y0 + (u * 2048 + 3)] = mine_y0.v[3];
                }(end_y0, count_y0, first_part_y0, alone_y0, first, begin_y0, u, mine_y0, y0);
            // ... as in skewed_rows
