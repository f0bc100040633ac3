// take(x1, int64(x0 - s0)) - mean(take(x1, int64(x0 - s0)))
// ... shared/types.cu: u32, i64
// ... shared/helpers.cu: shuffle, shuffle_down, wait_for_earlier_kernels
// ... shared/accumulators.cu: mean_of, finish_0, accumulators_0, identity_0, combine
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/heads.cu: layout, kiln_sub2_cast_take_mean_f32_v4_axes2_persistent24
// ... shared/users.cu: lookups
// ... shared/bodies.cu: element_1

    // ... as in rows_by_neighbours
    const int at_x0 = p0;
    const int v_x0 = x0[at_x0];
    i64 t1;
    lookups(v_x0, s0, t1);
    float row_t2[24];
    #pragma unroll
    for (int u = 0; u < 6; ++u) {
        // ... as in masked_softmax
        if (u < 5 || first < reduced) {
            const int p1 = first;
            const i64 from_first_t2_0 = t1 < 0 ? t1 + int(at.word[10]) : t1;
            const int t2_0 = static_cast<int>(from_first_t2_0 < 0 ? 0 : from_first_t2_0 < int(at.word[10]) ? from_first_t2_0 : int(at.word[10]) - 1);
            const int at_t2 = p1 + t2_0 * int(at.word[11]);
            const f32x4 v_t2 = load_f32x4(x1 + at_t2);
            #pragma unroll
            for (int k = 0; k < 4; ++k) row_t2[u * 4 + k] = v_t2.v[k];
        // ... as in finished_distances
    for (int u = 0; u < 6; ++u) {
        // ... as in masked_softmax
        if (u < 5 || first < reduced) {
            // ... as in softmax
                one.s0 = row_t2[u * 4 + k];
                // ... as in masked_softmax
    const float t3 = finish_0(mine_0.s0, reduced);
    #pragma unroll
    for (int u = 0; u < 6; ++u) {
        // ... as in masked_softmax
        if (u < 5 || first < reduced) {
            // ... as in softmax
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                float t4;
                element_1(row_t2[u * 4 + k], t3, t4);
                v_y0.v[k] = t4;
            }
            if (is_there) store(y0 + i, v_y0);
        }
    }
}
