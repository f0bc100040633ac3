#include <capture/same_terms.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

bool same_nodes(const array_node* left, const array_node* right) {
    if (left == right) return true;
    if (!left || !right) return false;
    // What stands for arguments has one address: who owns memory is told apart by its node.
    const array_node& one = left->storage();
    const array_node& other = right->storage();
    if (one.owned == ownership::owner && &one != &other) return false;
    if (left->type != right->type || left->owned != right->owned || left->data != right->data ||
        left->free_axis != right->free_axis || !(left->extents == right->extents) ||
        !std::equal(left->strides, left->strides + left->extents.rank(), right->strides))
        return false;
    return left->map && right->map ? *left->map == *right->map : left->map == right->map;
}

}  // namespace

bool same_alone(const term& left, const term& right) {
    return left.what == right.what && left.code == right.code && left.type == right.type &&
           left.arg_count == right.arg_count && left.bits[0] == right.bits[0] && left.bits[1] == right.bits[1] &&
           same_nodes(left.node.get(), right.node.get()) && left.extents == right.extents &&
           left.along == right.along && left.reduces == right.reduces && left.scans == right.scans &&
           left.sorts == right.sorts && left.keeps_axes == right.keeps_axes && left.segments == right.segments &&
           left.over.all() == right.over.all() &&
           std::equal(left.over.begin(), left.over.end(), right.over.begin(), right.over.end()) &&
           !left.view == !right.view && (!left.view || *left.view == *right.view);
}

bool same_terms(const std::vector<handle<term>>& left, const std::vector<handle<term>>& right) {
    if (left.size() != right.size()) return false;
    std::unordered_map<const term*, const term*> partner;  // of each term on the left: what it was compared with last
    std::vector<std::pair<const term*, const term*>> open;
    for (std::size_t i = 0; i < left.size(); ++i) open.emplace_back(left[i].get(), right[i].get());
    while (!open.empty()) {
        const auto [one, other] = open.back();
        open.pop_back();
        if (one == other) continue;
        if (!one || !other) return false;
        const term*& known = partner[one];
        if (known == other) continue;
        known = other;
        if (!same_alone(*one, *other)) return false;
        for (int i = 0; i < max_operands; ++i) open.emplace_back(one->args[i].get(), other->args[i].get());
    }
    return true;
}

}  // namespace kiln::inline v0_1::detail
