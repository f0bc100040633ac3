// kiln/streamed/evaluation: one expression of host arrays, or several of one shape, under way: what chunks read and make, and where it goes.
// in: terms, how terms of the device's arrays are evaluated   out: results where they are wanted   knows nothing of: which device, what is streamed
#pragma once

#include <capture/term.hpp>
#include <device/device.hpp>
#include <streamed/chunk_sizes.hpp>
#include <streamed/evaluate_streamed.hpp>
#include <streamed/known_copies.hpp>
#include <streamed/slices.hpp>
#include <streamed/steady_parts.hpp>
#include <streamed/transfers.hpp>

#include <kiln/evaluate.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace kiln::streamed {

/// Whether the calling thread evaluates what is on the device, for a chunk.
bool is_in_a_chunk() noexcept;

class evaluation {
public:
    evaluation(backend::device& on, const char* label, evaluate_function evaluate_terms);

    void run(const handle<term>& root, kiln::detail::output& to);
    /// Several of one shape in one pass over what they read. False, and nothing is done: they cannot be cut together.
    bool run_together(const handle<term>* roots, kiln::detail::output* outputs, int count);
    void wait() { moves_.wait(); }

private:
    using output = kiln::detail::output;

    // --- what is on the device

    void evaluate_here(const handle<term>* roots, output* outputs, int count);
    void evaluate_here(const handle<term>& root, output& to) { evaluate_here(&root, &to, 1); }
    void evaluate_into(const handle<term>& root, array_node& place);
    [[nodiscard]] bool is_there(const handle<term>& root) const;
    handle<array_node> fresh(const handle<term>& root);
    /// The elements of `made` as they leave: it may be seen through strides, or be a sum that is partial.
    handle<array_node> whole(handle<array_node> made);
    /// Row-major, where the device reads it.
    handle<array_node> elements(const handle<term>& root);
    /// `made`, all of it in the device's memory or where the host has it, to where it is wanted.
    void finish(const handle<term>& made, output& to);
    /// What cannot be cut, if it has room.
    void run_whole(const handle<term>& root, const slices& parts, output& to, const cutting& how);

    // --- operands

    operand_places operands();
    /// Of all chunks.
    [[nodiscard]] handle<term> whole_operand(const handle<array_node>& node);
    /// A reduction that all chunks read: evaluated by itself, once.
    handle<term> evaluated(const handle<term>& made);

    // --- chunks (chunk_walk.cpp)

    /// Expressions of one shape, cut along one axis.
    struct chunk_walk {
        std::vector<const slices*> parts = {};
        std::vector<handle<array_node>> targets = {};  // where results go that leave the device
        int axis = 0;
        std::int64_t extent = 0;
        std::int64_t count = 0;
        std::optional<steady_parts> steady = {};                          // chunks differ in where they begin alone
        std::vector<handle<term>> terms[transfers::most_under_way] = {};  // of the last chunk of each slot

        [[nodiscard]] std::int64_t length(std::int64_t begin) const { return std::min(count, extent - begin); }
    };
    void begin_walk(chunk_walk& walk);
    void know_others(chunk_walk& walk);
    [[nodiscard]] bool goes_straight(chunk_walk& walk);
    /// What the chunk that begins there reads is on its way: a term of each expression.
    const std::vector<handle<term>>& begin_chunk(chunk_walk& walk, std::int64_t begin);
    /// All of it was given to the device.
    void end_chunk(chunk_walk& walk, std::int64_t begin);
    /// Calls take(part, begin, count) for each chunk of one expression.
    template <class Take>
    void each_chunk(const slices& parts, const cutting& by, const std::vector<handle<array_node>>& targets, Take take) {
        chunk_walk walk{.parts = {&parts},
                        .targets = targets,
                        .axis = by.axis,
                        .extent = parts.of_root()[by.axis],
                        .count = by.count};
        begin_walk(walk);
        for (std::int64_t begin = 0; begin < walk.extent; begin += walk.count) {
            take(begin_chunk(walk, begin).front(), begin, walk.length(begin));
            end_chunk(walk, begin);
        }
        moves_.end_walk();
    }
    void expect(const slices& parts, int axis, std::int64_t begin, std::int64_t count);
    /// Pages of files that this chunk read, or wrote, are not needed any more.
    void release_read();
    static void release(const array_node& node);
    static void check_file(const array_node& node);

    // --- element by element (element_chunks.cpp)

    struct chunked;
    [[nodiscard]] chunked begin(const slices& parts, output& to);
    /// Of one shape, cut along one axis: what several read comes in once.
    void run_chunks(std::vector<chunked>& results, int axis, std::int64_t count);

    // --- along the axis that is cut (carried_chunks.cpp)

    /// A reduction over the axis that is cut: of results of chunks.
    void run_carried(const cutting& cut, output& to);
    /// A scan along the axis that is cut: once through all chunks for what parts come to, once more for the results.
    void run_scanned(const handle<term>& root, const cutting& cut, output& to);
    /// With the scans that are in it, which chunks of it would have parts of, evaluated by themselves into the host's memory, where its chunks
    /// read them. None: there are no scans of host arrays.
    handle<term> with_scans_aside(const handle<term>& root, const slices& parts);

    backend::device& on_;
    const char* const label_;
    const evaluate_function evaluate_terms_;
    const bool reaches_host_;
    const chunk_sizes sizes_;
    known_copies chunk_;
    known_copies once_;
    std::vector<std::pair<handle<term>, handle<term>>> evaluated_;
    std::vector<handle<array_node>> read_;   // by this chunk, where it is
    std::vector<handle<array_node>> aside_;  // results of scans
    transfers moves_;  // the last: while something is under way its memory, which the others hold, is there
};

/// One expression's results, while chunks are made.
struct evaluation::chunked {
    const slices* parts;
    output* to;
    handle<array_node> made;  // of the device's, where it stays there
    handle<array_node> target;
    bool leaves;
    handle<array_node> there;  // of the device's: nothing is computed, its elements leave as they are
};

}  // namespace kiln::streamed
