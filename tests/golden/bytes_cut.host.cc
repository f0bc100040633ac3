// uint8((float32(x0) * s0) + float32(x1))
// ... shared/types.host.cc: u8, i64
// ... shared/helpers.host.cc: store_nontemporal, vector_of, trunc_vector, WORD_BYTES, load_words, byte_of, in_byte, in_stored_byte, store_bytes, block_to, finish_block, copy_rest
// ... shared/users.host.cc: __AVX512F__, float, int
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: vector_body, words_body, block_body
// ... shared/heads.host.cc: kiln_cast3_mul_add_u8

    // ... as in bytes_blended
        block_body(x0 + first_of_block, 1, x1 + first_of_block, 1, s0, y0 + first_of_block, count2, nontemporal);
        // ... as in bytes_blended
