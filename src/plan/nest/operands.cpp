#include <plan/nest/operands.hpp>

#include <plan/byte_tables.hpp>
#include <plan/partial_sums.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace kiln::plan::nest {

using step_kind = detail::index_step::kind;

operands::operands(builder& to, const lower::program& program, const kernel& of) : to_(to), of_(of) {
    to.made().aliased = of.aliased;
    int arrays = 0;
    int positions = 0;
    for (const operand& each : of.inputs)
        inputs_.push_back({each.is_position ? "index" + std::to_string(positions++) : "x" + std::to_string(arrays++)});
    for (const parameter& each : of.signature) {
        const auto index = static_cast<std::size_t>(each.index);
        switch (each.what) {
            case role::output:
                outputs_.push_back(to.memory_parameter(each, output_name(index), types::element(of.outputs[index].type),
                                                       /*is_written=*/true));
                to.made().memories.back().past_caches = true;
                break;
            case role::input:
                inputs_[index].memory = to.memory_parameter(
                    each, (of.inputs[index].is_partial ? "partial_sums_of_" : "") + inputs_[index].name,
                    types::element(of.inputs[index].type), false);
                break;
            case role::position:
                inputs_[index].first = to.number_parameter(each, inputs_[index].name, types::position);
                break;
            case role::scalar:
                scalars_.push_back(to.number_parameter(each, "s" + std::to_string(index),
                                                       types::element(program.type_of(of.scalars[index]))));
                break;
            case role::divisor:
                divisors_.push_back(to.number_parameter(each, "d" + std::to_string(index), types::position));
                break;
            case role::turned: to.turned_parameter(each); break;
            case role::layout: to.layout_parameter(each, of.layout_words); break;
            case role::workspace:
                workspace_ = to.memory_parameter(each, "workspace", types::accumulators(), true);
                to.made().memories.back().of_many_blocks = true;
                break;
            case role::counters:
                counters_ = to.memory_parameter(each, "counters", types::element(element_type::uint32), true);
                to.made().memories.back().of_many_blocks = true;
                break;
            default: count_ = to.number_parameter(each, "count", types::number);
        }
    }
}

void operands::begin_block(value thread, const std::function<value(std::size_t)>& of_row) {
    finalize_partial_sums(thread);
    if (of_.has_byte_table) make_tables(thread, of_row);
}

void operands::make_tables(value thread, const std::function<value(std::size_t)>& of_row) {
    const std::size_t looked_up = looked_up_in_table(of_);
    std::vector<value> same(inputs_.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        if (i != looked_up) same[i] = of_row(i);
    std::vector<id> made;
    for (std::size_t i = 0; i < outputs_.size(); ++i)
        made.push_back(to_.shared("table_" + output_name(i), types::element(of_.outputs[i].type), values_of_a_byte));
    for (int first = 0; first < values_of_a_byte; first += of_.threads_per_block) {
        const value entry = first == 0 ? thread : to_.let("entry", thread + first);
        const value byte = to_.convert(entry, types::element(of_.inputs[looked_up].type));
        compute([&](std::size_t i) { return i == looked_up ? byte : same[i]; },
                [&](std::size_t i) { return to_.at(made[i], entry); }, {});
    }
    to_.barrier();
    tables_ = std::move(made);
}

// To the bit as the last block of the kernel that left the partial sums would have made it: each of 256 lanes adds up every
// 256th of them; then the lanes of a warp are combined in pairs, then the warps.
void operands::finalize_partial_sums(value thread) {
    constexpr int warps = partial_sum_lanes / warp;
    static_assert(warps == 8);  // pairs of them are written out below
    static_assert(most_partial_sums == 2 * partial_sum_lanes);
    int set_of_type[element_type_count];
    std::fill(std::begin(set_of_type), std::end(set_of_type), -1);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const operand& each = of_.inputs[i];
        if (!each.is_partial) continue;
        const std::string& name = inputs_[i].name;
        int& set = set_of_type[static_cast<int>(each.type)];
        if (set < 0)
            set = to_.set({{{0, {detail::reduction_kind::sum, each.type, each.type}}},
                           std::string("_") + info(each.type).suffix,
                           /*finishes=*/false});
        const auto offset = static_cast<std::int64_t>(partial_sums_offset) / bytes_of(each.type);
        const value count = to_.let("count_of_" + name, to_.word(each.partial_count_word));
        const id of_warps = to_.shared("warps_of_" + name, types::accumulators(set), warps);
        for (int first = 0; first < partial_sum_lanes; first += of_.threads_per_block) {
            const value lane = to_.let("lane_of_" + name, thread + first);
            const auto partial_sum = [&](const char* which, int beyond) {
                const value out = to_.variable(which + name, types::accumulators(set), to_.identity(set));
                to_.when(lane + beyond < count,
                         [&] { to_.assign(to_.member(out, 0), to_.at(inputs_[i].memory, lane + (offset + beyond))); });
                return out;
            };
            const value even = partial_sum("first_of_", 0);
            const value odd = partial_sum("second_of_", partial_sum_lanes);
            const value mine = to_.variable("mine_of_" + name, types::accumulators(set), to_.combine(even, odd));
            to_.halving("apart", warp / 2,
                        [&](value apart) { to_.assign(mine, to_.combine(mine, to_.shuffle_down(mine, apart))); });
            to_.when(lane % warp == 0, [&] { to_.assign(to_.at(of_warps, lane / warp), mine); });
        }
        to_.barrier();
        const auto four = [&](int from) {
            const auto two = [&](int of) { return to_.combine(to_.at(of_warps, of), to_.at(of_warps, of + 4)); };
            return to_.combine(two(from), two(from + 2));
        };
        inputs_[i].sum = to_.let("sum_" + name, to_.member(to_.combine(four(0), four(1)), 0));
    }
}

std::vector<value> operands::positions(value number, int last) {
    std::vector<int> axes(static_cast<std::size_t>(last) + 1);
    std::iota(axes.begin(), axes.end(), 0);
    std::vector<value> out(static_cast<std::size_t>(of_.rank));
    positions(number, axes, out);
    return out;
}

void operands::positions(value number, const std::vector<int>& axes, std::vector<value>& to) {
    const auto place = [&to](int axis) -> value& { return to[static_cast<std::size_t>(axis)]; };
    value rest = number;
    for (std::size_t i = axes.size(); i-- > 1;) {
        const int axis = axes[i];
        const bool is_position = i == 1;  // what is left is one
        const value outer = to_.let((is_position ? "p" : "rest") + std::to_string(axes[i - 1]),
                                    is_position ? types::index : types::number,
                                    to_.quotient(rest, layout_extent(axis), layout_divisor(of_.rank, axis)));
        place(axis) = to_.let("p" + std::to_string(axis), types::index, rest - outer * extent(axis));
        rest = outer;
    }
    if (axes.size() == 1) place(axes[0]) = to_.let("p" + std::to_string(axes[0]), types::index, rest);
    else if (!axes.empty()) place(axes[0]) = rest;
}

void operands::first_positions(value number, int first, int last, std::vector<value>& to) {
    value rest = number;
    for (int axis = last; axis > first; --axis) {
        to[static_cast<std::size_t>(axis)] =
            to_.variable("p" + std::to_string(axis), types::index, rest % extent(axis));
        rest = to_.let("rest" + std::to_string(axis - 1), types::index, rest / extent(axis));
    }
    to[static_cast<std::size_t>(first)] = to_.variable("p" + std::to_string(first), types::index, rest);
}

void operands::next_positions(const std::vector<value>& positions, int first, int last) {
    const auto next = [&](int axis) {
        const value& position = positions[static_cast<std::size_t>(axis)];
        to_.assign(position, position + 1);
    };
    next(last);
    for (int axis = last; axis > first; --axis)
        to_.when(positions[static_cast<std::size_t>(axis)] == extent(axis), [&] {
            to_.assign(positions[static_cast<std::size_t>(axis)], 0);
            next(axis - 1);
        });
}

value operands::linear(const linear_plan& form, const std::vector<value>& positions, const std::vector<value>& steps) {
    value out;
    const auto add = [&out](value term) { out = out.is_there() ? out + term : term; };
    if (form.offset_word >= 0) add(to_.word(form.offset_word));
    int next = form.axis_word;
    for (int axis = 0; axis < of_.rank; ++axis) {
        if (!(form.axes >> axis & 1)) continue;
        const value position = positions[static_cast<std::size_t>(axis)];
        if (form.unit_axes >> axis & 1) {
            add(position);
            continue;
        }
        const int word = next++;
        add(position * (is_known(form, axis) ? to_.constant(form.known_inner, types::index) : to_.word(word)));
    }
    for (const linear_plan::step_word& each : form.steps) {
        const value position = steps[static_cast<std::size_t>(each.step)];
        add(each.word < 0 ? position : position * to_.word(each.word));
    }
    return out.is_there() ? out : to_.constant(0);
}

value operands::step(const step_plan& of, const std::vector<value>& positions, const std::vector<value>& steps) {
    const value from = linear(of.input, positions, steps);
    const value extent = to_.word(of.extent_word);
    const auto make = [&](operation what) { return to_.make(what, types::index, from, extent); };
    switch (of.how) {
        case step_kind::wrap: return make(operation::wrap);
        case step_kind::clamp: return make(operation::clamp);
        case step_kind::mirror: return make(operation::mirror);
        case step_kind::outside: return make(operation::outside);
        default: break;
    }
    if (of.divisor_word < 0) return from / extent;
    return to_.make(operation::convert, types::index, to_.quotient(from, of.extent_word, of.divisor_word));
}

value operands::found(const std::string& name, value lookup, value extent) {
    const value from_first =
        to_.let("from_first_" + name, types::position, to_.select(lookup < 0, lookup + extent, lookup));
    return to_.convert(to_.select(from_first < 0, 0, to_.select(from_first < extent, from_first, extent - 1)),
                       types::index);
}

value operands::address(const operand& of, const std::string& name, const std::vector<value>& positions,
                        const std::vector<value>& lookups) {
    if (kernel::is_known(of)) return known_address(of, name, positions);
    std::vector<value> steps;
    for (const step_plan& each : of.steps) {
        const std::string its_name = name + "_" + std::to_string(steps.size());
        const value here =
            each.how == step_kind::lookup
                ? found(its_name, lookups[static_cast<std::size_t>(each.lookup)], to_.word(each.extent_word))
                : step(each, positions, steps);
        steps.push_back(to_.let(its_name, types::index, here));
    }
    return to_.let("at_" + name, types::index, linear(of.address, positions, steps));
}

value operands::address_of_block(const operand& of, const std::string& name, const std::vector<value>& positions,
                                 int clamped, int elements, value& beyond) {
    std::vector<value> steps;
    for (const step_plan& each : of.steps) {
        const std::string its_name = name + "_" + std::to_string(steps.size());
        if (static_cast<int>(steps.size()) != clamped) {
            steps.push_back(to_.let(its_name, types::index, step(each, positions, steps)));
            continue;
        }
        const value wanted = to_.let("wanted_" + name, types::index, linear(each.input, positions, steps));
        steps.push_back(
            to_.let(its_name, types::index,
                    to_.make(operation::clamp, types::index, wanted, to_.word(each.extent_word) - (elements - 1))));
        beyond = to_.let("beyond_" + name, types::index, wanted - steps.back());
    }
    return to_.let("at_" + name, types::index, linear(of.address, positions, steps));
}

value operands::known_address(const operand& of, const std::string& name, const std::vector<value>& positions) {
    value out;
    for (std::size_t axis = 0; axis < of.shifted.size(); ++axis) {
        const value size = extent(static_cast<int>(axis));
        const int distance = of.shifted[axis];
        value at = positions[axis];
        if (distance != 0)
            at = to_.let(
                name + "_" + std::to_string(axis), types::index,
                to_.make(of.is_position ? operation::outside : operation::clamp, types::index, at + distance, size));
        if (!of.is_position) out = out.is_there() ? out * size + at : at;
        else if (distance != 0) out = out.is_there() ? out + at : at;
    }
    return to_.let("at_" + name, types::index, out);
}

value operands::stride(const operand& of, int axis) {
    if (!(of.address.axes >> axis & 1)) return to_.constant(0);
    if (of.address.unit_axes >> axis & 1) return to_.constant(1);
    if (is_known(of.address, axis)) return to_.constant(of.address.known_inner, types::index);
    int word = of.address.axis_word;
    for (int i = 0; i < axis; ++i) word += (of.address.axes & ~of.address.unit_axes) >> i & 1;
    return to_.word(word);
}

value operands::element(std::size_t of, value place) {
    const input_parameter& input = inputs_[of];
    if (input.sum.is_there()) return input.sum;
    return input.first.is_there() ? input.first + place : to_.at(input.memory, place);
}

bool operands::moves_as_bits(element_type type) const {
    const int lanes = of_.elements_per_thread;
    // Not on chip: columns of one element each have one axis, too, and are looked into.
    return bytes_of(type) < 4 && of_.rank == 1 && lanes > 1 && bytes_of(type) * lanes <= 16 && of_.panel.items == 0;
}

value operands::vector(std::size_t of, value place) {
    const element_type type = of_.inputs[of].type;
    const int lanes = of_.elements_per_thread;
    return to_.at(inputs_[of].memory, place,
                  moves_as_bits(type) ? types::bits(type, lanes) : types::vector(type, lanes));
}

void operands::load_vector(value to, std::size_t of, value place) {
    const element_type type = of_.inputs[of].type;
    if (moves_as_bits(type)) to = to_.make(operation::reinterpret, types::bits(type, of_.elements_per_thread), to);
    to_.assign(to, vector(of, place));
}

value operands::array(std::size_t of) {
    const input_parameter& input = inputs_[of];
    return input.first.is_there() ? input.first : to_.make(operation::whole, types::index, {}, {}, {}, input.memory);
}

void operands::compute(const std::function<value(std::size_t)>& input, const std::function<value(std::size_t)>& output,
                       const std::vector<value>& positions, value is_right) {
    if (!tables_.empty()) {
        const value byte = input(looked_up_in_table(of_));
        const value entry = to_.let("entry", to_.convert(byte, types::small) & (values_of_a_byte - 1));
        for (std::size_t i = 0; i < tables_.size(); ++i) to_.assign(output(i), to_.at(tables_[i], entry));
        return;
    }
    std::vector<value> read;
    for (std::size_t i = 0; i < inputs_.size(); ++i) read.push_back(of_.inputs[i].gathered ? array(i) : input(i));
    read.insert(read.end(), scalars_.begin(), scalars_.end());
    read.insert(read.end(), divisors_.begin(), divisors_.end());
    if (of_.gathers()) {
        read.push_back(to_.make(operation::layout, types::index));
        read.insert(read.end(), positions.begin(), positions.end());
    }
    std::vector<value> stored;
    for (std::size_t i = 0; i < outputs_.size(); ++i) stored.push_back(output(i));
    if (is_right.is_there()) to_.compute_fast(read, stored, is_right);
    else to_.compute(read, stored);
}

}  // namespace kiln::plan::nest
