// kiln/plan/iteration: what bind does when operands are not all contiguous and of one shape: shapes broadcast, axes that
// all operands walk alike are merged, each operand gets its class.
// in: bindings whose leaves are numbered   out: the rest of them   knows nothing of: programs, text
#pragma once

#include <plan/bind.hpp>

namespace kiln::plan {

/// How one operand's memory is reached, before axes are merged.
struct reach {
    const shape* extents = nullptr;
    const std::int64_t* strides = nullptr;
    const detail::index_map* map = nullptr;
    std::int8_t free_axis = detail::array_node::no_axis;
    std::int64_t own_strides[max_rank];  // of a fresh output, which has no node: `strides` points here

    reach() = default;
    reach(const reach&) = delete;
};

/// The memory's reach; of the memories that a call starts with (not temporaries).
void find_reach(const bindings& call, int memory, reach& out);

/// By how much a position on an axis of the iteration moves: `by_axis` has the reach's own axes.
std::int64_t coefficient(const bindings& call, const reach& of, const std::int64_t* by_axis, int axis);

/// Sets the iteration's shape, and the outputs' where they differ. Throws shape_error.
void resolve_shapes(bindings& call, const std::function<const output_leaves&()>* leaves_of);

/// Merges axes, sets classes, alignment and index width, and writes what tells one class of call from another into the
/// key from `next` on. Returns where the key goes on. Short rows are classes of their own on the host.
std::uint8_t* classify(bindings& call, std::uint8_t* next, frame device);

/// Room for `bytes` more (and the last word's rest) in the key from `next` on, which may move.
std::uint8_t* make_room(bindings& call, std::uint8_t* next, std::size_t bytes);

/// Which of the collapsed axes go: axes of both kinds never merge.
std::uint8_t collapsed_reduced_axes(const bindings& call);

/// What an operand is like, as plans hold it: no number in it but which axes and steps count.
operand describe_operand(const bindings& call, int memory);

/// Elements of an operand's memory that a call reads or writes.
std::int64_t touched_elements(const bindings& call, int memory);

}  // namespace kiln::plan
