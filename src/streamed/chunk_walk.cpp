// The parts of expressions, chunk by chunk: what the next one reads is known while this one is made.
#include <capture/viewed.hpp>
#include <plan/ceil_div.hpp>
#include <streamed/evaluation.hpp>
#include <streamed/host_memory.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace kiln::streamed {

void evaluation::begin_walk(chunk_walk& walk) { moves_.expect(plan::ceil_div(walk.extent, walk.count)); }

/// Known while the first chunk is on its way, which waits for none of this.
void evaluation::know_others(chunk_walk& walk) {
    if (reaches_host_ || walk.extent / walk.count <= transfers::most_under_way) return;
    walk.steady = steady_parts::of(walk.parts, walk.axis, walk.count);
    if (walk.steady && goes_straight(walk)) moves_.wait_on_device();
}

/// Whether all that chunks read and write is memory that the device copies without help.
bool evaluation::goes_straight(chunk_walk& walk) {
    // What stays is put in its place after what leaves was sent, by kernels that what comes in would not wait for.
    if (!walk.targets.empty() && walk.targets.size() != walk.parts.size()) return false;
    const std::vector<handle<array_node>>& operands = walk.steady->operands(0);
    return !operands.empty() && std::all_of(operands.begin(), operands.end(), [&](const auto& each) {
        return moves_.goes_straight(*each.get());
    }) && std::all_of(walk.targets.begin(), walk.targets.end(), [&](const auto& each) {
        const auto part = slice_of(each.get()->extents, walk.axis, 0, walk.count);
        return moves_.goes_straight(*kiln::detail::viewed(each, part).get());
    });
}

const std::vector<handle<term>>& evaluation::begin_chunk(chunk_walk& walk, std::int64_t begin) {
    const std::int64_t now = walk.length(begin);
    moves_.begin_chunk();
    std::vector<handle<term>>& terms = walk.terms[moves_.slot()];
    if (walk.steady && now == walk.count && !terms.empty()) {
        for (const handle<array_node>& each : walk.steady->operands(begin)) {
            check_file(*each.get());
            moves_.copy_in(*each.get());
        }
        return terms;
    }
    terms.clear();
    for (const slices* const each : walk.parts) {
        if (reaches_host_ && begin + now < walk.extent) expect(*each, walk.axis, begin + now, walk.length(begin + now));
        terms.push_back(each->part(walk.axis, begin, now, operands()));
    }
    return terms;
}

void evaluation::end_chunk(chunk_walk& walk, std::int64_t begin) {
    release_read();
    chunk_.clear();
    if (begin == 0) know_others(walk);
    moves_.end_chunk([&](int ahead) -> const std::vector<handle<array_node>>* {
        const std::int64_t then = begin + ahead * walk.count;
        if (!walk.steady || then + walk.count > walk.extent) return nullptr;
        const std::vector<handle<array_node>>& operands = walk.steady->operands(then);
        for (const handle<array_node>& each : operands) check_file(*each.get());
        return &operands;
    });
}

/// Of files that a CPU reads where they are.
void evaluation::expect(const slices& parts, int axis, std::int64_t begin, std::int64_t count) {
    const auto expect = [](const handle<array_node>& node) {
        if (const mapped_file* const file = file_of(*node.get()); file && node.get()->extents.size() > 0) {
            const kiln::detail::byte_range range = kiln::detail::bytes_between(*node.get());
            if (node.get()->contiguous) file->expect(range.begin, range.end);
        }
        return kiln::detail::make_array_term(node, node.get()->type);
    };
    const auto as_it_is = [](const handle<array_node>& node) {
        return kiln::detail::make_array_term(node, node.get()->type);
    };
    (void)parts.part(axis, begin, count,
                     {expect, as_it_is, [this](const handle<term>& of) { return evaluated(of); },
                      [](const term& reduction, const handle<term>& part, const shape&, std::uint8_t axes) {
                          return stand_in(reduction, kiln::detail::broadcast_leaves(part), axes);
                      }});
}

void evaluation::release_read() {
    for (const handle<array_node>& each : read_) release(*each.get());
    read_.clear();
}

void evaluation::release(const array_node& node) {
    const mapped_file* const file = file_of(node);
    if (!file || node.map || node.extents.size() == 0) return;
    const kiln::detail::byte_range range = kiln::detail::bytes_between(node);
    file->release(range.begin, range.end);
}

}  // namespace kiln::streamed
