// float16(float32(x0) - max(float32(x0)))
// ... shared/helpers.cu: shuffle, shuffle_down, wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, f16, bits16_of, f32_from_f16, f16_from_f32
// ... shared/accumulators.cu: max_of, finish_0, accumulators_0, identity_0, combine
// ... shared/heads.cu: layout, kiln_cast2_max_sub_f16_axes2_persistent48
// ... shared/bodies.cu: element_anew_0, element_anew_1

    // ... as in finished_product_of_floats
    // ... as in skewed_rows
    f16* const slots0 = reinterpret_cast<f16*>(dynamic_shared + 0);
    // ... as in skewed_rows
    // ... as in rows_by_neighbours
    const int p12 = 0;
    const unsigned int i2 = static_cast<unsigned int>(p0) * int(at.word[2]) + p12;
    const int row = i2;
    const int skew_x0 = int(reinterpret_cast<unsigned long long>(x0 + row) % 16 / 2);
    const int count_x0 = reduced;
    const int head_x0 = (8 - skew_x0) & 7;
    const int tail_x0 = ((count_x0 + skew_x0) & -8) - skew_x0;
    if (lane < head_x0) slots0[skew_x0 + lane] = x0[row + lane];
    if (lane < count_x0 - tail_x0) slots0[skew_x0 + (tail_x0 + lane)] = x0[row + (tail_x0 + lane)];
    #pragma unroll
    for (int u = 0; u < 7; ++u) {
        const int place = (lane + u * 512) * 8;
        const int first = place - skew_x0;
        if ((first >= 0) & (first < tail_x0)) {
            copy_async<16>(slots0 + place, x0 + (row + first));
        }
    }
    const int first_slot_x0 = skew_x0 + first_neighbour;
    commit_copies();
    // ... as in finished_distances
    wait_copies<0>();
    __syncthreads();
    #pragma unroll 2
    for (int u = 0; u < 8; ++u) {
        const unsigned int vector = first_neighbour + u * 2048;
        // ... as in rows_by_neighbours
            const f16 v_x0 = slots0[first_slot_x0 + (u * 2048 + k * 32)];
            float t0;
            element_anew_0(v_x0, t0);
            // ... as in rows_by_neighbours
    #pragma unroll 2
    for (int u = 8; u < 12; ++u) {
        const unsigned int vector = first_neighbour + u * 2048;
        // ... as in rows_by_neighbours
            if (first < reduced) {
                const f16 v_x0 = slots0[first_slot_x0 + (u * 2048 + k * 32)];
                float t0;
                element_anew_0(v_x0, t0);
                // ... as in rows_by_neighbours
    // ... as in skewed_rows
    #pragma unroll 2
    for (int u = 0; u < 8; ++u) {
        const unsigned int vector = first_neighbour + u * 2048;
        // ... as in rows_by_neighbours
            const int p13 = first;
            const f16 v_x0 = slots0[first_slot_x0 + (u * 2048 + k * 32)];
            f16 t3;
            element_anew_1(v_x0, t1, t3);
            made_y0[k] = t3;
        }
        // ... as in rows_by_neighbours
            const int p13 = first;
            y0[begin + (u * 2048 + k * 32)] = made_y0[k];
        }
    }
    #pragma unroll 2
    for (int u = 8; u < 12; ++u) {
        const unsigned int vector = first_neighbour + u * 2048;
        // ... as in rows_by_neighbours
            if (first < reduced) {
                const int p13 = first;
                const f16 v_x0 = slots0[first_slot_x0 + (u * 2048 + k * 32)];
                f16 t3;
                element_anew_1(v_x0, t1, t3);
                made_y0[k] = t3;
            }
        }
        // ... as in rows_by_neighbours
            if (first < reduced) {
                const int p13 = first;
                y0[begin + (u * 2048 + k * 32)] = made_y0[k];
            }
        }
    }
}
