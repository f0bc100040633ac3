// ((float32(x0) - mean(float32(x0))) * rsqrt(mean(square(float32(x0) - mean(float32(x0)))) + s0)) * x1
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: bits_of, float_of, f16, f32_from_f16
// ... shared/accumulators.host.cc: mean_of, finish_0, finish_1, identity_0, run_0, identity_1, run_1
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: element_0, element_1, row_2, element_2
// ... shared/heads.host.cc: kiln_cast_mean2_sub_square_add_rsqrt_mul2_f32_axes2_persistent

    // ... as in softmax
        reinterpret_cast<void* (*)(i64)>(const_cast<void*>(library[63]))(room * 8));
    float* const row_t0 = reinterpret_cast<float*>(memory + room * 0);
    float* const row_t2 = reinterpret_cast<float*>(memory + room * 4);
    alignas(64) float piece_t3[2048];
    // ... as in softmax
            #pragma GCC ivdep
            for (i64 i = piece; i < piece_end; ++i) element_0(x0[row + i], row_t0[i]);
            all_0 = run_0(all_0, row_t0 + piece, piece_end - piece, piece);
        }
        const float t1 = finish_0(all_0, reduced);
        // ... as in softmax
            #pragma GCC ivdep
            for (i64 i = piece; i < piece_end; ++i) element_1(row_t0[i], t1, row_t2[i], piece_t3[i - piece]);
            all_1 = run_1(all_1, piece_t3, piece_end - piece, piece);
        }
        const float t4 = finish_1(all_1, reduced);
        float t6;
        row_2(s0, t4, t6);
        const i64 at_x1 = 0;
        #pragma GCC ivdep
        for (i64 i = 0; i < reduced; ++i) element_2(x1[at_x1 + i], row_t2[i], t6, y0[row + i]);
        p0 = p0 + 1;
    }
}
