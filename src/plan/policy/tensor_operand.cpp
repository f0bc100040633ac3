#include <plan/policy/tensor_operand.hpp>

#include <plan/policy/part_of_body.hpp>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace kiln::plan {

using nest::value;
namespace types = nest::types;

namespace {

/// Of copies: where more are from is worked out for each, in place of registers.
constexpr int most_places = 8;

}  // namespace

tensor_operand::tensor_operand(nest::builder& to, nest::operands& operands, const lower::program& program,
                               const kernel& of, staged_operand staged)
    : to_(to), operands_(operands), of_(of), staged_(std::move(staged)) {
    for (const std::size_t input : staged_.inputs) sources_.push_back({input, {}, {}});
    if (!is_made()) return;
    nest::body made = part_of_body(program, of, "make_" + operands.input_name(staged_.inputs[0]), {staged_.made});
    read_ = made.inputs;
    body_ = to_.body(std::move(made));
}

int tensor_operand::depth_axis() const { return std::countr_zero(of_.reduced_axes); }

nest::type tensor_operand::moved(element_type of, bool as_bits) const {
    if (copied() == 1) return types::element(of);
    return as_bits ? types::bits(of, copied()) : types::vector(of, copied());
}

void tensor_operand::declare() {
    shared_ =
        to_.dynamic_shared("shared_" + operands_.input_name(staged_.inputs[0]), types::element(staged_.type),
                           of_.contraction.stages * staged_.elements(), by_groups() ? nest::bytes_of_eight_lines : 0);
}

void tensor_operand::divide(value thread, value first, const std::vector<value>& positions) {
    first_ = first;
    const std::string& first_name = operands_.input_name(staged_.inputs[0]);
    const int in_line = staged_.length / copied();
    apart_ = of_.threads_per_block / in_line;
    copies_ = staged_.lines / apart_;
    line_ = to_.let("line_of_" + first_name, types::small, thread / in_line);
    in_line_ = to_.let("in_line_of_" + first_name, types::small, thread % in_line * copied());
    if (by_groups()) place_of_groups_ = to_.let("place_of_" + first_name, types::small, line_place(line_));
    std::vector<value> here = positions;
    const value extent = operands_.extent(staged_.axis);
    here[static_cast<std::size_t>(staged_.axis)] =
        staged_.is_turned
            ? to_.let("beside", types::index, to_.least(first + in_line_, (extent - 1) / copied() * copied()))
            : to_.constant(0, types::index);
    here[static_cast<std::size_t>(depth_axis())] = to_.let("along", types::index, staged_.is_turned ? line_ : in_line_);
    for (source& each : sources_) {
        const std::string& name = operands_.input_name(each.input);
        each.stride = operands_.stride(array(each), depth_axis());
        each.next = to_.variable("next_at_" + name, types::index, operands_.address(array(each), name, here));
        if (copies_ <= most_places) {
            each.places = to_.own("places_of_" + name, types::index, copies_);
            to_.unrolled("u", copies_, [&](value u) { to_.assign(to_.at(each.places, u), from(each, u)); });
        }
        if (is_made()) each.elements = to_.own("next_of_" + name, moved(array(each).type, /*as_bits=*/true), copies_);
    }
}

/// Where the thread's copy of a round is from.
value tensor_operand::from(const source& of, value copy) {
    if (staged_.is_turned) return of.next + of.stride * (copy * apart_);
    const value position = to_.least(first_ + (line_ + copy * apart_), operands_.extent(staged_.axis) - 1);
    return of.next + position * operands_.stride(array(of), staged_.axis);
}

value tensor_operand::place(const source& of, value copy) {
    return of.places == nest::none ? from(of, copy) : to_.at(of.places, copy);
}

/// Of groups, where the thread's elements of a line go: of turned ones 64 rows or columns are lines, then the next 64.
value tensor_operand::line_place(value line) {
    const value place =
        nest::swizzled_place(line, in_line_ % nest::line_of_group, [&](value a, value b) { return to_.bit_xor(a, b); });
    const int depth = of_.contraction.depth;
    return staged_.is_turned ? place + in_line_ / nest::line_of_group * (depth * nest::line_of_group) : place;
}

value tensor_operand::place_in_stage(value copy, value line) {
    if (!by_groups()) return line * staged_.pitch + in_line_;
    return apart_ % 8 == 0 ? place_of_groups_ + copy * (apart_ * nest::line_of_group) : line_place(line);
}

void tensor_operand::ask(value first, value reduced) {
    if (!is_made()) return;
    const auto ask_for = [&](value u) {
        for (const source& each : sources_) {
            const nest::type is = moved(array(each).type, /*as_bits=*/true);
            to_.assign(to_.at(each.elements, u), to_.at(operands_.memory_of_input(each.input), place(each, u), is));
        }
    };
    if (staged_.is_turned)
        to_.unrolled("u", copies_,
                     [&](value u) { to_.when(first + (line_ + u * apart_) < reduced, [&] { ask_for(u); }); });
    else to_.when(first + in_line_ < reduced, [&] { to_.unrolled("u", copies_, ask_for); });
}

void tensor_operand::go_on() {
    for (const source& each : sources_) {
        const auto further = [&](value place) { to_.assign(place, place + each.stride * of_.contraction.depth); };
        if (each.places == nest::none) further(each.next);
        else to_.unrolled("u", copies_, [&](value u) { further(to_.at(each.places, u)); });
    }
}

void tensor_operand::bring(value stage, value first, value reduced) {
    if (!reduced.is_there()) {
        each_line(stage, [&](value u, value, value to) { bring_one(to, u); });
    } else if (staged_.is_turned) {
        each_line(stage, [&](value u, value line, value to) {
            to_.when(
                first + line < reduced, [&] { bring_one(to, u); }, [&] { set_zeros(to); });
        });
    } else {  // the same for all of a thread's
        const value left = to_.let("left", types::index, reduced - (first + in_line_));
        to_.when(
            left > 0,
            [&] {
                each_line(stage, [&](value u, value, value to) {
                    bring_one(to, u, copied() > 1 ? to_.least(left, copied()) : value());
                });
            },
            [&] { each_line(stage, [&](value, value, value to) { set_zeros(to); }); });
    }
}

template <class Each>
void tensor_operand::each_line(value stage, Each each) {
    to_.unrolled("u", copies_, [&](value u) {
        const value line = line_ + u * apart_;
        each(u, line,
             to_.at(shared_, stage * staged_.elements() + place_in_stage(u, line),
                    moved(staged_.type, /*as_bits=*/false)));
    });
}

/// `there`: so many of the elements that move at once are.
void tensor_operand::bring_one(value to, value copy, value there) {
    if (is_made()) make(to, copy, there);
    else this->copy(to, copy, there);
}

void tensor_operand::copy(value to, value copy, value there) {
    const source& only = sources_[0];
    const value from = to_.at(operands_.memory_of_input(only.input), place(only, copy), to.is());
    if (copied() * bytes_of(staged_.type) >= 4) to_.copy_async(to, from, there, of_.contraction.by_first_cache);
    else to_.assign(to, from);
}

/// What comes after an operand's end is 0 once it is made, whatever it is made of.
void tensor_operand::make(value to, value copy, value there) {
    std::map<lower::value_id, value> vectors;
    for (const source& each : sources_) {
        const operand& read = array(each);
        const value elements = to_.at(each.elements, copy);
        vectors[read.value] =
            copied() == 1
                ? elements
                : to_.let("v_" + operands_.input_name(each.input),
                          to_.make(nest::operation::reinterpret, types::vector(read.type, copied()), elements));
    }
    std::map<lower::value_id, value> scalars;
    for (std::size_t i = 0; i < of_.scalars.size(); ++i) scalars[of_.scalars[i]] = operands_.scalar(i);
    const value made = to_.variable("made", to.is());
    to_.unrolled("k", copied(), [&](value k) {
        const value one = copied() == 1 ? made : to_.lane(made, k);
        const auto compute = [&] {
            std::vector<value> read;
            for (const lower::value_id each : read_) {
                const auto found = vectors.find(each);
                read.push_back(found == vectors.end() ? scalars.at(each)
                               : copied() == 1        ? found->second
                                                      : to_.lane(found->second, k));
            }
            to_.compute(read, {{one}}, body_);
        };
        if (there.is_there()) to_.when(k < there, compute, [&] { set_zeros(one); });
        else compute();
    });
    to_.assign(to, made);
}

void tensor_operand::set_zeros(value to) {
    to_.assign(to, to_.make(nest::operation::zeros, to.is(), {}, {}, {}, /*are read:*/ 1));
}

}  // namespace kiln::plan
