// mean((x0 - s0) * x0)
// ... shared/types.host.cc: i64
// ... shared/accumulators.host.cc: mean_of, finish_0, identity_0, combine_0
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_mean_of_sub_mul_f32_parts_in_lanes

    (void)library;
    float all_0 = y0[0];
    for (i64 piece = begin; piece < end; piece += 2048) {
        const i64 piece_end = least_index(piece + 2048, end);
        // ... as in rows_in_lanes
                body(x0[first + lane], s0, y02);
                // ... as in rows_in_lanes
            body(x0[i], s0, y02);
            // ... as in rows_in_lanes
    y0[0] = all_0;
}
