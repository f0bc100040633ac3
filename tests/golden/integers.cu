// (x0 / x0) + (x0 % x0), (x0 << s0) / popcount(x0), uint8(min(x1, s1))
// ... shared/types.cu: u8, u32
// ... shared/helpers.cu: signed_quotient, signed_rest, CONVERTED, wait_for_earlier_kernels
// ... shared/vectors.cu: i32x4, load_i32x4, store, f32x4, load_f32x4, u8x4
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_div2_rem_add_shift_left_popcount_min_cast_i32_v4

    // ... as in contiguous
    i32x4 v_x0 = {};
    f32x4 v_x1 = {};
    // ... as in contiguous
        v_x0 = load_i32x4(x0 + first);
        v_x1 = load_f32x4(x1 + first);
    }
    i32x4 v_y0;
    i32x4 v_y1;
    u8x4 v_y2;
    // ... as in heavy
            v_x1.v[0] = x1[first + k];
        }
        int one_y0;
        int one_y1;
        u8 one_y2;
        body(v_x0.v[0], v_x1.v[0], s0, s1, one_y0, one_y1, one_y2);
        if (!whole) {
            y0[first + k] = one_y0;
            y1[first + k] = one_y1;
            y2[first + k] = one_y2;
        }
        #pragma unroll
        for (int j = 0; j < 3; ++j) {
            v_x0.v[j] = v_x0.v[j + 1];
            v_x1.v[j] = v_x1.v[j + 1];
            v_y0.v[j] = v_y0.v[j + 1];
            v_y1.v[j] = v_y1.v[j + 1];
            v_y2.v[j] = v_y2.v[j + 1];
        }
        v_y0.v[3] = one_y0;
        v_y1.v[3] = one_y1;
        v_y2.v[3] = one_y2;
    }
    // ... as in roots
    }
}
