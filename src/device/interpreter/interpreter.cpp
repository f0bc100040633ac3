// kiln/launch/interpreter: one thread's range, block by block: operands found or loaded, steps run, outputs stored.
#include <device/interpreter/interpreter.hpp>
#include <plan/reduction.hpp>

#include <device/cpu/cost.hpp>
#include <device/cpu/library.hpp>
#include <device/cpu/thread_scratch.hpp>
#include <device/interpreter/movement.hpp>
#include <device/interpreter/operand_map.hpp>
#include <plan/layout.hpp>
#include <process/thread_state.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace kiln::backend {

namespace {

// Half of a first-level cache of 32 KiB; the lines that the processor fetches ahead want the rest.
constexpr int cache_for_blocks = 16 * 1024;   // bytes
constexpr std::int64_t largest_block = 1024;  // elements
constexpr std::int64_t smallest_block = 128;  // elements

// Rows at least this long are walked block by block within the row, so that operands without gaps in a row are read and
// written where they are; of shorter ones a block takes several.
constexpr std::int64_t long_row = 256;  // elements

// A cache line between registers: blocks are powers of two, and addresses that agree in their last 12 bits get in each
// other's way.
constexpr std::size_t register_gap = 64;  // bytes

std::int64_t block_length_for(const tape& of) {
    const auto fitting = static_cast<std::uint64_t>(cache_for_blocks / std::max(1, of.touched_bytes));
    return std::clamp(static_cast<std::int64_t>(std::bit_floor(fitting)), smallest_block, largest_block);
}

struct interpreter_memory;

/// What a stride of 0 along the row was last spread from, so that it is spread once and not per block.
struct spread {
    const std::byte* from = nullptr;
    std::int64_t count = 0;
};

/// One thread's run over one range.
class range_run {
public:
    range_run(const tape& of, const block_table& blocks, void* const* parameters, std::int64_t block_length, stores how)
        : tape_(of),
          blocks_(blocks),
          parameters_(parameters),
          block_length_(block_length),
          library_(library_table(how)),
          stream_(how == stores::streamed ? streaming_store() : nullptr) {
        const std::size_t places = round_up(tape_.slots.size() * sizeof(std::byte*));
        const std::size_t spreads = round_up(tape_.inputs.size() * sizeof(spread));
        const auto block_bytes =
            static_cast<std::size_t>(tape_.register_bytes) * static_cast<std::size_t>(block_length);
        std::byte* const memory = process::thread_state<thread_scratch, interpreter_memory>().get(
            places + spreads + block_bytes + static_cast<std::size_t>(tape_.register_count) * register_gap);
        place_ = reinterpret_cast<std::byte**>(memory);
        spread_ = reinterpret_cast<spread*>(memory + places);
        registers_ = memory + places + spreads;
        for (std::size_t i = 0; i < tape_.slots.size(); ++i)
            ::new (place_ + i) std::byte*(register_of(static_cast<int>(i)));
        for (std::size_t i = 0; i < tape_.inputs.size(); ++i) ::new (spread_ + i) spread;
        if (tape_.layout_parameter >= 0) {
            layout_ = static_cast<const std::int64_t*>(parameters_[tape_.layout_parameter]);
            walk_.rank = tape_.rank;
            walk_.extents = layout_ + plan::layout_extent(0);
        }
    }

    void operator()(std::int64_t begin, std::int64_t end) {
        for (const tape_scalar& each : tape_.scalars)
            fill(place_[each.slot], parameters_[each.parameter], each.bytes, std::min(block_length_, end - begin));
        for (const tape_constant& each : tape_.constants)
            fill(place_[each.slot], &each.bits, each.bytes, std::min(block_length_, end - begin));
        const bool by_rows = layout_ && walk_.row_length() >= long_row;
        for (std::int64_t at = begin; at < end;) {
            std::int64_t count = std::min(block_length_, end - at);
            if (layout_) walk_.move_to(at);
            if (by_rows) count = std::min(count, walk_.left_in_row());
            run_block(at, count, by_rows);
            at += count;
        }
    }

private:
    static std::size_t round_up(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

    [[nodiscard]] std::byte* register_of(int number) const {
        const slot& of = tape_.slots[static_cast<std::size_t>(number)];
        if (of.register_offset < 0) return nullptr;
        return registers_ + static_cast<std::size_t>(of.register_offset) * static_cast<std::size_t>(block_length_) +
               static_cast<std::size_t>(of.register_number) * register_gap;
    }
    [[nodiscard]] std::byte* memory_of(const tape_operand& of) const {
        return *static_cast<std::byte* const*>(parameters_[of.parameter]);
    }
    [[nodiscard]] operand_map map_of(const tape_operand& of) const { return {of.plan, layout_, tape_.rank}; }
    /// Where the block's first element is in the operand's memory.
    [[nodiscard]] std::byte* first_of(const tape_operand& of, std::int64_t at) const {
        const bool contiguous = of.plan.how == plan::access::contiguous;
        return memory_of(of) + (contiguous ? at : map_of(of).address(walk_.coordinates)) * of.bytes;
    }
    [[nodiscard]] static bool without_gaps(const tape_operand& of, bool by_rows) {
        return of.plan.how == plan::access::contiguous || (by_rows && of.plan.how == plan::access::row);
    }

    void run_block(std::int64_t at, std::int64_t count, bool by_rows) {
        for (std::size_t i = 0; i < tape_.inputs.size(); ++i) load(tape_.inputs[i], spread_[i], at, count, by_rows);
        for (const tape_operand& each : tape_.outputs)
            if (each.in_place)
                place_[each.slot] = !stream_ && without_gaps(each, by_rows) && !each.plan.guarded_axes
                                        ? first_of(each, at)
                                        : register_of(each.slot);
        for (const tape_instruction& each : tape_.instructions) {
            if (each.run)
                each.run(place_[each.out], place_[each.args[0]], place_[each.args[1]], place_[each.args[2]], count,
                         library_);
            else gather(each, count);
        }
        for (const tape_operand& each : tape_.outputs) store(each, at, count, by_rows);
    }

    void load(const tape_operand& input, spread& last, std::int64_t at, std::int64_t count, bool by_rows) {
        std::byte*& place = place_[input.slot];
        if (input.plan.is_position) {
            load_positions(input, reinterpret_cast<std::int64_t*>(place), at, count);
        } else if (without_gaps(input, by_rows)) {
            std::byte* const first = first_of(input, at);
            if (input.in_place) place = first;
            else std::memcpy(place, first, static_cast<std::size_t>(count * input.bytes));
        } else if (by_rows && input.plan.how == plan::access::uniform) {
            const std::byte* const first = first_of(input, at);
            if (last.from == first && last.count >= count && !tape_.aliased) return;
            fill(place, first, input.bytes, count);
            last = {first, count};
        } else {
            map_of(input).load(place, memory_of(input), input.bytes, walk_, count);
        }
    }

    void load_positions(const tape_operand& input, std::int64_t* place, std::int64_t at, std::int64_t count) {
        const std::int64_t first = *static_cast<const std::int64_t*>(parameters_[input.parameter]);
        if (input.plan.how == plan::access::contiguous) blocks_.fill_index(place, first + at, count);
        else map_of(input).positions(place, first, walk_, count);
    }

    void gather(const tape_instruction& what, std::int64_t count) {
        const tape_operand& from = tape_.gathered[static_cast<std::size_t>(what.gathered)];
        const std::int64_t* lookups[max_rank];
        for (int i = 0; i < max_rank; ++i) lookups[i] = reinterpret_cast<const std::int64_t*>(place_[what.args[i]]);
        if (from.plan.is_position)
            map_of(from).gather_positions(reinterpret_cast<std::int64_t*>(place_[what.out]),
                                          *static_cast<const std::int64_t*>(parameters_[from.parameter]), walk_,
                                          lookups, count);
        else map_of(from).gather(place_[what.out], memory_of(from), from.bytes, walk_, lookups, count);
    }

    void store(const tape_operand& output, std::int64_t at, std::int64_t count, bool by_rows) {
        const std::byte* const from = place_[output.slot];
        if (without_gaps(output, by_rows) && !output.plan.guarded_axes) {
            std::byte* const to = first_of(output, at);
            if (stream_) stream_(to, from, count * output.bytes);
            else if (to != from) std::memcpy(to, from, static_cast<std::size_t>(count * output.bytes));
        } else {
            map_of(output).store(memory_of(output), from, output.bytes, walk_, count);
        }
    }

    const tape& tape_;
    const block_table& blocks_;
    void* const* parameters_;
    const std::int64_t block_length_;
    const void* const* library_;
    const store_function stream_;  // nullptr: outputs are written in place
    std::byte** place_ = nullptr;  // of each slot, for the block at hand
    spread* spread_ = nullptr;     // of each input
    std::byte* registers_ = nullptr;
    const std::int64_t* layout_ = nullptr;
    walk walk_;
};

}  // namespace

interpreted_kernel::interpreted_kernel(const lower::program& program, const plan::kernel& kernel,
                                       const block_table& blocks)
    : cpu_kernel(program, kernel, grain_for(program, kernel, gear::interpreted)),
      tape_(make_tape(program, plan::elements_of(kernel), blocks)),
      blocks_(blocks),
      block_length_(block_length_for(tape_)) {}

void interpreted_kernel::run(void* const* parameters, std::int64_t begin, std::int64_t end, stores how) const {
    if (begin < end) range_run(tape_, blocks_, parameters, block_length_, how)(begin, end);
}

}  // namespace kiln::backend
