// bfloat16(cumsum(flip(float32(x0)))) of float16
// ... shared/helpers.cu: bits_of, rounded, wait_for_earlier_kernels, f16, bf16, bits16_of, f32_from_f16, bf16_from_f32
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/heads.cu: kiln_cumsum_f32_of_f16_reversed_256_lines_to_bf16

    // ... as in scan_lines
    const long long last = (line / inner * count + count - 1) * inner + line % inner;
    // ... as in scan_lines
        if (u < rows) next[u].s0 = f32_from_f16(from[last - static_cast<long long>(u) * inner]);
    // ... as in scan_lines
            if (x + 16 + u < rows) next[u].s0 = f32_from_f16(from[last - static_cast<long long>(x + 16 + u) * inner]);
        // ... as in scan_lines
                if (is_there) to[first + static_cast<long long>(x + u) * inner] = bf16_from_f32(sum.s0);
            }
        }
    }
}
