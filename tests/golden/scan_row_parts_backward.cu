// flip(cumsum(flip(x0))) of int64
// ... shared/types.cu: u64, i64
// ... shared/helpers.cu: shuffle, shuffle_down, barrier_of, wait_for_earlier_kernels, copy_async, commit_copies, wait_copies, published, publish, await, next_number
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: i64x2, write
// ... shared/heads.cu: kiln_cumsum_i64_of_reversed_few_row_parts_to_reversed

    // ... as in scan_row_parts_of_int16
        if (left >= 512 && reinterpret_cast<unsigned long long>(from + back_begin) % 16 == 0) {
            #pragma unroll
            for (int r = 0; r < 8; ++r) {
                copy_async<16>(tile + (warp * 512 + r * 64 + lane * 2), from + (back_at - r * 64));
            }
            commit_copies();
            wait_copies<0>();
            // ... as in scan_row_parts_of_int16
                i64x2 turned;
                #pragma unroll
                for (int k = 0; k < 2; ++k) turned.v[1 - k] = loaded.v[k];
                write(tile + (warp * 512 + r * 64 + lane * 2), turned);
            // ... as in scan_row_parts_of_int16
                    // ... as in scan_few_row_parts
                    if (r * 64 + k * 32 + lane < left) element.s0 = from[side_by_side - (r * 64 + k * 32)];
                    // ... as in scan_row_parts_of_int16
                i64x2 stored;
                #pragma unroll
                for (int k = 0; k < 2; ++k) stored.v[1 - k] = v[k].s0;
                // ... as in scan_row_parts_of_int16
                    if (r * 64 + k * 32 + lane < left) to[side_by_side - (r * 64 + k * 32)] = of_lane.s0;
                }
            }
        }
    }
}
