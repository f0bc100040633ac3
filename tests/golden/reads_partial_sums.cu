// x0 * x1
// ... shared/helpers.cu: shuffle_down, wait_for_earlier_kernels
// ... shared/accumulators.cu: sum_of, accumulators_f32, identity_f32, combine
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/heads.cu: layout, kiln_mul_f32_v4_axes1
// ... shared/bodies.cu: body

    __shared__ accumulators_f32 warps_of_x1[8];
    // ... as in from_outside
    const int count_of_x1 = int(at.word[3]);
    const int lane_of_x1 = thread;
    accumulators_f32 first_of_x1 = identity_f32();
    if (lane_of_x1 < count_of_x1) first_of_x1.s0 = partial_sums_of_x1[lane_of_x1 + 64];
    accumulators_f32 second_of_x1 = identity_f32();
    if (lane_of_x1 + 256 < count_of_x1) second_of_x1.s0 = partial_sums_of_x1[lane_of_x1 + 320];
    accumulators_f32 mine_of_x1 = combine(first_of_x1, second_of_x1);
    #pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) mine_of_x1 = combine(mine_of_x1, shuffle_down(mine_of_x1, apart));
    if (lane_of_x1 % 32 == 0) warps_of_x1[lane_of_x1 / 32] = mine_of_x1;
    __syncthreads();
    const float sum_x1 = combine(combine(combine(warps_of_x1[0], warps_of_x1[4]), combine(warps_of_x1[2], warps_of_x1[6])), combine(combine(warps_of_x1[1], warps_of_x1[5]), combine(warps_of_x1[3], warps_of_x1[7]))).s0;
    // ... as in contiguous
    const int p0 = first;
    const int at_x1 = 0;
    f32x4 v_x0 = {};
    const float v_x1 = sum_x1;
    // ... as in contiguous
    for (int k = 0; k < 4; ++k) body(v_x0.v[k], v_x1, v_y0.v[k]);
    // ... as in contiguous
