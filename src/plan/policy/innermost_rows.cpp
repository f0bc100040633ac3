#include <plan/policy/innermost_rows.hpp>

#include <plan/fast_paths.hpp>
#include <plan/operands.hpp>
#include <plan/reduction.hpp>

#include <algorithm>

namespace kiln::plan {

using nest::value;
namespace types = nest::types;

bool has_innermost_rows(const kernel& of) {
    const unsigned innermost = 1U << (of.rank - 1);
    if (of.vectorised || (of.reduced_axes & innermost) == 0 || of.reduced_axes == innermost) return false;
    for (std::size_t i = 0; i < of.reduced.size(); ++i)
        if (of.stores_elements(i) || of.reduced[i].keeps_state()) return false;
    return std::all_of(of.inputs.begin(), of.inputs.end(),
                       [](const operand& each) { return each.steps.empty() && !each.gathered && !each.is_partial; });
}

innermost_rows::innermost_rows(nest::builder& to, nest::operands& operands, value_threads& threads,
                               const lower::program& program, const kernel& of)
    : to_(to),
      operands_(operands),
      threads_(threads),
      of_(of),
      tests_(!program.any_order && choose_fast_paths(program, of).has_unbranched_tests()) {}

bool innermost_rows::needs_all_threads() const {
    constexpr int narrow = 2, usual = 4;  // bytes
    const int widest = widest_of(of_.inputs);
    const unsigned all = (1U << of_.rank) - 1;
    const auto arrays = std::count_if(of_.inputs.begin(), of_.inputs.end(), [&](const operand& each) {
        return !each.is_position && (each.axes_read() & all) == all;
    });
    return widest <= narrow || (widest == usual && arrays > 1 && !tests_);
}

void innermost_rows::take(value first, int apart, const std::function<void(value, value)>& append,
                          const std::function<void()>& anywhere) {
    constexpr int count = reduction_sizes::widest;
    value_threads::place at = threads_.place_of(first);
    const value room = operands_.extent(of_.rank - 1) - (count - 1) * apart;
    const auto of_one_row = [&] {
        read(at, apart);
        made_.clear();
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            made_.push_back(
                to_.own("one_" + operands_.output_name(i), types::element(of_.reduced[i].accumulated), count));
        if (tests_) {
            const value is_right = to_.variable("in_range", types::boolean, to_.constant(1, types::boolean));
            compute(is_right);
            to_.when(!is_right, [&] { compute({}); });
        } else {
            compute({});
        }
        to_.unrolled("k", count, [&](value k) {
            const value one = to_.variable("one", types::accumulators());
            for (std::size_t i = 0; i < made_.size(); ++i)
                to_.assign_one(to_.member(one, i), to_.at(made_[i], k), first + to_.convert(k * apart, types::number));
            append(k, one);
        });
    };
    to_.when(at.positions.back() < room, of_one_row, anywhere);
}

/// All of them are asked for before the first is needed.
void innermost_rows::read(value_threads::place& first, int apart) {
    constexpr int count = reduction_sizes::widest;
    std::vector<value> places;
    read_.clear();
    for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
        read_.push_back(to_.own("v_" + operands_.input_name(i), types::element(of_.inputs[i].type), count));
        places.push_back(threads_.address(i, first));
    }
    to_.unrolled("k", count, [&](value k) {
        for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
            const operand& each = of_.inputs[i];
            value place = places[i];
            if (each.how == access::contiguous) place = place + k * apart;
            else if (each.how != access::uniform) place = place + k * apart * operands_.stride(each, of_.rank - 1);
            to_.assign(to_.at(read_[i], k), operands_.element(i, place));
        }
    });
}

void innermost_rows::compute(value is_right) {
    to_.unrolled("k", reduction_sizes::widest, [&](value k) {
        operands_.compute([&](std::size_t i) { return to_.at(read_[i], k); },
                          [&](std::size_t i) { return to_.at(made_[i], k); }, {}, is_right);
    });
}

}  // namespace kiln::plan
