// floor_mod(x0 / s0, s1) - floor_divide(x0, s2), x1 % s3, uint32(x0) / s4
// ... shared/types.cu: u32, u64, i64
// ... shared/helpers.cu: quotient_by_i32, quotient_by_u32, shift_of_divisor, quotient_by_i64, whole_rest, whole_quotient_downwards, whole_rest_downwards, wait_for_earlier_kernels
// ... shared/vectors.cu: i32x2, load_i32x2, store, i64x2, load_i64x2, u32x2
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_div2_floor_mod_floor_divide_sub_rem_cast_i32_v2

    // ... as in several_outputs
    i32x2 v_x0 = {};
    i64x2 v_x1 = {};
    // ... as in several_outputs
        v_x0 = load_i32x2(x0 + first);
        v_x1 = load_i64x2(x1 + first);
    } else {
        if (first < count) {
            v_x0.v[0] = x0[first];
            v_x1.v[0] = x1[first];
        }
    }
    i32x2 v_y0;
    i64x2 v_y1;
    u32x2 v_y2;
    #pragma unroll
    for (int k = 0; k < 2; ++k) body(v_x0.v[k], v_x1.v[k], s0, s1, s2, s3, s4, d0, d1, d2, d3, d4, v_y0.v[k], v_y1.v[k], v_y2.v[k]);
    // ... as in roots
        // ... as in several_outputs
            y2[first] = v_y2.v[0];
        }
    }
}
