// kiln/capture/reduced: graphs with reductions in them: their shapes, and the same graphs once reductions were computed.
// in: terms   out: terms   knows nothing of: devices, text
#pragma once

#include <capture/term.hpp>

#include <kiln/reduction.hpp>

#include <unordered_map>
#include <vector>

namespace kiln::detail {

/// Which axes of such a shape go, as bits. Throws shape_error, in the name of the reduction.
std::uint8_t reduced_axes(const shape& of, const axis_list& over, const char* who);
/// What is left of a shape: without those axes, or with extent 1 there.
shape reduced_shape(const shape& of, std::uint8_t axes, bool keep);

/// Reductions of one shape over the same axes, of which none needs another, and which read some array together.
struct reduction_group {
    shape of;
    std::uint8_t axes = 0;
    std::vector<const term*> reductions;
    std::vector<handle<term>> operands;  // without reductions
};

/// Takes the reductions out of a graph, those that others need first.
class reduction_walk {
public:
    explicit reduction_walk(const handle<term>* roots, int root_count);

    /// What can be computed now; empty when no reduction is left.
    [[nodiscard]] std::vector<reduction_group> next();
    /// The result of one, of its own shape.
    void put(const term* reduction, handle<array_node> result);
    /// A root with results in place of reductions; when none is left.
    [[nodiscard]] handle<term> resolved(const handle<term>& root);

private:
    std::vector<const term*> waiting_;  // each after those that it needs
    std::unordered_map<const term*, handle<term>> known_;
    std::vector<handle<term>> alive_;
};

}  // namespace kiln::detail
