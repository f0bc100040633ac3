// (where(index0 == i64(0ll), x0, s0) + where(index1 == i64(0ll), x1, s1) + where(index2 == i64(0ll), x2, s2) + where(index3 == i64(0ll), x3, s3) + where(..., x4, s4)) - x5
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/heads.cu: layout, kiln_eq5_where5_add4_sub_f32_stencil_axes2_rows
// ... shared/indices.cu: clamp_index, outside_index, least_index, divide
// ... shared/bodies.cu: body

    // ... as in stencil
    const int p0 = first_row;
    const bool inside = p0 >= 1 && p0 + 9 < int(at.word[1]) && p1 >= 1 && p1 + 1 < int(at.word[2]);
    if (inside) {
        const int at_first = p0 * int(at.word[2]) + p1;
        float near_x0[9];
        #pragma unroll
        for (int r = 0; r < 9; ++r) near_x0[r] = x0[at_first + (r + -1) * extent + -1];
        float near_x1[11];
        #pragma unroll
        for (int r = 0; r < 11; ++r) near_x1[r] = x0[at_first + (r + -1) * extent];
        float near_x2[8];
        #pragma unroll
        for (int r = 0; r < 8; ++r) near_x2[r] = x0[at_first + (r + -1) * extent + 1];
        // ... as in stencil
            const int p02 = row;
            const unsigned int i = row * extent + p1;
            body(0, near_x0[k], 0, near_x1[k], 0, near_x2[k], 0, near_x0[k + 1], 0, near_x1[k + 3], near_x1[k + 1], s0, s1, s2, s3, s4, y0[i]);
        }
    } else {
        #pragma unroll 1
        for (unsigned int row = first_row; row < least_index(rows, first_row + 8); ++row) {
            const int p02 = row;
            const unsigned int i = row * extent + p1;
            const int index0_0 = outside_index(p02 + -1, int(at.word[1]));
            const int index0_1 = outside_index(p1 + -1, int(at.word[2]));
            const int at_index0 = index0_0 + index0_1;
            const int x0_0 = clamp_index(p02 + -1, int(at.word[1]));
            const int x0_1 = clamp_index(p1 + -1, int(at.word[2]));
            const int at_x0 = x0_0 * int(at.word[2]) + x0_1;
            const int index1_0 = outside_index(p02 + -1, int(at.word[1]));
            const int at_index1 = index1_0;
            const int x1_0 = clamp_index(p02 + -1, int(at.word[1]));
            const int at_x1 = x1_0 * int(at.word[2]) + p1;
            const int index2_0 = outside_index(p02 + -1, int(at.word[1]));
            const int index2_1 = outside_index(p1 + 1, int(at.word[2]));
            const int at_index2 = index2_0 + index2_1;
            const int x2_0 = clamp_index(p02 + -1, int(at.word[1]));
            const int x2_1 = clamp_index(p1 + 1, int(at.word[2]));
            const int at_x2 = x2_0 * int(at.word[2]) + x2_1;
            const int index3_1 = outside_index(p1 + -1, int(at.word[2]));
            const int at_index3 = index3_1;
            const int x3_1 = clamp_index(p1 + -1, int(at.word[2]));
            const int at_x3 = p02 * int(at.word[2]) + x3_1;
            const int index4_0 = outside_index(p02 + 2, int(at.word[1]));
            const int at_index4 = index4_0;
            const int x4_0 = clamp_index(p02 + 2, int(at.word[1]));
            const int at_x4 = x4_0 * int(at.word[2]) + p1;
            body(index0 + at_index0, x0[at_x0], index1 + at_index1, x1[at_x1], index2 + at_index2, x2[at_x2], index3 + at_index3, x3[at_x3], index4 + at_index4, x4[at_x4], x5[i], s0, s1, s2, s3, s4, y0[i]);
        }
    }
}
