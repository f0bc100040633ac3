// cumsum of float32
// ... shared/types.cu: u32, u64
// ... shared/helpers.cu: wait_for_earlier_kernels, copy_async, published, publish, await, next_number, barrier_of_stage, stage_end, stage_slots
// ... shared/accumulators.cu: sum_of, accumulators, identity, combine
// ... shared/vectors.cu: f32x4, write
// ... shared/heads.cu: kiln_cumsum_f32_5x32_narrow_panels

    // ... as in finished_product_of_floats
    // ... as in scan_panels_together
    float* const looked_at = reinterpret_cast<float*>(dynamic_shared + 172800);
    __shared__ float of_groups[224];
    __shared__ float totals[1280];
    __shared__ float before_panel[160];
    // ... as in wide_index
    const int columns = static_cast<int>(inner);
    const int parts_at_once = 256 / columns / 4 * 4;
    const int parts_together = parts_at_once < 64 ? parts_at_once : 64;
    const int panels = static_cast<int>((parts + static_cast<long long>(parts_together) - 1) / static_cast<long long>(parts_together));
    const int gap = (columns + 3) / 4 * 4;
    int line = -1;
    int last = 0;
    accumulators before_group = identity();
    accumulators group = identity();
    // ... as in scan_rows
    const long long items = outer * static_cast<long long>(panels);
    __shared__ stage_slots<5, 5> in_slots;
    if (threadIdx.x == 0) {
        in_slots.begin();
        in_slots.begin(0, 64);
        in_slots.begin(1, 256);
        in_slots.begin(2, 128);
        in_slots.begin(3, 128);
        in_slots.begin(4, 256);
    }
    __syncthreads();
    if (threadIdx.x == 0) in_slots.take<0, 3>(states, items);
    if (32 <= threadIdx.x && threadIdx.x < 96) {
        const int loader = threadIdx.x - 32;
        for (int slot_turn = 0;; ++slot_turn) {
            const int slot = slot_turn % 5;
            in_slots.wait(slot, slot_turn / 5 & 1);
            const long long item = in_slots.item[slot];
            if (item >= items) {
                in_slots.end(0, slot);
                break;
            }
            const int panel_number = static_cast<int>(item);
            const int o = panel_number / panels;
            const int panel_of_line = panel_number % panels;
            const int p = panel_of_line * parts_together;
            const int row = loader / columns;
            const int column = loader % columns;
            const int rows_at_once = 64 / columns;
            const bool is_there = row < rows_at_once;
            const long long left = count - static_cast<long long>(p) * part;
            const int rows = static_cast<int>(left < static_cast<long long>(parts_together * 32) ? left : static_cast<long long>(parts_together * 32));
            const long long first = (static_cast<long long>(o) * count + static_cast<long long>(p) * part) * inner + static_cast<long long>(column);
            const long long piece = first - static_cast<long long>(column);
            if (reinterpret_cast<unsigned long long>(from + piece) % 16 == 0) {
                const int elements = rows * columns;
                const int vectors = elements / 4;
                const int vectors_of_part = columns * 8;
                int part_of_vector = loader / vectors_of_part;
                int in_part = loader % vectors_of_part;
                const int parts_further = 64 / vectors_of_part;
                const int further_in_part = 64 % vectors_of_part;
                #pragma unroll 4
                for (int v = loader; v < vectors; v += 64) {
                    copy_async<16>(panel + (slot * 8640 + v * 4 + part_of_vector * gap), from + (piece + static_cast<long long>(v * 4)));
                    part_of_vector = part_of_vector + parts_further;
                    in_part = in_part + further_in_part;
                    if (in_part >= vectors_of_part) {
                        in_part = in_part - vectors_of_part;
                        part_of_vector = part_of_vector + 1;
                    }
                }
                #pragma unroll 1
                for (int e = vectors * 4 + loader; e < elements; e += 64) {
                    copy_async<4>(panel + (slot * 8640 + e + e / (vectors_of_part * 4) * gap), from + (piece + static_cast<long long>(e)));
                }
            } else {
                if (is_there) {
                    #pragma unroll 2
                    for (int x = row; x < rows; x += rows_at_once) {
                        copy_async<4>(panel + (slot * 8640 + x * columns + x / 32 * gap + column), from + (first + x * inner));
                    }
                }
            }
            in_slots.end_with_copies(0, slot);
        }
    }
    if (96 <= threadIdx.x && threadIdx.x < 352) {
        const int looker = threadIdx.x - 96;
        for (int slot_turn = 0;; ++slot_turn) {
            const int slot = slot_turn % 5;
            in_slots.wait(slot, slot_turn / 5 & 1);
            const long long item = in_slots.item[slot];
            if (item >= items) {
                in_slots.end(1, slot);
                break;
            }
            const int panel_number = static_cast<int>(item);
            const int o = panel_number / panels;
            const int panel_of_line = panel_number % panels;
            const int p = panel_of_line * parts_together;
            const int row = looker / columns;
            const int column = looker % columns;
            const int rows_at_once = 256 / columns;
            const bool is_there = row < rows_at_once;
            const long long left = count - static_cast<long long>(p) * part;
            const int rows = static_cast<int>(left < static_cast<long long>(parts_together * 32) ? left : static_cast<long long>(parts_together * 32));
            if (!(line == o)) {
                line = o;
                last = 0;
                before_group = identity();
                group = identity();
                before = identity();
            }
            const int most = 3072 / columns;
            for (int from2 = last; from2 < panel_of_line;) {
                const int end = from2 + (panel_of_line - from2 < most ? panel_of_line - from2 : most);
                const int elements = (end - from2) * columns;
                #pragma unroll 1
                for (int e = looker; e < elements; e += 2048) {
                    float next[8];
                    const int left2 = (elements - e + 255) / 256;
                    const int here = left2 < 8 ? left2 : 8;
                    await<8>(next, states + ((static_cast<long long>(o) * static_cast<long long>(panels) + static_cast<long long>(from2)) * inner + static_cast<long long>(e) + 1), 256, here);
                    #pragma unroll
                    for (int u = 0; u < 8; ++u) {
                        if (u < here) looked_at[e + u * 256] = next[u];
                    }
                }
                barrier_of_stage<1, 256>();
                const int first_group = (from2 + 15) / 16;
                const int end_group = end / 16;
                if (is_there) {
                    #pragma unroll 1
                    for (int g = first_group + row; g < end_group; g += rows_at_once) {
                        // ... as in scan_groups_of_panels
                        #pragma unroll
                        for (int u = 0; u < 16; ++u) {
                            accumulators one;
                            one.s0 = looked_at[(g * 16 - from2 + u) * columns + column];
                            // ... as in scan_groups_of_panels
                        of_groups[(g - first_group) * columns + column] = of_group.s0;
                    }
                }
                barrier_of_stage<1, 256>();
                if (looker < columns) {
                    const int head = first_group * 16;
                    const int head_end = head < end ? head : end;
                    #pragma unroll 4
                    for (int q = from2; q < head_end; ++q) {
                        const float panel_total = looked_at[(q - from2) * columns + looker];
                        accumulators one;
                        one.s0 = panel_total;
                        group = combine(group, one);
                        accumulators one2;
                        one2.s0 = panel_total;
                        before = combine(before, one2);
                    }
                    if (from2 < head && head <= end) {
                        before_group = combine(before_group, group);
                        group = identity();
                        before = before_group;
                    }
                    #pragma unroll 4
                    for (int g = first_group; g < end_group; ++g) {
                        accumulators one;
                        one.s0 = of_groups[(g - first_group) * columns + looker];
                        before_group = combine(before_group, one);
                        before = before_group;
                    }
                    const int tail = end_group * 16;
                    const int tail_begin = tail < head_end ? head_end : tail;
                    #pragma unroll 4
                    for (int q = tail_begin; q < end; ++q) {
                        const float panel_total = looked_at[(q - from2) * columns + looker];
                        accumulators one;
                        one.s0 = panel_total;
                        group = combine(group, one);
                        accumulators one2;
                        one2.s0 = panel_total;
                        before = combine(before, one2);
                    }
                }
                barrier_of_stage<1, 256>();
                from2 = end;
            }
            last = panel_of_line;
            if (looker < columns) before_panel[slot * 32 + looker] = before.s0;
            in_slots.end(1, slot);
        }
    }
    if (352 <= threadIdx.x && threadIdx.x < 480) {
        const int adder = threadIdx.x - 352;
        for (int slot_turn = 0;; ++slot_turn) {
            const int slot = slot_turn % 5;
            in_slots.wait(0, slot, slot_turn / 5 & 1);
            const long long item = in_slots.item[slot];
            if (item >= items) {
                in_slots.end(2, slot);
                break;
            }
            const int panel_number = static_cast<int>(item);
            const int o = panel_number / panels;
            const int panel_of_line = panel_number % panels;
            const int p = panel_of_line * parts_together;
            const int row = adder / columns;
            const int column = adder % columns;
            const int rows_at_once = 128 / columns;
            const bool is_there = row < rows_at_once;
            const long long left = count - static_cast<long long>(p) * part;
            const int rows = static_cast<int>(left < static_cast<long long>(parts_together * 32) ? left : static_cast<long long>(parts_together * 32));
            const int parts_here = (rows + 31) / 32;
            if (is_there) {
                #pragma unroll 1
                for (int part_of_panel = row; part_of_panel < parts_here; part_of_panel += rows_at_once) {
                    const int rows_of_part = rows - part_of_panel * 32 < 32 ? rows - part_of_panel * 32 : 32;
                    const int first_of_part = slot * 8640 + part_of_panel * (columns * 32 + gap) + column;
                    accumulators sum = identity();
                    #pragma unroll 8
                    for (int x = 0; x < rows_of_part; ++x) {
                        accumulators one;
                        one.s0 = panel[first_of_part + x * columns];
                        sum = combine(sum, one);
                    }
                    totals[slot * 256 + part_of_panel * columns + column] = sum.s0;
                }
            }
            barrier_of_stage<2, 128>();
            if (adder < columns && panel_of_line + 1 < panels) {
                accumulators of_panel = identity();
                #pragma unroll 8
                for (int q = 0; q < parts_here; ++q) {
                    accumulators one;
                    one.s0 = totals[slot * 256 + q * columns + column];
                    of_panel = combine(of_panel, one);
                }
                publish(states + ((static_cast<long long>(o) * static_cast<long long>(panels) + static_cast<long long>(panel_of_line)) * inner + static_cast<long long>(adder) + 1), of_panel.s0);
            }
            in_slots.end(2, slot);
        }
    }
    if (480 <= threadIdx.x && threadIdx.x < 608) {
        const int scanner = threadIdx.x - 480;
        for (int slot_turn = 0;; ++slot_turn) {
            const int slot = slot_turn % 5;
            in_slots.wait(1, slot, slot_turn / 5 & 1);
            in_slots.wait(2, slot, slot_turn / 5 & 1);
            const long long item = in_slots.item[slot];
            if (item >= items) {
                in_slots.end(3, slot);
                break;
            }
            const int panel_number = static_cast<int>(item);
            const int o = panel_number / panels;
            const int panel_of_line = panel_number % panels;
            const int p = panel_of_line * parts_together;
            const int row = scanner / columns;
            const int column = scanner % columns;
            const int rows_at_once = 128 / columns;
            const bool is_there = row < rows_at_once;
            const long long left = count - static_cast<long long>(p) * part;
            const int rows = static_cast<int>(left < static_cast<long long>(parts_together * 32) ? left : static_cast<long long>(parts_together * 32));
            const int parts_here = (rows + 31) / 32;
            if (scanner < columns) {
                accumulators before_part = identity();
                before_part.s0 = before_panel[slot * 32 + scanner];
                float next[8];
                const int whole = parts_here / 8 * 8;
                #pragma unroll 1
                for (int x = 0; x < whole; x += 8) {
                    #pragma unroll
                    for (int u = 0; u < 8; ++u) next[u] = totals[slot * 256 + (x + u) * columns + column];
                    #pragma unroll
                    for (int u = 0; u < 8; ++u) {
                        totals[slot * 256 + (x + u) * columns + column] = before_part.s0;
                        accumulators one;
                        one.s0 = next[u];
                        before_part = combine(before_part, one);
                    }
                }
                #pragma unroll 1
                for (int x = whole; x < parts_here; ++x) {
                    next[0] = totals[slot * 256 + x * columns + column];
                    totals[slot * 256 + x * columns + column] = before_part.s0;
                    accumulators one;
                    one.s0 = next[0];
                    before_part = combine(before_part, one);
                }
            }
            barrier_of_stage<3, 128>();
            if (is_there) {
                #pragma unroll 1
                for (int part_of_panel = row; part_of_panel < parts_here; part_of_panel += rows_at_once) {
                    const int rows_of_part = rows - part_of_panel * 32 < 32 ? rows - part_of_panel * 32 : 32;
                    const int first_of_part = slot * 8640 + part_of_panel * (columns * 32 + gap) + column;
                    accumulators sum = identity();
                    sum.s0 = totals[slot * 256 + part_of_panel * columns + column];
                    float next[8];
                    const int whole = rows_of_part / 8 * 8;
                    #pragma unroll 1
                    for (int x = 0; x < whole; x += 8) {
                        #pragma unroll
                        for (int u = 0; u < 8; ++u) next[u] = panel[first_of_part + (x + u) * columns];
                        #pragma unroll
                        for (int u = 0; u < 8; ++u) {
                            accumulators one;
                            one.s0 = next[u];
                            sum = combine(sum, one);
                            panel[first_of_part + (x + u) * columns] = sum.s0;
                        }
                    }
                    #pragma unroll 1
                    for (int x = whole; x < rows_of_part; ++x) {
                        next[0] = panel[first_of_part + x * columns];
                        accumulators one;
                        one.s0 = next[0];
                        sum = combine(sum, one);
                        panel[first_of_part + x * columns] = sum.s0;
                    }
                }
            }
            in_slots.end(3, slot);
        }
    }
    if (608 <= threadIdx.x && threadIdx.x < 864) {
        const int storer = threadIdx.x - 608;
        for (int slot_turn = 0;; ++slot_turn) {
            const int slot = slot_turn % 5;
            in_slots.wait(3, slot, slot_turn / 5 & 1);
            const long long item = in_slots.item[slot];
            if (item >= items) {
                in_slots.end(4, slot);
                break;
            }
            const int panel_number = static_cast<int>(item);
            const int o = panel_number / panels;
            const int panel_of_line = panel_number % panels;
            const int p = panel_of_line * parts_together;
            const int row = storer / columns;
            const int column = storer % columns;
            const int rows_at_once = 256 / columns;
            const bool is_there = row < rows_at_once;
            const long long left = count - static_cast<long long>(p) * part;
            const int rows = static_cast<int>(left < static_cast<long long>(parts_together * 32) ? left : static_cast<long long>(parts_together * 32));
            const long long first = (static_cast<long long>(o) * count + static_cast<long long>(p) * part) * inner + static_cast<long long>(column);
            const long long piece = first - static_cast<long long>(column);
            if (reinterpret_cast<unsigned long long>(to + piece) % 16 == 0) {
                const int elements = rows * columns;
                const int vectors = elements / 4;
                const int vectors_of_part = columns * 8;
                int part_of_vector = storer / vectors_of_part;
                int in_part = storer % vectors_of_part;
                const int parts_further = 256 / vectors_of_part;
                const int further_in_part = 256 % vectors_of_part;
                #pragma unroll 4
                for (int v = storer; v < vectors; v += 256) {
                    write(to + (piece + static_cast<long long>(v * 4)), reinterpret_cast<const f32x4&>(panel[slot * 8640 + v * 4 + part_of_vector * gap]));
                    part_of_vector = part_of_vector + parts_further;
                    in_part = in_part + further_in_part;
                    if (in_part >= vectors_of_part) {
                        in_part = in_part - vectors_of_part;
                        part_of_vector = part_of_vector + 1;
                    }
                }
                #pragma unroll 1
                for (int e = vectors * 4 + storer; e < elements; e += 256) to[piece + static_cast<long long>(e)] = panel[slot * 8640 + e + e / (vectors_of_part * 4) * gap];
            } else {
                if (is_there) {
                    #pragma unroll 2
                    for (int x = row; x < rows; x += rows_at_once) to[first + x * inner] = panel[slot * 8640 + x * columns + x / 32 * gap + column];
                }
            }
            in_slots.end(4, slot);
        }
    }
}
