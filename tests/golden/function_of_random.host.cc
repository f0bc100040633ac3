// exp(random_f32(uint64(index0), s0))
// ... shared/types.host.cc: u64, i64
// ... shared/helpers.host.cc: wide_product, philox_words, philox_round, philox, draw_32, draw_f32
// ... shared/library.host.cc: block_exp_f32
// ... shared/indices.host.cc: least_index
// ... shared/bodies.host.cc: body_0
// ... shared/heads.host.cc: kiln_random_f32_exp_f32

    // ... as in functions
        i64 stop = least_index(count2, (strip + 3) / 4 * 4 - strip);
        for (i64 next = 0; next < count2;) {
            #pragma GCC ivdep
            for (i64 i = next; i < stop; ++i) body_0(index0 + (strip + i), s0, buffer[i], library);
            const i64 blocks_end = stop + (count2 - stop) / 4 * 4;
            #pragma GCC ivdep
            for (i64 i = stop; i < blocks_end; i += 4) {
                body_0((index0 + (strip + i)) & -4, s0, buffer[i], library);
                body_0(((index0 + (strip + i)) & -4) | 1, s0, buffer[i + 1], library);
                body_0(((index0 + (strip + i)) & -4) | 2, s0, buffer[i + 2], library);
                body_0(((index0 + (strip + i)) & -4) | 3, s0, buffer[i + 3], library);
            }
            next = blocks_end;
            stop = count2;
        }
        block_exp_f32(library, buffer, y0 + strip, count2);
    }
}
