// float16((bfloat16(x0 * x1) * x2) + s0)
// ... shared/types.host.cc: i64
// ... shared/users.host.cc: __clang__, __AVX512F__, float, int, short
// ... shared/helpers.host.cc: float_of, rounded, store_nontemporal, f16, bf16, f32_from_bf16, vector_of, vector_from_f16, f16_from_vector, rounded_to_f16, bf16_above, cast_above, rounded_to_bf16, cast_to_bf16, load_f16, load_bf16, store_f16, copy_elements, block_from, block_to, finish_block, rest_from, rest_to, finish_rest
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: vector_body, block_body
// ... shared/heads.host.cc: kiln_mul2_cast2_add_f16

    // ... as in steps_of_float16
        // ... as in bytes_blended
