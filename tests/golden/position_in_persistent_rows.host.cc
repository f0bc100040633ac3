// x0 * float32(argmax(x0))
// ... shared/types.host.cc: i64
// ... shared/accumulators.host.cc: found_f32, argmax_of, argmax_next, finish_0, identity_0, run_0
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: row_1, element_1
// ... shared/heads.host.cc: kiln_argmax_cast_mul_f32_axes2_persistent

    // ... as in variance_in_persistent_rows
        found_f32 all_0 = identity_0();
        // ... as in softmax
        const i64 t0 = finish_0(all_0, reduced);
        float t1;
        row_1(t0, t1);
        #pragma GCC ivdep
        for (i64 i = 0; i < reduced; ++i) element_1(x0[row + i], t1, y0[row + i]);
        p0 = p0 + 1;
    }
}
