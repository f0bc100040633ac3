#include <plan/window.hpp>

#include <plan/call_class.hpp>

#include <algorithm>
#include <bit>

namespace kiln::plan {

namespace {

using detail::array_node;
using detail::ownership;

constexpr int most_looked_at = 4;  // memories that might be that of a window
constexpr int widest_window = 63;  // elements from the first view to the last
constexpr int vector_bytes = 16;

const array_node& array(const bindings& call, int i) { return *call.arrays[static_cast<std::size_t>(i)]; }

bool is_view_of(const array_node& of, const array_node& memory) {
    return of.owned == ownership::view && !of.map && &of.storage() == &memory && of.type == memory.type;
}

/// The view that comes first of the first memory that enough arrays are views of; nullptr if there is none.
const array_node* first_view(const bindings& call) {
    int looked_at = 0;
    for (int i = 0; i < call.array_count && looked_at < most_looked_at; ++i) {
        if (array(call, i).owned != ownership::view) continue;
        ++looked_at;
        const array_node* first = &array(call, i);
        int views = 0;
        for (int j = i; j < call.array_count; ++j) {
            const array_node& each = array(call, j);
            if (!is_view_of(each, first->storage())) continue;
            ++views;
            if (each.data < first->data) first = &each;
        }
        if (views >= 3) return first;
    }
    return nullptr;
}

}  // namespace

std::uint8_t* write_window(bindings& call, std::uint8_t* next) {
    const array_node* const first = call.aliased ? nullptr : first_view(call);
    if (!first) return next;
    const int bytes = bytes_of(first->type);
    std::uintptr_t others = call.reused ? std::bit_cast<std::uintptr_t>(call.outputs[0].target->data) : 0;
    next = call.kind.make_room(next, static_cast<std::size_t>(call.array_count) + 2);
    std::uint8_t* to = next;
    *to++ = call_class::window_mark;
    *to++ = static_cast<std::uint8_t>(std::bit_cast<std::uintptr_t>(first->data) % vector_bytes /
                                      static_cast<unsigned>(bytes));
    int last = 0;
    int views = 0;
    for (int i = 0; i < call.array_count; ++i) {
        const array_node& each = array(call, i);
        if (each.owned == ownership::position || bytes_of(each.type) != bytes) return next;
        const std::ptrdiff_t from =
            is_view_of(each, first->storage()) ? (each.data - first->data) / bytes : widest_window + 1;
        if (from > widest_window) {
            others |= std::bit_cast<std::uintptr_t>(each.data);
            *to++ = 0;
            continue;
        }
        last = std::max(last, static_cast<int>(from));
        ++views;
        *to++ = static_cast<std::uint8_t>(from + 1);
    }
    return others % vector_bytes == 0 && pays_in_vectors(vector_bytes / bytes, last, views) ? to : next;
}

window window_of(const call_class& kind) {
    window out;
    const std::uint8_t* next = kind.window();
    if (!next) return out;
    out.first = *next++;
    for (int left = kind.array_count(); left > 0; --left) out.from.push_back(*next++ - 1);
    return out;
}

}  // namespace kiln::plan
