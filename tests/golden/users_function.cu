// lennard_jones(x0)
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/users.cu: #line, #, user_sixth, user0_lennard_jones
// ... shared/vectors.cu: f32x4, load_f32x4, store
// ... shared/bodies.cu: body
// ... shared/heads.cu: kiln_lennard_jones_f32_v4

    // ... as in contiguous
