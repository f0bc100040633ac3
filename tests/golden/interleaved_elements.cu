// ((float32(x0) / s0) * x1) - x2
// ... shared/types.cu: u8
// ... shared/helpers.cu: wait_for_earlier_kernels, quotient_by_positive_in_range, usual_quotient, quotient_by_scalar
// ... shared/vectors.cu: u8x4, load_u8x4, f32x4, store
// ... shared/heads.cu: layout, kiln_cast_div_mul_sub_f32_v3_axes2
// ... shared/indices.cu: least_index
// ... shared/bodies.cu: body

    // ... as in contiguous
    const unsigned int kept = int(at.word[1]);
    const unsigned int value = (block * 256 + thread) * 4;
    const bool is_there = value < kept;
    // ... as in interleaved
    f32x4 v_y0[3];
    // ... as in interleaved
        const int p0 = row;
        const int at_x2 = p0;
        const float of_row_x2 = x2[at_x2];
        #pragma unroll
        for (int e = 0; e < 3; ++e) body(v_x0[(r * 3 + e) / 4].v[(r * 3 + e) % 4], v_x1[e], of_row_x2, s0, v_y0[(r * 3 + e) / 4].v[(r * 3 + e) % 4]);
    }
    if (whole) {
        #pragma unroll
        for (int v = 0; v < 3; ++v) store(y0 + (value * 3 + v * 4), v_y0[v]);
    } else {
        #pragma unroll
        for (int f = 0; f < 9; ++f) {
            if (value + f / 3 < kept) y0[value * 3 + f] = v_y0[f / 4].v[f % 4];
        }
    }
}
