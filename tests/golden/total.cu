// max(x0)
// ... shared/types.cu: u32
// ... shared/helpers.cu: shuffle_down, is_last_of, wait_for_earlier_kernels
// ... shared/accumulators.cu: max_of, finish_0, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, load_f32x4
// ... shared/heads.cu: layout, kiln_max_f32_v4_axes1
// ... shared/indices.cu: divide
// ... shared/bodies.cu: body

    // ... as in rows
    __shared__ bool is_last[1];
    // ... as in contiguous
    const unsigned int splits = at.word[3];
    const unsigned int group = divide(block, at.word[4]);
    const unsigned int split = block - group * splits;
    const int lane = thread % 256;
    const unsigned int kept = at.word[5];
    const unsigned int reduced = at.word[6];
    const unsigned int wanted = group + thread / 256;
    // ... as in rows
    const unsigned int part_of_split = at.word[7];
    const unsigned int begin = split * part_of_split;
    const unsigned int end = split + 1 == splits ? reduced : begin + part_of_split;
    // ... as in rows
    for (unsigned int next = begin + lane * 4; next < end; next += 2048) {
        f32x4 v_x0[2];
        #pragma unroll
        for (int u = 0; u < 2; ++u) {
            const unsigned int first = next + u * 1024;
            if (first + 4 <= end) {
                const int p0 = first;
                const unsigned int i = static_cast<unsigned int>(p0);
                v_x0[u] = load_f32x4(x0 + i);
            }
        }
        #pragma unroll
        for (int u = 0; u < 2; ++u) {
            const unsigned int first = next + u * 1024;
            if (first + 4 <= end) {
                const int p0 = first;
                // ... as in rows
    const unsigned int vectors = (end - begin) / 4;
    const unsigned int rest = begin + vectors * 4;
    if (rest < end && lane == vectors % 256) {
        // ... as in rows
            if (first < end) {
                const int p0 = first;
                const unsigned int i = static_cast<unsigned int>(p0);
                // ... as in rows
    if (thread % 32 == 0) shared[thread / 32] = mine;
    __syncthreads();
    mine = shared[thread / 256 * 8 + thread % 8];
    #pragma unroll
    for (int apart = 4; apart > 0; apart /= 2) mine = combine(mine, shuffle_down(mine, apart));
    if (lane == 0 && is_there) workspace[split * kept + value] = mine;
    if (thread == 0) is_last[0] = is_last_of(splits, counters + group);
    __syncthreads();
    if (!is_last[0]) return;
    mine = identity();
    for (unsigned int next = lane; next < splits; next += 2048) {
        accumulators other[8];
        #pragma unroll
        for (int u = 0; u < 8; ++u) {
            const unsigned int split2 = next + u * 256;
            if (split2 < splits) other[u] = workspace[split2 * kept + value];
        }
        #pragma unroll
        for (int u = 0; u < 8; ++u) {
            const unsigned int split2 = next + u * 256;
            if (split2 < splits) mine = combine(mine, other[u]);
        }
    }
    // ... as in rows
    if (thread % 32 == 0) shared[thread / 32] = mine;
    __syncthreads();
    mine = shared[thread / 256 * 8 + thread % 8];
    #pragma unroll
    for (int apart = 4; apart > 0; apart /= 2) mine = combine(mine, shuffle_down(mine, apart));
    if (thread == 0) counters[group] = 0;
    // ... as in rows
