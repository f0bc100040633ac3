// (x0 / x0) + (x0 % x0), (x0 << s0) / popcount(x0), uint8(min(x1, s1))
// ... shared/types.host.cc: u8, u32, i64
// ... shared/helpers.host.cc: bits_of, float_of, double_of, rounded, saturated_unsigned, store_nontemporal
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_div2_rem_add_shift_left_popcount_min_cast_i32

    const bool nontemporal = library[62] && ((i64)y0 | (i64)y1 | (i64)y2) % 64 == 0;
    // ... as in several_outputs
        for (i64 i = next; i < stop; ++i) body(x0[i], x1[i], s0, s1, y0[i], y1[i], y2[i]);
        // ... as in several_outputs
            alignas(64) int line_y0[64];
            alignas(64) int line_y1[64];
            alignas(64) u8 line_y2[64];
            // ... as in several_outputs
                body(x0[i], x1[i], s0, s1, line_y0[j], line_y1[j], line_y2[j]);
            }
            store_nontemporal(y0 + first_of_line, line_y0, 256);
            store_nontemporal(y1 + first_of_line, line_y1, 256);
            store_nontemporal(y2 + first_of_line, line_y2, 64);
        }
        next = lines_end;
        stop = end;
    }
}
