// kiln/stage/reduction_walk: graphs with reductions in them, and with views of many terms: what one kernel computes of them,
// and the same graphs once that was computed.
// in: terms   out: terms   knows nothing of: devices, text
#pragma once

#include <capture/reduced.hpp>
#include <stage/product_operands.hpp>
#include <stage/written_out_rows.hpp>

#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace kiln::stage {
struct product;  // library_products.hpp
}

namespace kiln::inline v0_1::detail {

/// What one kernel computes: reductions of one shape over the same axes, which read some array together. Of those that
/// need another of the group, rows are persistent; so they are where the roots themselves are computed from the same rows.
/// Or one scan, or what elements come to by segments, by kernels of its own; or the elements of a term that views see.
struct reduction_group {
    struct result {
        const term* of = nullptr;  // the reduction, or the root
        handle<term>
            computed;  // what there is of it in the kernel: the elements to reduce, or of persistent rows the result
        bool of_row = true;  // not of elements
        bool keeps_axes = false;
        handle<term> values;  // by segments: the elements, `computed` being their segments
    };
    shape of;
    std::uint8_t axes = 0;
    bool persistent_rows = false;
    bool nested = false;       // what is reduced is made of reductions over the last axis of `of`
    bool crossed = false;      // the same, but the last axis stays, and all others go
    bool of_roots = false;     // the results are the roots, all of them
    bool of_elements = false;  // the result is a term that views see
    /// The results are made of the values of this product of matrices, which `computed` has in it.
    handle<term> product = {};
    bool of_values =
        false;  // then: of any reduction that tiles are made of, which `computed` has as the kernel takes it
    std::vector<result> results = {};
};

/// Whether rows may be kept: what is computed of them, of which shape, over which axes.
using rows_fit = std::function<bool(const shape& of, std::uint8_t axes, const std::vector<handle<term>>& computed)>;

/// Whether a library multiplies such matrices.
using library_multiplies = std::function<bool(const stage::product&)>;

/// What kernels can do beside reducing.
struct reducing_kernels {
    bool store_elements = false;  // those with persistent rows do in any case
    bool read_host = false;       // memory of the user's on the host, where it lies
    bool tiles = false;           // sums of products of 16-bit floats on tensor cores, of arrays
    rows_fit fits = [](const shape&, std::uint8_t, const std::vector<handle<term>>&) { return false; };
    /// The same of reductions of what reductions over the last axis come to.
    rows_fit nests = [](const shape&, std::uint8_t, const std::vector<handle<term>>&) { return false; };
    /// How rows over the last axis of `of` are combined, where what is made of them may be reduced over `axes` in the kernel that makes them.
    row_order (*order_of_rows)(const shape& of, std::uint8_t axes) = [](const shape&, std::uint8_t) {
        return row_order{};
    };
    /// Whether it is, with the rows written out in what is computed.
    rows_fit writes_out = [](const shape&, std::uint8_t, const std::vector<handle<term>>&) { return false; };
    /// The same of what elements and reductions over the last axis are, reduced over all others.
    rows_fit crosses = [](const shape&, std::uint8_t, const std::vector<handle<term>>&) { return false; };
    /// None: no library is to.
    library_multiplies multiplies = {};
    /// Whether the kernel of a product of matrices on tensor cores makes this of its values.
    rows_fit finishes = [](const shape&, std::uint8_t, const std::vector<handle<term>>&) { return false; };
    /// The same of the kernel that reduces what operands that are broadcast against each other give, in tiles: `computed` has the reduction in it.
    rows_fit finishes_tiles = [](const shape&, std::uint8_t, const std::vector<handle<term>>&) { return false; };
    /// Whether such a kernel makes an operand of a product as it reads it, and no kernel before it does. Asked at every call.
    bool (*makes_operand)(const shape& product, const operand_work& of) = nullptr;
    /// Whether scans cast what they read and write, and go through lines backwards (stage/scan_ends.hpp).
    bool scan_ends = false;
};

/// Takes the reductions, and what becomes an array because of its views, out of a graph: those that others need first.
class reduction_walk {
public:
    /// `with_roots`: the roots' results are whole arrays, which may be stored by the kernel that reduces.
    reduction_walk(const handle<term>* roots, int root_count, reducing_kernels kernels, bool with_roots = true);

    /// What can be computed now; empty when nothing is left but roots.
    [[nodiscard]] std::vector<reduction_group> next();
    /// The result of one, of its own shape.
    void put(const term* reduction, handle<array_node> result);
    /// As given, but that equal reductions are one: these are what groups' results are of.
    [[nodiscard]] const std::vector<handle<term>>& roots() const noexcept { return roots_; }
    /// One of roots() with results in place of reductions; when none is left.
    [[nodiscard]] handle<term> resolved(const handle<term>& root);
    /// The same, with something in the place of a reduction that is not there yet.
    [[nodiscard]] handle<term> resolved(const handle<term>& root, const term& reduction, const handle<term>& instead);

private:
    struct draft;
    struct below;
    struct readers;

    [[nodiscard]] below look_below(const handle<term>& root) const;
    [[nodiscard]] below look_below(const term& reduction) const;
    [[nodiscard]] draft* draft_that_has(std::vector<draft>& drafts, const below& of) const;
    std::vector<reduction_group> next_cut();
    bool join(draft& of, const term& reduction, const below& found);
    bool join_both(std::vector<draft>& drafts, const term& reduction, const below& found);
    [[nodiscard]] bool fits(const draft& of);
    std::optional<reduction_group> nested(const draft& of, std::vector<const term*>& later);
    std::optional<reduction_group> written_out(const draft& of, std::vector<const term*>& later);
    template <class Computed>
    readers readers_of(const draft& of, const std::vector<const term*>& later, Computed computed);
    std::optional<reduction_group> crossed(const draft& of, std::vector<const term*>& later);
    void add_simple(std::vector<draft>& drafts, const term& reduction);
    void unite(std::vector<draft>& drafts);
    void put_off(std::vector<draft>& drafts, std::vector<const term*>& later) const;
    bool join_roots(draft& of);
    bool is_for_library(const draft& of);
    std::optional<std::vector<handle<term>>> made_of_values(const draft& of);
    void go_on_with_values(draft& of, const std::vector<handle<term>>& computed);
    bool join_roots_of_product(draft& of);
    bool join_roots_of_values(draft& of);
    std::optional<reduction_group::result> joined(const handle<term>& root, draft& of, bool persistent_rows,
                                                  std::unordered_map<const term*, handle<term>>& made);
    reduction_group finished(draft& of, const std::vector<const term*>& later);
    [[nodiscard]] const term* computed_as(const draft& of, const term* reduction) const;
    /// Not counting what the terms of `but` need.
    [[nodiscard]] std::unordered_set<const term*> needed_outside(const draft& of, const std::vector<const term*>& later,
                                                                 const std::vector<const term*>& but = {}) const;
    handle<term> with_results(const handle<term>& root, std::unordered_map<const term*, handle<term>>& made);

    std::vector<handle<term>> roots_;
    const reducing_kernels kernels_;
    const bool with_roots_;
    std::vector<const term*> waiting_;  // each after those that it needs
    std::vector<const term*> cut_;      // each before those that it needs
    std::unordered_set<const term*> is_cut_;
    std::unordered_map<const term*, handle<term>> known_;
    struct other_shape {
        const term* of;
        shape extents;
    };
    std::unordered_multimap<const term*, other_shape> put_too_;  // what a result also is, with its axes or without them
    std::vector<handle<term>> alive_;
};

}  // namespace kiln::inline v0_1::detail
