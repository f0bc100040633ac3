#include <plan/bind.hpp>

#include <fmt/format.h>

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

[[noreturn]] void throw_shapes_differ(const shape& left, const shape& right) {
    throw shape_error(fmt::format("kiln: shapes do not match: {} and {}; operands of one expression have one shape",
                                  to_string(left), to_string(right)));
}

void meet(bindings& call, const shape& extents) {
    if (!call.iteration) call.iteration = &extents;
    else if (call.iteration != &extents && !(*call.iteration == extents)) throw_shapes_differ(*call.iteration, extents);
}

/// Numbers the distinct arrays. Comparing pairwise beats any table for the usual few; long expressions get the table.
class array_numbers {
public:
    explicit array_numbers(bindings& call, int leaf_count) : call_(call), hashed_(leaf_count > 64) {}

    std::int32_t number(const array_node* node) {
        const int next = call_.array_count;
        if (hashed_) {
            const auto [found, is_new] = table_.try_emplace(node, next);
            if (is_new) add(node);
            return found->second;
        }
        for (int i = 0; i < next; ++i)
            if (call_.arrays[static_cast<std::size_t>(i)] == node) return i;
        add(node);
        return next;
    }

private:
    void add(const array_node* node) { call_.arrays[static_cast<std::size_t>(call_.array_count++)] = node; }

    bindings& call_;
    const bool hashed_;
    std::unordered_map<const array_node*, std::int32_t> table_;
};

void number_leaves(bindings& call, const leaf* leaves, int leaf_count) {
    array_numbers numbers(call, leaf_count);
    for (int slot = 0; slot < leaf_count; ++slot) {
        const leaf& each = leaves[slot];
        std::int32_t number = -1;
        if (each.kind == leaf_kind::array) {
            const auto* node = static_cast<const array_node*>(each.object);
            meet(call, node->extents);
            number = numbers.number(node);
        } else if (each.kind == leaf_kind::extent) {
            meet(call, *static_cast<const shape*>(each.object));
        }
        call.array_of_slot[static_cast<std::size_t>(slot)] = number;
    }
}

std::uintptr_t address(const array_node& node) { return std::bit_cast<std::uintptr_t>(node.data); }

/// Whether nobody could see the target's buffer change: its only owners are the target itself and, where the expression
/// is a temporary, the expression's own leaves; and each of those reads the position that is written.
bool may_reuse(const bindings& call, const leaf* leaves, int leaf_count, const output& result) {
    const array_node& target = *result.target;
    std::int32_t owners = 1;
    if (result.discount_leaves)
        for (int slot = 0; slot < leaf_count; ++slot) owners += leaves[slot].object == &target;
    if (target.references.load(std::memory_order_acquire) != owners) return false;
    if (target.owned != ownership::owner || !(target.extents == *call.iteration)) return false;
    for (int i = 0; i < call.array_count; ++i) {
        const array_node& read = *call.arrays[static_cast<std::size_t>(i)];
        if (read.owned > ownership::view && overlap(read, target) && !same_elements(read, target)) return false;
    }
    return true;
}

/// The key's second byte and what it stands for.
void place_outputs(bindings& call, const leaf* leaves, int leaf_count, const output* outputs, int output_count) {
    std::uintptr_t addresses = 0;
    for (int i = 0; i < output_count; ++i) {
        const output& result = outputs[i];
        bool reused = result.where == output::place::through;
        if (result.where == output::place::reuse && result.target)
            reused = may_reuse(call, leaves, leaf_count, result);
        call.reused[static_cast<std::size_t>(i)] = reused;
        const bool contiguous = !reused || result.target->contiguous;
        call.classes[static_cast<std::size_t>(call.array_count + i)] = contiguous ? access::contiguous : access::strided;
        call.all_contiguous = call.all_contiguous && contiguous;
        if (!reused) continue;
        if (contiguous) addresses |= address(*result.target);
        for (int k = 0; k < call.array_count; ++k) {
            const array_node& read = *call.arrays[static_cast<std::size_t>(k)];
            call.aliased = call.aliased || &read == result.target || overlap(read, *result.target);
        }
    }
    for (int k = 0; k < call.array_count; ++k) {
        const array_node& read = *call.arrays[static_cast<std::size_t>(k)];
        call.classes[static_cast<std::size_t>(k)] = read.contiguous ? access::contiguous : access::strided;
        call.all_contiguous = call.all_contiguous && read.contiguous;
        if (read.contiguous) addresses |= address(read);
    }
    call.alignment = 1 << std::countr_zero(addresses | 16);
}

template <class Visit>
void each_strided(const bindings& call, const output* outputs, int output_count, Visit visit) {
    for (int i = 0; i < call.array_count; ++i)
        if (call.classes[static_cast<std::size_t>(i)] == access::strided) visit(*call.arrays[static_cast<std::size_t>(i)]);
    for (int i = 0; i < output_count; ++i)
        if (call.classes[static_cast<std::size_t>(call.array_count + i)] == access::strided) visit(*outputs[i].target);
}

/// Axes merge where one stride walks both in every operand. Contiguous operands never object.
void collapse(bindings& call, const output* outputs, int output_count) {
    const shape& full = *call.iteration;
    call.rank = 0;
    for (int axis = 0; axis < full.rank(); ++axis) {
        if (full[axis] == 1) continue;
        bool merges = call.rank > 0;
        const int outer = merges ? call.inner_axis[call.rank - 1] : 0;
        each_strided(call, outputs, output_count, [&](const array_node& node) {
            merges = merges && node.strides[outer] == node.strides[axis] * full[axis];
        });
        if (merges) {
            call.extents[call.rank - 1] *= full[axis];
        } else {
            call.extents[call.rank++] = full[axis];
        }
        call.inner_axis[call.rank - 1] = axis;
    }
    if (call.rank == 0) {  // one element
        call.rank = 1;
        call.extents[0] = 1;
        call.inner_axis[0] = -1;
    }
    each_strided(call, outputs, output_count, [&](const array_node& node) {
        std::int64_t reach = 0;
        for (int axis = 0; axis < full.rank(); ++axis) {
            const std::int64_t stride = node.strides[axis];
            reach += (stride < 0 ? -stride : stride) * (full[axis] - 1);
        }
        call.wide_index = call.wide_index || reach > largest_narrow;
    });
}

void write_key(bindings& call, int leaf_count, int output_count, std::uint8_t salt) {
    std::uint8_t* next = call.key.data();
    *next++ = salt;
    *next++ = static_cast<std::uint8_t>(call.wide_index | call.aliased << 1 | call.all_contiguous << 2);
    *next++ = static_cast<std::uint8_t>(call.alignment);
    *next++ = static_cast<std::uint8_t>(call.rank);
    if (leaf_count > 250) {
        for (int slot = 0; slot < leaf_count; ++slot) {
            const auto number = static_cast<std::uint32_t>(call.array_of_slot[static_cast<std::size_t>(slot)]);
            for (int byte = 0; byte < 4; ++byte) *next++ = static_cast<std::uint8_t>(number >> 8 * byte);
        }
    } else {
        for (int slot = 0; slot < leaf_count; ++slot)
            *next++ = static_cast<std::uint8_t>(call.array_of_slot[static_cast<std::size_t>(slot)]);
    }
    if (!call.all_contiguous)
        for (int i = 0; i < call.array_count + output_count; ++i)
            *next++ = static_cast<std::uint8_t>(call.classes[static_cast<std::size_t>(i)]);
    call.key_length = static_cast<std::size_t>(next - call.key.data());
}

struct byte_range {
    const std::byte* begin;
    const std::byte* end;
};

byte_range bytes_of(const array_node& node) noexcept {
    std::int64_t low = 0;
    std::int64_t high = 1;
    for (int axis = 0; axis < node.extents.rank(); ++axis) {
        const std::int64_t reach = node.strides[axis] * (node.extents[axis] - 1);
        (reach < 0 ? low : high) += reach;
    }
    const int size = kiln::bytes_of(node.type);
    return {node.data + low * size, node.data + high * size};
}

}  // namespace

bool overlap(const array_node& left, const array_node& right) noexcept {
    if (left.extents.size() == 0 || right.extents.size() == 0) return false;
    // Two buffers that kiln allocated are apart; only views of one buffer, and memory of the user's, can meet.
    if (left.owned <= ownership::view && right.owned <= ownership::view && &left.storage() != &right.storage()) return false;
    const byte_range a = bytes_of(left);
    const byte_range b = bytes_of(right);
    return a.begin < b.end && b.begin < a.end;
}

bool same_elements(const array_node& left, const array_node& right) noexcept {
    if (left.data != right.data || left.type != right.type || !(left.extents == right.extents)) return false;
    for (int axis = 0; axis < left.extents.rank(); ++axis)
        if (left.extents[axis] > 1 && left.strides[axis] != right.strides[axis]) return false;
    return true;
}

void bind(bindings& call, const leaf* leaves, int leaf_count, const output* outputs, int output_count,
          std::uint8_t salt) {
    for (int i = 0; i < output_count; ++i)
        if (outputs[i].where == output::place::through) meet(call, outputs[i].target->extents);
    number_leaves(call, leaves, leaf_count);
    call.element_count = call.iteration->size();
    call.wide_index = call.element_count > largest_narrow;
    place_outputs(call, leaves, leaf_count, outputs, output_count);
    if (call.all_contiguous) {
        call.rank = 1;
        call.extents[0] = call.element_count;
    } else if (call.element_count > 0) {
        collapse(call, outputs, output_count);
    }
    write_key(call, leaf_count, output_count, salt);
}

}  // namespace kiln::plan
