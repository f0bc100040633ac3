#include <stage/library_products.hpp>

#include <capture/array_node.hpp>

#include <algorithm>
#include <utility>

namespace kiln::stage {

using namespace kiln::detail;

namespace {

constexpr std::int64_t most_extent = 2147483647;  // a library's int

bool is_type_of_libraries(element_type type) {
    return kind_of(type) == element_kind::floating || kind_of(type) == element_kind::complex;
}

/// An array, without the casts that make float32 of 16 bits.
const handle<term>* array_of(const handle<term>& factor, element_type type) {
    const handle<term>* out = &factor;
    if ((*out).get()->what == term::kind::operation && (*out).get()->code == operation::cast &&
        (*out).get()->type == element_type::float32 && bytes_of(type) == 2)
        out = &(*out).get()->args[0];
    const term& of = *out->get();
    if (of.what != term::kind::array || of.type != type) return nullptr;
    const array_node& node = *of.node.get();
    const bool is_in_memory = !node.map && node.owned != ownership::position && node.owned != ownership::host_user &&
                              node.free_axis == array_node::no_axis;
    return is_in_memory ? out : nullptr;
}

/// The stride along an axis of what is iterated over: 0 where the array is broadcast.
std::int64_t stride_along(const array_node& node, const shape& of, int axis) {
    const int own = axis - (of.rank() - node.extents.rank());
    return own < 0 || node.extents[own] == 1 ? 0 : node.strides[own];
}

/// The axes before the last three, as one.
std::optional<std::int64_t> batch_stride(const array_node& node, const shape& of) {
    std::int64_t stride = 0;
    std::int64_t inner = 0;  // batches of the axes behind
    for (int axis = of.rank() - 3; axis-- > 0;) {
        if (of[axis] == 1) continue;
        const std::int64_t own = stride_along(node, of, axis);
        if (inner == 0) {
            stride = own;
            inner = 1;
        } else if (own != stride * inner) {
            return std::nullopt;
        }
        inner *= of[axis];
    }
    return stride < 0 ? std::nullopt : std::optional(stride);
}

/// `across`: from one row to the next; `along`: from one element of a row to the next.
std::optional<product::matrix> matrix_of(std::int64_t rows, std::int64_t across, std::int64_t columns,
                                         std::int64_t along) {
    const auto fits = [](std::int64_t line, std::int64_t stride, std::int64_t lines) {
        return (lines == 1 || stride >= line) && stride <= most_extent;
    };
    if ((along == 1 || columns == 1) && fits(columns, across, rows))
        return product::matrix{false, std::max(across, columns), 0};
    if ((across == 1 || rows == 1) && fits(rows, along, columns))
        return product::matrix{true, std::max(along, rows), 0};
    return std::nullopt;
}

}  // namespace

std::optional<found_product> find_library_product(const reduction_group& group, const library_multiplies& multiplies) {
    if (!multiplies || group.results.size() != 1 || group.persistent_rows || group.nested || group.crossed ||
        group.of_roots || group.of_elements)
        return std::nullopt;
    const reduction_group::result& only = group.results.front();
    const bool is_dot = only.of->reduces == reduction_kind::dot;
    const shape& of = group.of;
    const int summed = of.rank() - 2;
    const bool is_sum = is_dot || (only.of->reduces == reduction_kind::sum && !only.of->scans &&
                                   only.of->segments.count == 0 && only.of->sorts.what == sorted_rows::to::nothing);
    if (!is_sum || of.rank() < 3 || group.axes != 1 << summed || of.size() == 0) return std::nullopt;
    const element_type type = only.of->type;
    const term& factors = *only.computed.get();
    if (!is_type_of_libraries(type) || (bytes_of(type) == 2 && !is_dot) || factors.what != term::kind::operation ||
        factors.code != operation::mul || factors.type != (is_dot ? element_type::float32 : type))
        return std::nullopt;

    const handle<term>* left = array_of(factors.args[0], type);
    const handle<term>* right = array_of(factors.args[1], type);
    if (!left || !right) return std::nullopt;
    const auto stride = [&](const handle<term>* operand, int from_end) {
        return stride_along(*(*operand).get()->node.get(), of, of.rank() - from_end);
    };
    // The left one is the same in every column, the right one in every row.
    if (stride(left, 1) != 0) std::swap(left, right);
    if (stride(left, 1) != 0 || stride(right, 3) != 0) return std::nullopt;

    product how;
    how.type = type;
    how.rows = of[of.rank() - 3];
    how.terms = of[summed];
    how.columns = of[of.rank() - 1];
    how.batch = of.size() / (how.rows * how.terms * how.columns);
    if (std::max({how.batch, how.rows, how.terms, how.columns}) > most_extent) return std::nullopt;
    // An operand that is broadcast along its own axis has no matrix in memory.
    if ((how.terms > 1 && (stride(left, 2) == 0 || stride(right, 2) == 0)) || (how.rows > 1 && stride(left, 3) == 0) ||
        (how.columns > 1 && stride(right, 1) == 0))
        return std::nullopt;
    const auto left_matrix = matrix_of(how.rows, stride(left, 3), how.terms, stride(left, 2));
    const auto right_matrix = matrix_of(how.terms, stride(right, 2), how.columns, stride(right, 1));
    const auto left_batch = batch_stride(*(*left).get()->node.get(), of);
    const auto right_batch = batch_stride(*(*right).get()->node.get(), of);
    if (!left_matrix || !right_matrix || !left_batch || !right_batch) return std::nullopt;
    how.left = *left_matrix;
    how.right = *right_matrix;
    how.left.batch_stride = *left_batch;
    how.right.batch_stride = *right_batch;
    return multiplies(how) ? std::optional(found_product{how, *left, *right}) : std::nullopt;
}

}  // namespace kiln::stage
