// argmax of float32, of a chunk
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, commit_copies, wait_copies
// ... shared/accumulators.cu: found_f32, argmax_of, argmax_next, finish_0, accumulators, identity, combine, append
// ... shared/heads.cu: kiln_argmax_f32_to_i64_column8_taken

    // ... as in resumed_rows_taken
    if (number >= kept * split_count * 8) return;
    const long long value = number % kept;
    const long long lane = number / kept % 8;
    const long long split = first_split + number / kept / 8;
    // ... as in resumed_rows_taken
    const long long rounds_before = before > lane ? (before - lane + 7) / 8 : 0;
    const long long first = start + rounds_before * 8 + lane;
    const long long place = split % turns * 8 * kept + value + lane * kept;
    // ... as in resumed_rows_taken
    const long long rounds = first < end ? (end - first + 7) / 8 : 0;
    const long long at = (first - begin) * kept + value;
    const long long apart = kept * 8;
    // ... as in resumed_rows_taken
                copy_async<4>(next + static_cast<int>((ahead % 8 * 16 + u) * 32 + thread), elements + (at + (ahead * 16 + u) * apart));
            // ... as in resumed_rows_taken
                copy_async<4>(next + static_cast<int>(((group + 7) % 8 * 16 + u) * 32 + thread), elements + (at + ((group + 7) * 16 + u) * apart));
            }
        }
        commit_copies();
        wait_copies<7>();
        #pragma unroll 1
        // ... as in scan_narrow_panels
            one.s0.value = next[static_cast<int>((group % 8 * 16 + u) * 32 + thread)];
            one.s0.at = first + (group * 16 + u) * 8;
            mine = append(mine, one);
        // ... as in resumed_rows_taken
        one.s0.value = elements[at + x * apart];
        one.s0.at = first + x * 8;
        mine = append(mine, one);
    }
    lanes[place] = mine;
}
