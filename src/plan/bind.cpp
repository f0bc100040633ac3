#include <plan/bind.hpp>
#include <plan/iteration.hpp>
#include <plan/partial_sums.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_map>

namespace kiln::plan {

namespace {

using detail::array_node;
using detail::leaf;
using detail::leaf_kind;
using detail::output;
using detail::ownership;

constexpr std::int64_t largest_narrow = std::numeric_limits<std::int32_t>::max();

[[gnu::noinline]] void meet_other(bindings& call, const shape& extents) {
    if (!(*call.iteration == extents)) call.mixed_shapes = true, call.usual = false;
}

inline void meet(bindings& call, const shape& extents) {
    if (!call.iteration) call.iteration = &extents;
    else if (call.iteration != &extents) meet_other(call, extents);
}

/// Takes in an array that no earlier slot held, and that has its number.
[[gnu::always_inline]] inline void add_array(bindings& call, const array_node& node) {
    if (!call.iteration) {
        call.iteration = &node.extents;
        call.on = node.device;
    } else {
        if (call.iteration != &node.extents) meet_other(call, node.extents);
        call.other_devices |= std::bit_cast<std::uintptr_t>(node.device) ^ std::bit_cast<std::uintptr_t>(call.on);
    }
    call.foreign |= static_cast<std::uint8_t>(node.owned);
    call.usual &= node.contiguous;
    if (node.contiguous) call.addresses |= std::bit_cast<std::uintptr_t>(node.data);
}

/// Of calls with views: classify() looks at those that may be of a window.
[[gnu::noinline]] void look_at_storages(bindings& call) {
    for (int i = 0; i < call.array_count; ++i) call.usual &= !is_partial(*call.arrays[static_cast<std::size_t>(i)]);
    call.usual = call.usual && call.array_count < 3;
}

/// Operands may be of no device: positions, the host's memory.
[[gnu::noinline]] void find_device(bindings& call, const output& result, usual_device usual) {
    detail::meeting_device one;
    if (result.where == output::place::through) one.meet(result.target->device);
    for (int i = 0; i < call.array_count; ++i) one.meet(call.arrays[static_cast<std::size_t>(i)]->device);
    call.on = &one.or_else(usual);
}

/// Whether a position is one that is there, for all of that one's shape: positions along an axis of a row, and of a table of such rows.
bool is_broadcast_to(const array_node& there, const array_node& node) noexcept {
    const auto is_plain = [](const array_node& of) {
        return of.owned == ownership::position && of.free_axis == array_node::no_axis &&
               !(of.map && detail::moves(*of.map));
    };
    const int more = there.extents.rank() - node.extents.rank();
    if (!is_plain(there) || !is_plain(node) || there.data != node.data || more < 0) return false;
    for (int axis = 0; axis < there.extents.rank(); ++axis) {
        const std::int64_t extent = axis < more ? 1 : node.extents[axis - more];
        const std::int64_t step = extent == 1 ? 0 : node.strides[axis - more];
        if (extent != 1 && extent != there.extents[axis]) return false;
        if ((there.extents[axis] == 1 ? 0 : there.strides[axis]) != step) return false;
    }
    return true;
}

/// Of calls with one output, whose shape is that of all leaves.
bool says_the_same(const array_node& there, const array_node& node, bool has_one_shape) noexcept {
    return detail::same_view(there, node) || (has_one_shape && is_broadcast_to(there, node));
}

/// The number of an array that says the same as `node`, a view or a position; else `count`. An expression that is put together with
/// others is viewed leaf by leaf, so that what stood several times in it is several views. Loads of one are one. Where a map looks up is
/// said by each that takes from it (program.hpp), so that they share what they take from, too: the four neighbours of a pixel one table.
[[gnu::noinline]] int number_of_same_view(const bindings& call, int count, const array_node& node) noexcept {
    const array_node* const* const arrays = call.arrays.data();
    int number = 0;
    while (number < count && !says_the_same(*arrays[number], node, call.output_count == 1)) ++number;
    return number;
}

bool may_be_again(const array_node& node) noexcept {
    return node.owned == ownership::view || node.owned == ownership::position;
}

bool same_number(const leaf& left, const leaf& right) noexcept {
    // The value too: threads count their captures by themselves. One that a leaf only borrows has 16 bytes.
    return left.kind == leaf_kind::scalar && left.capture == right.capture && left.bits == right.bits &&
           !left.object == !right.object && (!left.object || std::memcmp(left.object, right.object, 16) == 0);
}

/// What stands at a leaf that is no array. Most numbers are captured in the order in which they stand, so that the newest
/// so far tells at once that one is new; and if not, the numbers of an expression were captured one after the other, so that
/// the last bits do.
[[gnu::noinline]] std::int32_t number_other(bindings& call, const leaf* each) noexcept {
    if (each->kind == leaf_kind::extent) meet(call, *static_cast<const shape*>(each->object));
    if (each->kind == leaf_kind::baked) {
        call.usual = false;
        return call_class::is_baked;
    }
    if (each->kind != leaf_kind::scalar || each->capture == 0) return call_class::no_number;
    const std::uint64_t bit = std::uint64_t{1} << (each->capture % 64);
    const bool is_new = each->capture > call.newest_capture || !(call.captures & bit);
    call.captures |= bit;
    if (is_new) {
        call.newest_capture = std::max(call.newest_capture, each->capture);
        return call_class::no_number;
    }
    for (const leaf* earlier = call.leaves; earlier != each; ++earlier)
        if (same_number(*earlier, *each)) return call_class::copied - static_cast<std::int32_t>(earlier - call.leaves);
    return call_class::no_number;
}

/// Numbers the distinct arrays into the class, and counts the leaves that are the output's target. Looking through the
/// arrays one by one beats any table for the usual few.
std::uint8_t* number_leaves(bindings& call, std::uint8_t* next, const array_node* target) {
    // Locals: a byte written to the class might be any of the members for all the compiler knows.
    const array_node** const arrays = call.arrays.data();
    int count = 0;
    int target_leaves = 0;
    const array_node* last = nullptr;
    int last_is_target = 0;
    int number = -1;
    for (const leaf *each = call.leaves, *const end = each + call.leaf_count; each != end; ++each) {
        if (each->kind == leaf_kind::array) [[likely]] {
            const auto* node = static_cast<const array_node*>(each->object);
            if (node != last) {
                last = node;
                last_is_target = node == target;
                number = 0;
                while (number < count && arrays[number] != node) ++number;
                if (number == count &&
                    (count == 0 || !may_be_again(*node) || (number = number_of_same_view(call, count, *node)) == count))
                    arrays[count++] = node, add_array(call, *node);
            }
            target_leaves += last_is_target;
            *next++ = static_cast<std::uint8_t>(number);
        } else {
            *next++ = static_cast<std::uint8_t>(number_other(call, each));
        }
    }
    call.array_count = count;
    call.target_leaves = target_leaves;
    return next;
}

/// The same for long expressions, by a table.
[[gnu::noinline]] std::uint8_t* number_many_leaves(bindings& call, std::uint8_t* next, const array_node* target) {
    std::unordered_map<const array_node*, std::int32_t> numbers;
    std::unordered_map<std::uint32_t, std::int32_t> scalars;
    std::unordered_multimap<const std::byte*, std::int32_t> views;  // by their first elements
    const auto number_of_same_view = [&](const array_node& node) {
        if (!may_be_again(node)) return call.array_count;
        const auto [begin, end] = views.equal_range(node.data);
        const auto same = std::find_if(begin, end, [&](const auto& each) {
            return says_the_same(*call.arrays[static_cast<std::size_t>(each.second)], node, call.output_count == 1);
        });
        if (same != end) return same->second;
        views.emplace(node.data, call.array_count);
        return call.array_count;
    };
    for (int slot = 0; slot < call.leaf_count; ++slot) {
        const leaf& each = call.leaves[slot];
        std::int32_t number = call_class::no_number;
        if (each.kind == leaf_kind::scalar && each.capture != 0) {
            const auto [found, is_new] = scalars.try_emplace(each.capture, slot);
            if (!is_new && same_number(call.leaves[found->second], each)) number = call_class::copied - found->second;
        } else if (each.kind == leaf_kind::array) {
            const auto* node = static_cast<const array_node*>(each.object);
            const auto [found, is_new] = numbers.try_emplace(node, call.array_count);
            if (is_new) found->second = number_of_same_view(*node);
            if (found->second == call.array_count)
                call.arrays[static_cast<std::size_t>(call.array_count++)] = node, add_array(call, *node);
            call.target_leaves += node == target;
            number = found->second;
        } else if (each.kind == leaf_kind::extent) {
            meet(call, *static_cast<const shape*>(each.object));
        } else if (each.kind == leaf_kind::baked) {
            call.usual = false;
            number = call_class::is_baked;
        }
        std::memcpy(next, &number, sizeof number);
        next += sizeof number;
    }
    return next;
}

/// Whether nobody could see the target's buffer change: its only owners are the target itself and, where the expression
/// is a temporary, the expression's own leaves; and each of those reads the position that is written.
bool may_reuse(const bindings& call, const output& result) {
    const array_node& target = *result.target;
    if (target.owned != ownership::owner || target.device != call.on) return false;
    if (call.iteration != &target.extents && !(*call.iteration == target.extents)) return false;
    const std::int32_t owners = 1 + (result.discount_leaves ? call.target_leaves : 0);
    if (target.references.load(std::memory_order_acquire) != owners) return false;
    if (call.user_memory())
        for (int i = 0; i < call.array_count; ++i) {
            const array_node& read = *call.arrays[static_cast<std::size_t>(i)];
            if (overlap(read, target) && !same_elements(read, target)) return false;
        }
    return true;
}

void place_output(bindings& call, const output& result) {
    const array_node& target = *result.target;
    call.reused = result.where == output::place::through || may_reuse(call, result);
    if (!call.reused) return;
    call.usual &= target.contiguous;
    if (target.contiguous) call.addresses |= std::bit_cast<std::uintptr_t>(target.data);
    call.aliased = call.target_leaves > 0;
    // Two owners are apart; a view, or memory of the user's, has to be looked at.
    if (call.foreign | static_cast<std::uint8_t>(target.owned)) {
        call.usual &= !is_partial(target);
        for (int i = 0; i < call.array_count; ++i)
            call.aliased |= overlap(*call.arrays[static_cast<std::size_t>(i)], target);
    }
}

/// Puts the baked leaves into the class.
std::uint8_t* bake(bindings& call, std::uint8_t* next) {
    next = call.kind.make_room(next, 8 * static_cast<std::size_t>(call.leaf_count));
    for (int slot = 0; slot < call.leaf_count; ++slot)
        if (call.leaves[slot].kind == leaf_kind::baked) {
            std::memcpy(next, &call.leaves[slot].bits, sizeof(std::uint64_t));
            next += sizeof(std::uint64_t);
        }
    return next;
}

}  // namespace

bool overlap(const array_node& left, const array_node& right) noexcept {
    if (left.extents.size() == 0 || right.extents.size() == 0) return false;
    if (left.owned == ownership::position || right.owned == ownership::position) return false;
    // Two buffers that kiln allocated are apart; only views of one buffer, and memory of the user's, can meet.
    if (left.owned <= ownership::view && right.owned <= ownership::view && &left.storage() != &right.storage())
        return false;
    // A map may reach anything of what it is a view of.
    const detail::byte_range a = bytes_between(left.map ? left.storage() : left);
    const detail::byte_range b = bytes_between(right.map ? right.storage() : right);
    return a.begin < b.end && b.begin < a.end;
}

bool same_elements(const array_node& left, const array_node& right) noexcept {
    if (&left == &right) return true;
    if (left.map || right.map) return false;
    if (left.data != right.data || left.type != right.type || !(left.extents == right.extents)) return false;
    for (int axis = 0; axis < left.extents.rank(); ++axis)
        if (left.extents[axis] > 1 && left.strides[axis] != right.strides[axis]) return false;
    return true;
}

void bind(bindings& call, std::uint16_t salt, usual_device usual,
          const std::function<const output_leaves&()>* leaves_of) {
    std::uint8_t* next = call.kind.first_byte();
    const output& result = call.outputs[0];
    if (result.where == output::place::through) {
        call.iteration = &result.target->extents;
        call.on = result.target->device;
    }
    if (result.call_is != output::reducing::nothing) {
        call.reduces = true;
        call.reduced_axes = result.reduced_axes;
        call.usual = false;
    }
    next = call.leaf_count > call_class::most_short_slots ? number_many_leaves(call, next, result.target)
                                                          : number_leaves(call, next, result.target);
    if (!call.on || call.other_devices) [[unlikely]]
        find_device(call, result, usual);
    if (call.foreign & static_cast<std::uint8_t>(ownership::view)) [[unlikely]]
        look_at_storages(call);
    if (!call.usual) [[unlikely]]
        resolve_shapes(call, leaves_of);
    call.element_count = call.iteration->size();
    call.wide_index = call.element_count > largest_narrow;
    // Only a single output can have a place of its own; several are always fresh.
    if (call.output_count == 1 && result.target) place_output(call, result);
    if (!call.usual) [[unlikely]]
        next = classify(call, bake(call, next), call.on->call_tag & calls_of_host ? frame::host : frame::cuda);
    const std::uint64_t alignment = call.addresses & (std::uintptr_t{0} - call.addresses);  // its lowest bit
    call.kind.finish(next, salt | call.on->call_tag | static_cast<std::uint64_t>(call.wide_index) << 8 |
                               static_cast<std::uint64_t>(call.aliased) << 9 | alignment << 16);
}

}  // namespace kiln::plan
