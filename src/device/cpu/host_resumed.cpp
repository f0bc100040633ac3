#include <device/cpu/host_resumed.hpp>

#include <plan/ceil_div.hpp>
#include <plan/host_order.hpp>

#include <algorithm>
#include <utility>

namespace kiln::backend {

using plan::host_order;

host_resumed::host_resumed(const host_resumed_sizes& of) : of_(of) {
    if (of.along_rows)
        piece_.resize(static_cast<std::size_t>(of.kept * std::min(of.inner, host_order::piece) * of.element_bytes));
}

std::int64_t host_resumed::end_of_piece(std::int64_t element) const {
    const std::int64_t row = element / of_.inner * of_.inner;
    const std::int64_t in_row = (element - row) / host_order::piece * host_order::piece + host_order::piece;
    return row + std::min(in_row, of_.inner);
}

/// Elements [from, from + count) of each row, which wait for the rest of their piece.
void host_resumed::keep(const std::byte* elements, std::int64_t begin, std::int64_t chunk, std::int64_t from,
                        std::int64_t count) {
    const std::int64_t most = std::min(of_.inner, host_order::piece);
    for (std::int64_t value = 0; value < of_.kept; ++value)
        std::copy_n(elements + (value * chunk + from - begin) * of_.element_bytes, count * of_.element_bytes,
                    piece_.data() + (value * most + waiting_) * of_.element_bytes);
    waiting_ += count;
}

std::vector<host_resumed::step> host_resumed::steps_of(const std::byte* elements, std::int64_t begin,
                                                       std::int64_t count) {
    std::vector<step> out;
    const std::int64_t end = begin + count;
    if (!of_.along_rows) {
        for (std::int64_t row = begin; row < end; ++row)
            out.push_back({row, row, 1, elements + (row - begin) * of_.kept * of_.element_bytes, of_.element_bytes});
        return out;
    }
    const std::int64_t pieces_of_row = plan::ceil_div(of_.inner, host_order::piece);
    const auto number_of = [&](std::int64_t element) {
        return element / of_.inner * pieces_of_row + element % of_.inner / host_order::piece;
    };
    std::int64_t from = begin;
    if (waiting_ > 0) {
        const std::int64_t first = begin - waiting_;
        const std::int64_t next = end_of_piece(first);
        keep(elements, begin, count, begin, std::min(next, end) - begin);
        if (next > end) return out;
        out.push_back({number_of(first), first, next - first, piece_.data(),
                       std::min(of_.inner, host_order::piece) * of_.element_bytes});
        from = next;
    }
    for (; from < end && end_of_piece(from) <= end; from = end_of_piece(from))
        out.push_back({number_of(from), from, end_of_piece(from) - from, elements + (from - begin) * of_.element_bytes,
                       count * of_.element_bytes});
    return out;
}

/// Steps [begin, end), which follow each other in one part, to the accumulators of values [first, first + count) at `to`.
void host_resumed::append(const std::vector<step>& steps, std::size_t begin, std::size_t end, std::byte* to,
                          std::int64_t first, std::int64_t count, const host_reducer& by) const {
    for (std::size_t i = begin; i < end; ++i) {
        const step& each = steps[i];
        if (!of_.along_rows) {
            // Rows that are whole follow each other.
            const std::int64_t rows = count == of_.kept ? static_cast<std::int64_t>(end - i) : 1;
            by.take_each(to, each.at + first * of_.element_bytes, count, rows, each.first);
            i += static_cast<std::size_t>(rows) - 1;
            continue;
        }
        for (std::int64_t value = 0; value < count; ++value)
            by.take_run(to + value * by.accumulator_bytes(), each.at + (first + value) * each.of_value, each.count,
                        each.first);
    }
}

void host_resumed::take(const std::byte* elements, std::int64_t begin, std::int64_t count, const host_reducer& by,
                        thread_pool& threads) {
    const std::vector<step> steps = steps_of(elements, begin, count);
    struct unit {
        accumulators known;
        std::size_t begin, end;
    };
    std::vector<unit> units;
    for (std::size_t i = 0; i < steps.size();) {
        const std::int64_t part = steps[i].number / of_.steps_of_part;
        const std::size_t first = i;
        while (i < steps.size() && steps[i].number / of_.steps_of_part == part) ++i;
        const bool has_begun = !part_.empty() && units.empty();
        units.push_back(
            {has_begun ? std::move(part_) : accumulators(static_cast<std::size_t>(of_.kept * by.accumulator_bytes())),
             first, i});
        if (!has_begun) by.clear(units.back().known.data(), of_.kept);
    }
    const std::int64_t block = of_.along_rows ? 1 : std::min(of_.kept, host_order::columns);
    const std::int64_t blocks = plan::ceil_div(of_.kept, block);
    const auto unit_count = static_cast<std::int64_t>(units.size()) * blocks;
    const std::int64_t of_unit = std::max<std::int64_t>(1, of_.kept * count / std::max<std::int64_t>(1, unit_count));
    threads.parallel_for_pieces(
        unit_count, std::max<std::int64_t>(1, (std::int64_t{1} << 15) / of_unit),
        [&](std::int64_t from, std::int64_t to) {
            for (std::int64_t i = from; i < to; ++i) {
                unit& of = units[static_cast<std::size_t>(i / blocks)];
                const std::int64_t first = i % blocks * block;
                append(steps, of.begin, of.end, of.known.data() + first * by.accumulator_bytes(), first,
                       std::min(block, of_.kept - first), by);
            }
        },
        1);
    for (unit& each : units) {
        const bool has_ended = (steps[each.end - 1].number + 1) % of_.steps_of_part == 0;
        if (has_ended) put_aside(std::move(each.known), by);
        else part_ = std::move(each.known);
    }
    const std::int64_t end = begin + count;
    if (!steps.empty()) waiting_ = 0;
    const std::int64_t rest = steps.empty() ? begin : steps.back().first + steps.back().count;
    if (waiting_ == 0 && rest < end) keep(elements, begin, count, rest, end - rest);
}

/// Parts are combined in pairs, neighbours first.
void host_resumed::put_aside(accumulators part, const host_reducer& by) {
    aside_.push_back({std::move(part), 0});
    while (aside_.size() > 1 && aside_[aside_.size() - 2].doubled == aside_.back().doubled) {
        const parts second = std::move(aside_.back());
        aside_.pop_back();
        by.merge(aside_.back().known.data(), second.known.data(), of_.kept);
        ++aside_.back().doubled;
    }
}

void host_resumed::finish(std::byte* results, const host_reducer& by) {
    if (!part_.empty()) aside_.push_back({std::move(part_), 0});
    for (; aside_.size() > 1; aside_.pop_back())
        by.merge(aside_[aside_.size() - 2].known.data(), aside_.back().known.data(), of_.kept);
    by.finish(aside_.back().known.data(), of_.kept, of_.reduced, results);
    aside_.clear();
}

}  // namespace kiln::backend
