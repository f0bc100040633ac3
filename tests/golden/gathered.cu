// take(x1, int64(x0)) * s0
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/heads.cu: layout, kiln_cast_take_mul_f32_axes1
// ... shared/indices.cu: lookup_index
// ... shared/bodies.cu: body

    // ... as in from_outside
        // ... as in misaligned
            const int p0 = i;
            body(x0[i], x1, s0, at, p0, y0[i]);
        // ... as in from_outside
            const int p0 = i;
            body(x0[i], x1, s0, at, p0, y0[i]);
        }
    }
}
