// uint8(rint(((float32(x0) / s0) * float32(x1)) + float32(x2)))
// ... shared/types.host.cc: u8, i64
// ... shared/helpers.host.cc: store_nontemporal, vector_of, rint_vector, WORD_BYTES, load_words, byte_of, in_byte, in_stored_byte, store_bytes, block_to, finish_block, copy_rest
// ... shared/users.host.cc: __AVX512F__, float, int
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: vector_body, words_body, block_body
// ... shared/heads.host.cc: kiln_cast4_div_mul_add_rint_u8

    // ... as in contiguous
    for (i64 first_of_block = begin; first_of_block < end;) {
        const i64 count2 = least_index(end - first_of_block, 512 - first_of_block % 512);
        block_body(x0 + first_of_block, 1, x1 + first_of_block, 1, x2 + first_of_block, 1, s0, y0 + first_of_block, count2, nontemporal);
        first_of_block = first_of_block + count2;
    }
}
