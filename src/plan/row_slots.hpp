// kiln/plan/row_slots: where the threads of a persistent row that is long have its elements: so many in registers, the rest in slots of
// shared memory, which are the thread's own as registers are. Then several blocks are on a multiprocessor at once, and one's loads go on
// beside another's arithmetic: in registers alone a block of a row of 32000 floats is alone there (169 us for 4096 of them on an H200,
// 133 so).
// in: a planned kernel   out: how its rows are divided   knows nothing of: text, order
#pragma once

#include <plan/row_phases.hpp>
#include <plan/target.hpp>

#include <optional>
#include <vector>

namespace kiln::plan {

/// Of which values of an element there are slots. One that is no longer needed leaves its slot to the next.
struct row_slots {
    std::vector<int> array;            // by value: which array of slots has it; -1: none
    std::vector<int> copied_in;        // by value: of inputs with slots, the phase that copies them there
    std::vector<element_type> arrays;  // each: the type of what it holds
    int register_bytes = 0;            // of an element that is in registers instead

    [[nodiscard]] bool holds(lower::value_id of) const { return array[static_cast<std::size_t>(of)] >= 0; }
    [[nodiscard]] int bytes() const;
};

/// What later phases need; `recomputes`: of inputs alone, from which each phase makes the rest once more.
row_slots slots_of(const lower::program& program, const kernel& of, const row_phases& phases, bool recomputes);

/// Not held, but read where it is needed: what is the same all along a row, what is the same in all rows, which the caches have, and
/// positions. Two such arrays held for 8192 columns are 64 registers a thread, and half of the threads.
bool read_in_place(const kernel& of, const operand& input);

/// Whether a reduction of it has a state: moments, or a sum of exponentials.
bool keeps_state(const lower::program& of);

struct row_division {
    int in_registers = 0;  // of a thread's items
    int resident = 0;      // blocks that a multiprocessor has at once
};
/// Of `items` of four elements for each of a block's threads; none: there is no room.
std::optional<row_division> divide_row(int items, int threads, int register_bytes, int slot_bytes, const target& on);

/// Items that every thread has registers for, whatever runs beside it.
inline constexpr int most_short_items = 8;

/// How a planned kernel of persistent rows keeps them.
void choose_slots(kernel& into, const lower::program& program, const target& on);

}  // namespace kiln::plan
