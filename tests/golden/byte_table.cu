// uint8(rint(pow(float32(x0) / s0, s1) * s2))
// ... shared/types.cu: u8
// ... shared/helpers.cu: CONVERTED, wait_for_earlier_kernels, quotient_by_positive_in_range, usual_quotient, quotient_by_scalar, power_of, f32_pow
// ... shared/vectors.cu: u8x16, load_u8x16, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_cast2_div_pow_mul_rint_u8_v16

    __shared__ u8 table_y0[256];
    // ... as in contiguous
    body(static_cast<u8>(thread), s0, s1, s2, table_y0[thread]);
    __syncthreads();
    // ... as in bytes_blended
    } else {
        u8x16 part_x0 = {};
        // ... as in float16
    // ... as in bytes_blended
    u8x16 v_y0;
    #pragma unroll
    for (int k = 0; k < 16; ++k) {
        const int entry = static_cast<int>(v_x0.v[k]) & 255;
        v_y0.v[k] = table_y0[entry];
    }
    // ... as in bytes_blended
