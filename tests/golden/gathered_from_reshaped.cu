// take(x1, int64(x0))
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/heads.cu: layout, kiln_cast_take_f32_axes2
// ... shared/indices.cu: lookup_index, divide
// ... shared/bodies.cu: body

    // ... as in gathered
            // ... as in from_outside
            const int at_x0 = p1;
            body(x0[at_x0], x1, at, p0, p1, y0[i]);
        // ... as in from_outside
            const int at_x0 = p1;
            body(x0[at_x0], x1, at, p0, p1, y0[i]);
        }
    }
}
