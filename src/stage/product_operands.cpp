#include <stage/product_operands.hpp>

#include <capture/array_node.hpp>
#include <capture/reduced.hpp>
#include <stage/product_values.hpp>
#include <stage/whole_rows.hpp>

#include <optional>
#include <unordered_map>
#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

constexpr std::int64_t most_copied_bytes = 16;

/// An array that has an element of 16 bits for each of that shape, in whole rows.
bool has_each_of(const term& array, const shape& extents) {
    if (!is_plain_array(array) || bytes_of(array.type) != 2 || !(array.node.get()->extents == extents)) return false;
    for (int axis = 0; axis < extents.rank(); ++axis)
        if (extents[axis] > 1 && array.node.get()->strides[axis] == 0) return false;
    return has_whole_rows(*array.node.get());
}

bool takes_few_instructions(operation code) {
    switch (code) {
        case operation::add:
        case operation::sub:
        case operation::mul:
        case operation::neg:
        case operation::abs:
        case operation::square:
        case operation::min:
        case operation::max:
        case operation::clamp:
        case operation::where:
        case operation::lt:
        case operation::le:
        case operation::gt:
        case operation::ge:
        case operation::cast: return true;
        default: return false;
    }
}

/// With whole rows, as it is seen.
handle<term> copied(const whole_rows& of, element_type type, const computed_before& before) {
    return make_array_term(of.seen_in(before(of.computed())), type);
}

handle<term> as_array(const handle<term>& operand, const shape& product, const computed_before& before) {
    constexpr std::int64_t worth_copies = std::int64_t{1} << 27;
    constexpr std::int64_t of_one_tile = 64;  // rows and columns, which read each element once
    const int last = product.rank() - 1;
    const bool is_read_again = product[last] > of_one_tile || product[last - 2] > of_one_tile;
    const bool is_array = is_plain_array(*operand.get());
    const bool is_whole = is_array && has_whole_rows(*operand.get()->node.get());
    if (product.size() >= worth_copies && is_read_again && !is_whole)
        return copied(whole_rows(operand), operand.get()->type, before);
    return is_array ? operand : make_array_term(before(operand), operand.get()->type);
}

/// The operands of popcount(left & right), perhaps as a wider integer; arrays.
struct common_bits {
    handle<term> left, right;
};
std::optional<common_bits> common_bits_of(const term& root) {
    const term* of = &root;
    const auto is = [&of](operation code) { return of->what == term::kind::operation && of->code == code; };
    while (is(operation::cast)) of = of->args[0].get();
    if (!is(operation::popcount)) return {};
    of = of->args[0].get();
    if (!is(operation::bit_and)) return {};
    if (of->args[0].get()->what != term::kind::array || of->args[1].get()->what != term::kind::array) return {};
    return common_bits{of->args[0], of->args[1]};
}

/// Operations on arrays, with other arrays in place of some.
handle<term> with_arrays(const handle<term>& root, const std::unordered_map<const term*, handle<term>>& of) {
    std::unordered_map<const term*, handle<term>> made = of;
    term_table seen;
    each_term(
        root.get(), seen, [](const term& each) { return each.what != term::kind::operation; },
        [&](const term& each) {
            if (made.count(&each)) return;
            made.emplace(&each,
                         each.what == term::kind::operation
                             ? copy_with_operands(each, [&](const handle<term>& arg) { return made.at(arg.get()); })
                             : share(&each));
        });
    return made.at(root.get());
}

}  // namespace

std::optional<operand_work> work_of_operand(const term& of) {
    if (of.what != term::kind::operation) return {};
    operand_work out{broadcast_leaves(share(&of))};
    bool is_known = true;
    term_table seen;
    each_term(
        &of, seen, [](const term& each) { return each.what != term::kind::operation; },
        [&](const term& each) {
            if (each.what == term::kind::operation) {
                ++out.operations;
                out.has_functions = out.has_functions || !takes_few_instructions(each.code);
            } else if (each.what == term::kind::array) {
                ++out.arrays;
                is_known = is_known && has_each_of(each, out.extents);
            } else {
                is_known = is_known && (each.what == term::kind::scalar || each.what == term::kind::constant);
            }
        });
    if (!is_known || out.arrays == 0) return {};
    return out;
}

bool will_have_whole_rows(const term& of) {
    if (is_plain_array(of)) return has_whole_rows(*of.node.get());
    if (work_of_operand(of)) return true;
    const shape extents = broadcast_leaves(share(&of));
    for (int axis = extents.rank(); axis-- > 0;)
        if (extents[axis] != 1) return extents[axis] * bytes_of(of.type) % most_copied_bytes == 0;
    return false;
}

handle<term> product_of_operands(const term& product, const shape& of, made_by_product made,
                                 const computed_before& before) {
    handle<term> operands[2];
    for (int i = 0; i < 2; ++i) {
        // A number where 16 bits became 32.
        handle<term> operand = product.args[i].get()->args[0];
        if (!made[static_cast<std::size_t>(i)]) operand = as_array(operand, of, before);
        operands[i] = make_operation_term(operation::cast, element_type::float32, std::move(operand));
    }
    return make_operation_term(operation::mul, element_type::float32, std::move(operands[0]), std::move(operands[1]));
}

namespace {

/// Whether neighbours along this axis of an array are lines of memory apart, and so many that they have left the first cache when the next
/// elements of their lines are asked for: a transposed matrix.
bool is_walked_across(const array_node& of, int along) {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 30;  // of memory for the copy
    constexpr std::int64_t many_lines = 64;
    constexpr std::int64_t beside = 16;
    if (of.extents[along] < many_lines || of.extents.size() * bytes_of(of.type) > most_bytes) return false;
    for (int axis = 0; axis < along; ++axis)
        if (of.strides[axis] == 1 && of.extents[axis] >= beside) return true;
    return false;
}

/// Whether rows over the last axis alone, all of whose matrices lie across, are reduced side by side (plan/side_by_side.hpp), which needs no copy.
bool are_side_by_side(const term& operand, reduction_kind what, const shape& whole, std::uint8_t axes) {
    const int last = whole.rank() - 1;
    for (int axis = 0; axis < last; ++axis)
        if (whole[axis] > 1 && (axes >> axis & 1)) return false;
    bool out = !keeps_state(what) && info(what).result != reduced_to::position;
    term_table seen;
    each_term(
        &operand, seen, [](const term& each) { return each.what != term::kind::operation; },
        [&](const term& each) {
            if (each.what == term::kind::operation)
                out = out && (takes_few_instructions(each.code) || each.code == operation::div);
            if (each.what != term::kind::array) return;
            const array_node& of = *each.node.get();
            const int inner = of.extents.rank() - 1;
            if (inner >= 1 && of.extents[inner] == whole[last] && of.extents.size() > whole[last])
                out = out && is_walked_across(of, inner);
        });
    return out;
}

}  // namespace

bool is_read_across(const array_node& of, const shape& whole, std::uint8_t axes, bool may_be_once) {
    constexpr std::int64_t often = 8;
    constexpr std::int64_t many = 1 << 16;  // of fewer a kernel more takes longer
    if (whole.size() < many) return false;
    if (of.map || of.owned == ownership::position || of.free_axis != array_node::no_axis) return false;
    const int last = whole.rank() - 1;
    const int before = whole.rank() - of.extents.rank();
    int inner = of.extents.rank() - 1;
    int axes_of_array = 0;
    while (inner >= 0 && of.extents[inner] == 1) --inner;
    for (int axis = 0; axis <= inner; ++axis) {
        if (of.extents[axis] > 1 && of.strides[axis] == 0) return false;
        axes_of_array += of.extents[axis] > 1;
    }
    if (inner < 0 || of.strides[inner] == 1) return false;
    const bool has_last = inner + before == last;
    const bool is_walked_once = may_be_once && is_walked_across(of, inner);
    if (axes >> last & 1) return has_last && is_walked_once;
    // Without neighbours of values, a matrix whose rows these are made of.
    const bool is_of_rows = axes_of_array > 1 && (axes >> (inner + before) & 1);
    return (has_last || is_of_rows) && (is_walked_once || whole.size() >= often * of.extents.size());
}

handle<term> with_copies_of_read_across(const handle<term>& computed, reduction_kind what, const shape& whole,
                                        std::uint8_t axes, bool are_only_reductions, const computed_before& before) {
    if (whole.rank() == 0) return computed;
    const bool rows_go = axes >> (whole.rank() - 1) & 1;
    if (rows_go && are_side_by_side(*computed.get(), what, whole, axes)) return computed;
    std::unordered_map<const term*, handle<term>> copies;
    term_table seen;
    each_term(
        computed.get(), seen, [](const term& each) { return each.what != term::kind::operation; },
        [&](const term& each) {
            if (each.what == term::kind::array && is_read_across(*each.node.get(), whole, axes, are_only_reductions))
                copies.emplace(&each, make_array_term(before(share(&each)), each.type));
        });
    return copies.empty() ? computed : with_arrays(computed, copies);
}

handle<term> common_bits_of_whole_rows(const handle<term>& counted, const shape& of, const computed_before& before) {
    constexpr std::int64_t worth_copies = std::int64_t{1} << 31;  // words
    if (of.size() < worth_copies) return counted;
    const std::optional<common_bits> bits = common_bits_of(*counted.get());
    if (!bits) return counted;
    std::unordered_map<const term*, handle<term>> copies;
    std::optional<whole_rows> first;
    handle<term> of_first;
    for (const handle<term>* const each : {&bits->left, &bits->right}) {
        const term& array = *each->get();
        if (!is_plain_array(array) || has_whole_rows(*array.node.get())) continue;
        const whole_rows rows(*each);
        if (first && have_one_copy(*first, rows)) {
            const array_node& made = of_first.get()->node.get()->storage();
            copies[&array] = make_array_term(rows.seen_in(share(made)), array.type);
            continue;
        }
        copies[&array] = of_first = copied(rows, array.type, before);
        first.emplace(rows);
    }
    return copies.empty() ? counted : with_arrays(counted, copies);
}

}  // namespace kiln::inline v0_1::detail
