#include <stage/one_iteration.hpp>

#include <capture/array_node.hpp>
#include <capture/row_passes.hpp>
#include <stage/product_operands.hpp>

#include <algorithm>

namespace kiln::stage {

using namespace kiln::detail;

bool one_iteration(const leaf* leaves, const int* leaf_ends, const reduction_call* calls, output* outputs,
                   int output_count, bool stores_elements, shape& whole) {
    const reduction_call* first = nullptr;
    std::uint8_t axes = 0;
    for (int i = 0, begin = 0; i < output_count; begin = leaf_ends[i++]) {
        if (outputs[i].where == output::place::through) return false;
        const shape extents = broadcast_leaves(leaves + begin, leaf_ends[i] - begin);
        if (i == 0) whole = extents;
        else if (!(extents == whole)) return false;
        if (calls[i].what == reduction_kind::none) continue;
        const std::uint8_t over = reduced_axes(whole, *calls[i].over, called_by_users(calls[i].what));
        if (first && over != axes) return false;
        if (calls[i].what == reduction_kind::dot && output_count > 1) return false;  // in an order of its own
        if (keeps_state(calls[i].what) && is_read_twice(calls[i].what, whole, over)) return false;  // two reductions
        first = &calls[i];
        axes = over;
    }
    if (whole.size() == 0) return false;
    for (int i = 0; i < output_count; ++i) {
        if (calls[i].what == reduction_kind::none && !stores_elements) return false;
        const bool is_product = calls[i].what == reduction_kind::dot;
        outputs[i].call_is = is_product ? output::reducing::sums_of_products : output::reducing::outputs;
        outputs[i].reduces = calls[i].what != reduction_kind::none;
        outputs[i].reduced_axes = axes;
    }
    return true;
}

bool reads_across(const leaf* leaves, const int* leaf_ends, const output* outputs, int output_count,
                  const shape& whole) {
    const bool are_only_reductions =
        std::all_of(outputs, outputs + output_count, [](const output& each) { return each.reduces; });
    for (int i = 0, begin = 0; i < output_count; begin = leaf_ends[i++]) {
        if (!outputs[i].reduces) continue;
        for (int at = begin; at < leaf_ends[i]; ++at) {
            if (leaves[at].kind != leaf_kind::array) continue;
            const auto& node = *static_cast<const array_node*>(leaves[at].object);
            if (is_read_across(node, whole, outputs[i].reduced_axes, are_only_reductions)) return true;
        }
    }
    return false;
}

}  // namespace kiln::stage
