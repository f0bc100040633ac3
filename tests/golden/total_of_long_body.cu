// min(bfloat16((((((((((((((((((((((((((((((((((((((... * x0) + s1) * x0) + s2) * x0) + s3) * x0) + s4) * x0) + s5) * x0) + s6) * x0) + s7) * x0) + s8) * x0) + s9) * x0) + s10) * x0) + s11) * x0) + s12) * x0) + s13) * x0) + s14) * x0) + s15) * x0) + s16) * x0) + s17) * x0) + s18) * x0) + s19))
// ... shared/types.cu: u16, u32
// ... shared/helpers.cu: bits_of, float_of, rounded, shuffle_down, is_last_of, wait_for_earlier_kernels, bf16, bits16_of, f32_from_bf16, bf16_from_f32, bf16_is_next_less
// ... shared/accumulators.cu: min_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, kiln_min_of_mul20_add20_cast_bf16_v4_axes1
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    // ... as in total
    for (unsigned int next = begin + lane * 4; next < end; next += 1024) {
        f32x4 v_x0[1];
        const unsigned int first = next;
        // ... as in total
            v_x0[0] = load_f32x4(x0 + i);
        }
        const unsigned int first2 = next;
        if (first2 + 4 <= end) {
            const int p0 = first2;
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                bf16 one_y0;
                body(v_x0[0].v[k], s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17, s18, s19, one_y0);
                // ... as in rows
    // ... as in total
        #pragma unroll 1
        for (int k = 0; k < 3; ++k) {
            // ... as in rows
            if (first >= end) break;
            // ... as in total
            bf16 one_y0;
            body(x0[i], s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17, s18, s19, one_y0);
            // ... as in rows
            #pragma unroll
            for (int each = 0; each < 3; ++each) {
                if (each == k) part[each] = combine(part[each], one);
            // ... as in total
