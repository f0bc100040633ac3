#include <streamed/steady_parts.hpp>

#include <capture/same_terms.hpp>
#include <streamed/chunk_sizes.hpp>

#include <kiln/evaluate.hpp>

#include <algorithm>
#include <utility>

namespace kiln::streamed {

namespace {

/// A part of each expression, and the operands that it asked for. What stands for the n-th of them is `stand_ins[n]`.
struct sample {
    std::vector<handle<term>> terms;
    std::vector<handle<array_node>> operands;
    bool is_evaluated = false;  // some of it, or brought together, for this part alone
};

sample sample_at(const std::vector<const slices*>& all, int axis, std::int64_t begin, std::int64_t count,
                 std::vector<handle<array_node>>& stand_ins) {
    sample out;
    const operand_places places{
        [&](const handle<array_node>& part) {
            if (out.operands.size() == stand_ins.size()) stand_ins.push_back(part);
            out.operands.push_back(part);
            return kiln::detail::make_array_term(stand_ins[out.operands.size() - 1], part.get()->type);
        },
        [](const handle<array_node>& whole) { return kiln::detail::make_array_term(whole, whole.get()->type); },
        [](const handle<term>& made) { return made; },
        [&](const term& reduction, const handle<term>& part, const shape&, std::uint8_t axes) {
            out.is_evaluated = true;
            return stand_in(reduction, kiln::detail::broadcast_leaves(part), axes);
        },
        [&](const handle<array_node>& part, const rolled_part&) {
            out.is_evaluated = true;  // some chunk is of two blocks
            return kiln::detail::make_array_term(part, part.get()->type);
        }};
    for (const slices* each : all) out.terms.push_back(each->part(axis, begin, count, places));
    return out;
}

bool same_but_for_where(const array_node& one, const array_node& other) {
    return one.type == other.type && one.extents == other.extents && !one.map && !other.map &&
           &one.storage() == &other.storage() &&
           std::equal(one.strides, one.strides + one.extents.rank(), other.strides);
}

}  // namespace

std::optional<steady_parts> steady_parts::of(const std::vector<const slices*>& all, int axis, std::int64_t count) {
    std::vector<handle<array_node>> stand_ins;
    const sample first = sample_at(all, axis, 0, count, stand_ins);
    if (first.is_evaluated) return {};
    const sample second = sample_at(all, axis, count, count, stand_ins);
    if (first.operands.size() != second.operands.size() || !kiln::detail::same_terms(first.terms, second.terms))
        return {};
    steady_parts out;
    for (std::size_t i = 0; i < first.operands.size(); ++i) {
        const array_node& one = *first.operands[i].get();
        const array_node& other = *second.operands[i].get();
        const std::int64_t further = other.data - one.data;
        if (!same_but_for_where(one, other) || further % count != 0) return {};
        bool is_known = false;
        for (std::size_t known = 0; known < out.operands_.size(); ++known) {
            if (out.first_[known] != one.data || !same_but_for_where(*out.operands_[known].get(), one)) continue;
            if (out.of_position_[known] != further / count) return {};  // one in the first chunk, and not in others
            is_known = true;
        }
        if (is_known) continue;
        handle<array_node> mine(new array_node);
        array_node& node = *mine.get();
        node.type = one.type;
        node.owned = one.owned;
        node.contiguous = one.contiguous;
        node.extents = one.extents;
        std::copy(one.strides, one.strides + one.extents.rank(), node.strides);
        node.data = one.data;
        node.base = kiln::detail::share(one.storage());
        out.operands_.push_back(std::move(mine));
        out.first_.push_back(one.data);
        out.of_position_.push_back(further / count);
    }
    return out;
}

const std::vector<handle<array_node>>& steady_parts::operands(std::int64_t begin) {
    for (std::size_t i = 0; i < operands_.size(); ++i) operands_[i].get()->data = first_[i] + begin * of_position_[i];
    return operands_;
}

}  // namespace kiln::streamed
