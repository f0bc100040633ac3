// kiln/launch/interpreter/movement: loops over rows, by the width of an element.
#include <launch/interpreter/movement.hpp>

#include <algorithm>
#include <cstring>

namespace kiln::launch {

namespace {

// Elements are moved by their width whatever they are.
// Structs, because a template parameter forgets a typedef's attributes. A complex number lies at multiples of its parts.
struct [[gnu::may_alias]] element_1 {
    std::uint8_t word;
};
struct [[gnu::may_alias]] element_2 {
    std::uint16_t word;
};
struct [[gnu::may_alias]] element_4 {
    std::uint32_t word;
};
struct [[gnu::may_alias, gnu::packed, gnu::aligned(4)]] element_8 {
    std::uint64_t word;
};
struct [[gnu::may_alias]] element_16 {
    std::uint64_t words[2];
};

/// Calls what(T{}) with the type of that width.
template <class What>
void with_width(int bytes, What what) noexcept {
    switch (bytes) {
        case 1: return what(element_1{});
        case 2: return what(element_2{});
        case 4: return what(element_4{});
        case 8: return what(element_8{});
        default: return what(element_16{});
    }
}

// Below this a loop is done before a call of memcpy has begun.
constexpr std::int64_t worth_memcpy = 16;  // elements

template <class T>
void fill_with(T* to, T value, std::int64_t count) noexcept {
    for (std::int64_t i = 0; i < count; ++i) to[i] = value;
}

template <class T>
void gather_row(T* to, const T* from, std::int64_t stride, std::int64_t count) noexcept {
    if (stride == 1 && count >= worth_memcpy) std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
    else if (stride == 0) fill_with(to, *from, count);
    else
        for (std::int64_t i = 0; i < count; ++i) to[i] = from[i * stride];
}

template <class T>
void scatter_row(T* to, const T* from, std::int64_t stride, std::int64_t count) noexcept {
    if (stride == 1 && count >= worth_memcpy) std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
    else
        for (std::int64_t i = 0; i < count; ++i) to[i * stride] = from[i];
}

/// Calls row(offset in memory, offset in the block, length) for each piece of a row in the next `count` elements.
template <class Row>
void each_row(const walk& at, const std::int64_t* strides, std::int64_t count, Row row) noexcept {
    const int inner = at.rank - 1;
    std::int64_t coordinates[max_rank];
    std::copy_n(at.coordinates, at.rank, coordinates);
    std::int64_t offset = at.offset(strides);
    std::int64_t length = std::min(count, at.left_in_row());
    for (std::int64_t done = 0;;) {
        row(offset, done, length);
        done += length;
        if (done == count) return;
        // The next row's start: the inner axis goes back to 0, and one is carried outwards.
        offset -= coordinates[inner] * strides[inner];
        coordinates[inner] = 0;
        for (int axis = inner - 1; axis >= 0; --axis) {
            offset += strides[axis];
            if (++coordinates[axis] < at.extents[axis]) break;
            offset -= at.extents[axis] * strides[axis];
            coordinates[axis] = 0;
        }
        length = std::min(count - done, at.row_length());
    }
}

template <class T>
void gather_as(void* to, const std::byte* from, const walk& at, const std::int64_t* strides,
               std::int64_t count) noexcept {
    auto* const block = static_cast<T*>(to);
    const auto* const memory = reinterpret_cast<const T*>(from);
    const std::int64_t stride = strides[at.rank - 1];
    each_row(at, strides, count, [=](std::int64_t offset, std::int64_t done, std::int64_t length) {
        gather_row(block + done, memory + offset, stride, length);
    });
}

template <class T>
void scatter_as(std::byte* to, const void* from, const walk& at, const std::int64_t* strides,
                std::int64_t count) noexcept {
    const auto* const block = static_cast<const T*>(from);
    auto* const memory = reinterpret_cast<T*>(to);
    const std::int64_t stride = strides[at.rank - 1];
    each_row(at, strides, count, [=](std::int64_t offset, std::int64_t done, std::int64_t length) {
        scatter_row(memory + offset, block + done, stride, length);
    });
}

}  // namespace

void walk::move_to(std::int64_t position) noexcept {
    for (int axis = rank - 1; axis > 0; --axis) {
        coordinates[axis] = position % extents[axis];
        position /= extents[axis];
    }
    coordinates[0] = position;
}

std::int64_t walk::offset(const std::int64_t* strides) const noexcept {
    std::int64_t sum = 0;
    for (int axis = 0; axis < rank; ++axis) sum += coordinates[axis] * strides[axis];
    return sum;
}

void gather(void* to, const std::byte* from, int bytes, const walk& at, const std::int64_t* strides,
            std::int64_t count) noexcept {
    with_width(bytes, [&]<class T>(T) { gather_as<T>(to, from, at, strides, count); });
}

void scatter(std::byte* to, const void* from, int bytes, const walk& at, const std::int64_t* strides,
             std::int64_t count) noexcept {
    with_width(bytes, [&]<class T>(T) { scatter_as<T>(to, from, at, strides, count); });
}

void fill(void* to, const void* value, int bytes, std::int64_t count) noexcept {
    with_width(bytes, [&]<class T>(T) { fill_with(static_cast<T*>(to), *static_cast<const T*>(value), count); });
}

}  // namespace kiln::launch
