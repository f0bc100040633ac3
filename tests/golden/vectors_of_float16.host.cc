// bfloat16(clamp(fma(x0, x1, x2), x3, x0) * s0)
// ... shared/types.host.cc: i64
// ... shared/users.host.cc: __clang__, __AVX512F__, float, int, short
// ... shared/helpers.host.cc: bits_of, float_of, rounded, store_nontemporal, f16, bf16, f32_from_f16, clamped, vector_of, vector_from_f16, f16_from_vector, rounded_to_f16, odd_fma_vector, bf16_above, cast_above, load_f16, store_bf16, store_two_bf16, copy_elements, block_from, block_to, finish_block, rest_from, rest_to, finish_rest
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: vector_body, block_body
// ... shared/heads.host.cc: kiln_fma_clamp_mul_cast_bf16

    // ... as in steps_of_float16
        block_body(x0 + first_of_block, 1, x1 + first_of_block, 1, x2 + first_of_block, 1, x3 + first_of_block, 1, s0, y0 + first_of_block, count2, nontemporal);
        // ... as in bytes_blended
