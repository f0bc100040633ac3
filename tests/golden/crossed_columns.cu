// mean((sigmoid(sum(x0 * x1)) - x2) * x0)
// ... shared/types.cu: u32
// ... shared/helpers.cu: LIBRARY_exp, EXACT_fabs, shuffle, shuffle_down, is_last_of, wait_for_earlier_kernels, quotient_by_positive_in_range, logistic
// ... shared/accumulators.cu: mean_of, sum_of, finish_0, finish_1, accumulators, identity, combine, accumulators_0, identity_0
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/heads.cu: layout, kiln_mean_of_mul2_sum_sigmoid_sub_f32_v4_axes2_crossed
// ... shared/indices.cu: least_index, divide
// ... shared/bodies.cu: element_of_row, row_0, result_of_row

    __shared__ accumulators shared[64];
    // ... as in columns
    const int lane = thread / 8;
    // ... as in rows
    const unsigned int wanted = (group * 8 + thread % 8) * 4;
    // ... as in columns
    const int place = thread % 8;
    f32x4 v_x1[1];
    const int p0 = begin;
    const int at_x1 = p1;
    v_x1[0] = load_f32x4(x1 + at_x1);
    #pragma unroll 1
    for (unsigned int next = begin; next < end; next += 128) {
        const unsigned int mine = next + lane;
        f32x4 v_x0[16];
        float v_x2[16];
        #pragma unroll
        for (int u = 0; u < 16; ++u) {
            const unsigned int row = least_index(mine + u * 8, end - 1);
            const int p02 = row;
            const unsigned int i = static_cast<unsigned int>(p02) * int(at.word[2]) + p1;
            v_x0[u] = load_f32x4(x0 + i);
            const int p03 = row;
            const int at_x2 = p03;
            v_x2[u] = x2[at_x2];
        }
        #pragma unroll
        for (int group2 = 0; group2 < 2; ++group2) {
            const int own_row = place & 7;
            accumulators_0 all_of_own = identity_0();
            float own_x2 = v_x2[group2 * 8];
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                accumulators_0 own[4];
                accumulators_0 sum[4];
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    float t;
                    element_of_row(v_x0[group2 * 8 + u].v[k], v_x1[0].v[k], t);
                    accumulators_0 one;
                    one.s1 = t;
                    own[k] = one;
                    sum[k] = combine(identity_0(), own[k]);
                }
                const int giver = (thread + 30) & 31;
                const bool is_turn = place / 2 == 1;
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    const accumulators_0 before = shuffle(sum[k], giver);
                    const accumulators_0 after = combine(before, own[k]);
                    sum[k].s1 = is_turn ? is_there ? after.s1 : before.s1 : sum[k].s1;
                }
                const bool is_turn2 = place / 2 == 2;
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    const accumulators_0 before = shuffle(sum[k], giver);
                    const accumulators_0 after = combine(before, own[k]);
                    sum[k].s1 = is_turn2 ? is_there ? after.s1 : before.s1 : sum[k].s1;
                }
                const bool is_turn3 = place / 2 == 3;
                #pragma unroll
                for (int k = 0; k < 4; ++k) {
                    const accumulators_0 before = shuffle(sum[k], giver);
                    const accumulators_0 after = combine(before, own[k]);
                    sum[k].s1 = is_turn3 ? is_there ? after.s1 : before.s1 : sum[k].s1;
                }
                accumulators_0 all = combine(combine(sum[0], sum[1]), combine(sum[2], sum[3]));
                #pragma unroll
                for (int apart = 1; apart > 0; apart /= 2) all = combine(all, shuffle_down(all, apart));
                all = shuffle(all, (thread & 24) + 6);
                const bool is_own = own_row == u;
                all_of_own.s1 = is_own ? all.s1 : all_of_own.s1;
                own_x2 = is_own ? v_x2[group2 * 8 + u] : own_x2;
            }
            const float r0 = finish_1(all_of_own.s1, kept);
            float t;
            row_0(own_x2, r0, t);
            #pragma unroll
            for (int u = 0; u < 8; ++u) {
                const float given = shuffle(t, (thread & 24) + u);
                const unsigned int first = mine + (group2 * 8 + u) * 8;
                if (first < end) {
                    #pragma unroll
                    for (int k = 0; k < 4; ++k) {
                        float t2;
                        result_of_row(v_x0[group2 * 8 + u].v[k], given, t2);
                        accumulators one;
                        one.s0 = t2;
                        part[k] = combine(part[k], one);
                    }
                // ... as in columns
                part[k] = combine(part[k], shared[thread + apart * 8]);
                // ... as in columns
    for (unsigned int next = lane; next < splits; next += 128) {
        accumulators other[64];
        #pragma unroll
        for (int u = 0; u < 16; ++u) {
            // ... as in columns
        for (int u = 0; u < 16; ++u) {
            // ... as in columns
                part[k] = combine(part[k], shared[thread + apart * 8]);
                // ... as in columns
