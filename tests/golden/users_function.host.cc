// lennard_jones(x0)
// ... shared/types.host.cc: i64
// ... shared/helpers.host.cc: store_nontemporal
// ... shared/users.host.cc: __device__, __forceinline__, kiln_promoted, pow, #pragma, #line, #, user_sixth, user0_lennard_jones
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body
// ... shared/heads.host.cc: kiln_lennard_jones_f32

    // ... as in contiguous
