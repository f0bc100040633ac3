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

bool is_read_across(const array_node& of, const shape& whole, std::uint8_t axes) {
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
    if (last < 0 || (axes >> last & 1) || inner < 0 || of.strides[inner] == 1) return false;
    // Without neighbours of values, a matrix whose rows these are made of.
    const bool is_matrix = axes_of_array > 1 && (axes >> (inner + before) & 1);
    return (inner + before == last || is_matrix) && whole.size() >= often * of.extents.size();
}

handle<term> with_copies_of_read_across(const handle<term>& computed, const shape& whole, std::uint8_t axes,
                                        const computed_before& before) {
    std::unordered_map<const term*, handle<term>> copies;
    term_table seen;
    each_term(
        computed.get(), seen, [](const term& each) { return each.what != term::kind::operation; },
        [&](const term& each) {
            if (each.what == term::kind::array && is_read_across(*each.node.get(), whole, axes))
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
