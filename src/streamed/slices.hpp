// kiln/streamed/slices: part of an expression's result as an expression of parts of its operands: positions [begin, begin + count) along
// one axis. What is the same for all parts is asked for once.
// in: terms, an axis   out: terms; why there are none   knows nothing of: copies, devices' memory, how large parts should be
#pragma once

#include <capture/term.hpp>
#include <streamed/rolled.hpp>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace kiln::streamed {

using kiln::detail::array_node;
using kiln::detail::handle;
using kiln::detail::term;

/// The expression has no parts along that axis; what() says why, as a clause.
struct not_cuttable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Who makes parts' operands.
struct operand_places {
    /// A part of a host array, no two of which are the same.
    std::function<handle<term>(const handle<array_node>& part)> part;
    /// A host array that every part reads alike: all of it.
    std::function<handle<term>(const handle<array_node>& whole)> whole;
    /// What every part reads alike and is not an array yet: a reduction, or a view of one, of host arrays.
    std::function<handle<term>(const handle<term>& made)> evaluated;
    /// What a reduction of part of its operand comes to, or a scan, which by itself would be added up in another order than the whole: by
    /// that. None: it cannot be.
    std::function<handle<term>(const term& reduction, const handle<term>& part, const shape& whole, std::uint8_t axes)>
        in_order;
    /// A part of a host array that was rolled. None: it is one that every part reads alike.
    std::function<handle<term>(const handle<array_node>& part, const rolled_part& blocks)> rolled = {};
};

/// Whether a reduction's, or a scan's, elements are added up in one order, whole and in part.
using order_is_kept =
    std::function<bool(const term& reduction, const shape& whole, const shape& part, std::uint8_t axes)>;

class slices {
public:
    /// Walks the expression once. `root` stays.
    slices(const handle<term>& root, order_is_kept order);

    [[nodiscard]] element_type type() const { return root_.get()->type; }
    [[nodiscard]] const shape& of_root() const { return shapes_.at(root_.get()); }
    [[nodiscard]] const shape& of(const term& each) const { return shapes_.at(&each); }
    [[nodiscard]] bool reads_host_arrays(const term& of) const { return reads_host_.at(&of); }

    /// Throws not_cuttable, whatever the positions are but for orders of additions, which lengths may change.
    [[nodiscard]] handle<term> part(int axis, std::int64_t begin, std::int64_t count,
                                    const operand_places& places) const;
    /// The whole, element by element, of operands in their places.
    [[nodiscard]] handle<term> whole(const operand_places& places) const;
    /// The whole, nothing of it evaluated before: all host arrays at once.
    [[nodiscard]] handle<term> in_one_piece(const operand_places& places) const;

private:
    handle<term> root_;
    order_is_kept order_;
    std::unordered_map<const term*, shape> shapes_;
    std::unordered_map<const term*, bool> reads_host_;
};

/// Positions [begin, begin + count) along an axis.
kiln::detail::view_spec slice_of(const shape& from, int axis, std::int64_t begin, std::int64_t count);

}  // namespace kiln::streamed
