// (x0 * x0) + x0
// ... shared/types.host.cc: i64
// ... shared/users.host.cc: __clang__, __AVX512F__, float, int, short
// ... shared/helpers.host.cc: rounded, store_nontemporal, f16, vector_of, vector_from_f16, f16_from_vector, rounded_to_f16, load_f16, store_f16, copy_elements, block_from, block_to, finish_block, rest_from, rest_to, finish_rest
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: vector_body, block_body
// ... shared/heads.host.cc: kiln_mul_add_f16

    // ... as in bytes_blended
        const i64 count2 = least_index(end - first_of_block, 128 - first_of_block % 128);
        block_body(x0 + first_of_block, 1, y0 + first_of_block, count2, nontemporal);
        // ... as in bytes_blended
