// mean(x0 * x1)
// ... shared/types.host.cc: i64
// ... shared/accumulators.host.cc: mean_of, finish_0, identity_0, combine_0
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_mean_of_mul_f32_axes2_rows_in_lanes

    (void)library;
    const i64 reduced = at[2];
    // ... as in softmax
            alignas(64) float lanes_0[16];
            for (int lane = 0; lane < 16; ++lane) lanes_0[lane] = identity_0();
            const i64 at_x1 = 0;
            // ... as in layer_norm
                    float y02;
                    body(x0[row + (first + lane)], x1[at_x1 + (first + lane)], y02);
                    lanes_0[lane] = combine_0(lanes_0[lane], y02);
                }
            }
            #pragma GCC ivdep
            for (i64 i = whole; i < piece_end; ++i) {
                float y02;
                body(x0[row + i], x1[at_x1 + i], y02);
                lanes_0[i - whole] = combine_0(lanes_0[i - whole], y02);
            }
            for (int lane = 0; lane < 8; ++lane) lanes_0[lane] = combine_0(lanes_0[lane], lanes_0[lane + 8]);
            for (int lane = 0; lane < 4; ++lane) lanes_0[lane] = combine_0(lanes_0[lane], lanes_0[lane + 4]);
            for (int lane = 0; lane < 2; ++lane) lanes_0[lane] = combine_0(lanes_0[lane], lanes_0[lane + 2]);
            for (int lane = 0; lane < 1; ++lane) lanes_0[lane] = combine_0(lanes_0[lane], lanes_0[lane + 1]);
            all_0 = combine_0(all_0, lanes_0[0]);
        }
        y0[value] = finish_0(all_0, reduced);
        p0 = p0 + 1;
    }
}
