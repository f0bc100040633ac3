// Rows too short for a loop each: colours of an image, points of three coordinates. Chunks of many rows: operands that are not
// contiguous are first brought into the chunk's order, into buffers in the first cache (staged_rows.hpp); then one loop goes over all its
// elements as if every operand were contiguous. Where an operand is an element for each row, of an extent that the kernel knows, it goes to
// registers, a block of rows at a time.
#include <plan/policy/host_elementwise.hpp>
#include <plan/policy/staged_rows.hpp>

namespace kiln::plan {

namespace {

using nest::block_rows;
using nest::builder;
using nest::movement;
using nest::runner;
using nest::value;
namespace types = nest::types;

// Elements of a chunk, at most. Each chunk but the last is a multiple of a row and of 16 elements: it begins as many
// elements past a row's first as the range does, and where lines of its outputs begin if the range does.
constexpr int chunk_elements = 2048;
static_assert(chunk_elements >= 16 * longest_short_row);
// A chunk, the rest of its first and last row, and what a vector has too much.
constexpr int buffer_elements = chunk_elements + 2 * longest_short_row + staged_rows::room;
constexpr int widest_lanes = 32;  // bytes
constexpr unsigned all_axes = ~0u;

class short_rows_policy {
public:
    short_rows_policy(const lower::program& program, const kernel& of, bool calls_library)
        : of_(of),
          to_({}, 1, /*wide=*/true),
          operands_(to_, program, of),
          in_strips_(strips_of_kernel(to_, program, of, all_axes)),
          elements_(elements_in_memory(operands_, of, calls_library, in_strips_)),
          range_(to_.call_range()),
          staged_(to_, operands_, of) {
        if (elements_.line)
            nontemporal_ = to_.let("nontemporal", to_.make(nest::operation::past_caches, types::boolean));
    }

    nest::tree run() {
        extent_ = blocks() ? to_.constant(of_.row_extent, types::index) : operands_.extent(inner());
        extent_ = to_.let("extent", types::index, extent_);
        skipped_ = to_.let("skipped", types::index, range_.begin % extent_);  // of a chunk's first row
        chunk_ = to_.let("chunk", types::index, to_.constant(chunk_elements) / (extent_ * 16) * (extent_ * 16));
        staged_.declare_buffers(extent_, buffer_elements);
        staged_.repeat([&] { return rows_of(to_.least(chunk_, range_.end - range_.begin)); });
        to_.loop(
            runner::serial, "first", range_.begin, range_.end, chunk_, [&](value first) { take_chunk(first); },
            /*written_out=*/0, types::index);
        return to_.finish();
    }

private:
    [[nodiscard]] int inner() const { return of_.rank - 1; }
    [[nodiscard]] bool blocks() const { return of_.row_extent > 0; }
    value name(const char* as, value of) { return to_.let(as, types::index, of); }

    /// The kernel's elements, what is staged as `element` says.
    template <class Element>
    [[nodiscard]] row_elements with_staged(Element element) const {
        row_elements out = elements_;
        for (const staged_input& each : staged_.operands()) {
            out.inputs[each.input].is_elsewhere = true;
            out.inputs[each.input].element = [&each, element](value i) { return element(each, i); };
        }
        return out;
    }

    value rows_of(value elements) { return name("rows", (skipped_ + elements + extent_ - 1) / extent_); }

    void take_chunk(value first) {
        const value count = name("count", to_.least(chunk_, range_.end - first));
        staged_.begin_chunk();
        if (blocks()) by_blocks_ = to_.variable("by_blocks", types::boolean, to_.constant(0, types::boolean));
        // Whole rows, as many as the chunk has a part of.
        if (!staged_.are_all_repeated()) {
            rows_ = rows_of(count);
            staged_.stage(rows_, name("first_row", first / extent_), by_blocks_, [&](value is_all) {
                if (!blocks()) return;
                const value whole = is_all && skipped_ == 0;
                to_.assign(by_blocks_, nontemporal_.is_there() ? whole && !nontemporal_ : whole);
            });
        }
        value done = to_.constant(0);
        if (blocks()) done = take_blocks(first, count);
        const row_elements elements = with_staged(
            [this](const staged_input& of, value i) { return to_.at(of.passes ? of.in : of.many, skipped_ + i); });
        add_row(to_, operands_, inner(), elements, {done, count, first, staged_.positions()}, nontemporal_);
    }

    /// A block of rows at a time, from a row's first element on: operands that are an element for each row go from their
    /// memory to registers and by shuffles to as many as there are elements, through no buffer. What is left is less than
    /// a block. How many elements are done.
    value take_blocks(value first, value count) {
        const int elements = block_rows * of_.row_extent;
        const value done = to_.variable("done", types::index, 0);
        to_.when(by_blocks_, [&] {
            const value whole = name("whole_blocks", count / elements * elements);
            to_.loop_while_below("block", 0, whole, [&](value block) {
                const std::vector<staged_input>& staged = staged_.operands();
                std::vector<nest::id> spread(staged.size(), nest::none);
                for (std::size_t i = 0; i < staged.size(); ++i) {
                    const staged_input& each = staged[i];
                    if (!each.spread) continue;
                    spread[i] = to_.own("block_" + each.name, types::element(each.of->type), elements, widest_lanes);
                    to_.move(movement::spread_block, {to_.place(spread[i], 0), to_.place(each.rows, 0)},
                             of_.row_extent);
                    to_.point(each.rows, to_.place(each.rows, block_rows));
                }
                const row_elements of = with_staged([&](const staged_input& each, value i) {
                    if (each.spread) return to_.at(spread[static_cast<std::size_t>(&each - staged.data())], i);
                    if (each.once) return to_.at(each.many, i);
                    return to_.at(each.passes ? each.in : each.many, block + i);
                });
                add_row(to_, operands_, inner(), of,
                        {to_.constant(0), to_.constant(elements), name("linear", first + block), staged_.positions(),
                         /*in_caches=*/true},
                        nontemporal_);
                to_.assign(block, block + elements);
            });
            to_.assign(done, whole);
            for (const staged_input& each : staged_.operands())
                if (each.spread)
                    to_.move(movement::spread_rows, {to_.place(each.many, done), to_.place(each.rows, 0),
                                                     rows_ - done / extent_, extent_, to_.constant(1, types::index)});
        });
        return done;
    }

    const kernel& of_;
    builder to_;
    nest::operands operands_;
    const strip_bodies in_strips_;
    const row_elements elements_;
    const builder::range range_;
    staged_rows staged_;
    value nontemporal_;
    value extent_, skipped_, chunk_;
    value rows_, by_blocks_;  // of the chunk at hand
};

}  // namespace

nest::tree host_short_rows_nest(const lower::program& program, const kernel& of, bool calls_library) {
    return short_rows_policy(program, of, calls_library).run();
}

}  // namespace kiln::plan
