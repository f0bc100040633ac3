// kiln/device/cpu/row_moves_loops: what the functions of row_moves.hpp do. Included once by each row_moves_<instruction set>.cpp.
#pragma once

#include <device/cpu/row_moves.hpp>
#include <device/cpu/shuffles.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace kiln::backend {

namespace {

struct bytes_16 {
    std::uint64_t half[2];
};

// Rows inside, positions along a row outside: loops over a row's few elements would take longer to begin than to run.
template <class T>
void gather_rows(T* to, const T* from, long long rows, long long extent, long long apart, long long stride) {
    for (long long i = 0; i < extent; ++i)
        for (long long row = 0; row < rows; ++row) to[row * extent + i] = from[row * apart + i * stride];
}

// Below, rows are moved as vectors that are wider than they: what is too much of one lies under the next.

/// Rows whose elements are neighbours.
template <int wide, class T>
void copy_wide_rows(T* to, const T* from, long long rows, long long extent, long long apart) {
    for (long long row = 0; row < rows; ++row) std::memcpy(to + row * extent, from + row * apart, wide * sizeof(T));
}

template <class T>
void copy_rows(T* to, const T* from, long long rows, long long extent, long long apart) {
    if (apart == extent) {
        std::memcpy(to, from, static_cast<std::size_t>(rows * extent) * sizeof(T));
        return;
    }
    // Nothing is read past the last row.
    long long wide = 0;
    if (extent <= 4 && apart >= 4) copy_wide_rows<4>(to, from, wide = rows - 1, extent, apart);
    else if (extent <= 8 && apart >= 8) copy_wide_rows<8>(to, from, wide = rows - 1, extent, apart);
    gather_rows(to + wide * extent, from + wide * apart, rows - wide, extent, apart, 1);
}

/// Rows that are one element, repeated.
template <int wide, class T>
void spread_wide_rows(T* to, const T* from, long long rows, long long extent, long long apart) {
    for (long long row = 0; row < rows; ++row) {
        const T value = from[row * apart];
        for (long long i = 0; i < extent; i += wide)
            for (int j = 0; j < wide; ++j) to[row * extent + i + j] = value;
    }
}

/// Of an extent that is known here: of three elements, the most usual ones, compilers make shuffles, in half the time.
template <int extent, class T>
void spread_known_rows(T* __restrict__ to, const T* __restrict__ from, long long rows, long long apart) {
    for (long long row = 0; row < rows; ++row)
        for (int i = 0; i < extent; ++i) to[row * extent + i] = from[row * apart];
}

#ifdef KILN_HAS_SHUFFLES
#if defined(__AVX2__)
constexpr int vector_bytes_of(int element) {
    return element <= 2 ? 16 : 32;
}  // no shuffle moves a byte from one half to the other
#else
constexpr int vector_bytes_of(int) { return 16; }
#endif

/// A vector of rows' elements, whose neighbours are the next rows', becomes vectors of the elements of these rows.
template <int extent, int first, class Vector, int... lane>
void store_part(unsigned char* to, const Vector& rows, std::integer_sequence<int, lane...>) {
    const Vector part =
        __builtin_shufflevector(rows, rows, ((first * static_cast<int>(sizeof...(lane)) + lane) / extent)...);
    std::memcpy(to + first * static_cast<int>(sizeof(Vector)), &part, sizeof part);
}

template <int extent, class T, int... part>
long long spread_blocks(T* to, const T* from, long long rows, std::integer_sequence<int, part...>) {
    constexpr int vector_bytes = vector_bytes_of(sizeof(T));
    constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));
    typedef T vector __attribute__((vector_size(vector_bytes)));
    long long row = 0;
    for (; row + lanes <= rows; row += lanes) {
        vector all;
        std::memcpy(&all, from + row, sizeof all);
        auto* const bytes = reinterpret_cast<unsigned char*>(to + row * extent);
        (store_part<extent, part>(bytes, all, std::make_integer_sequence<int, lanes>()), ...);
    }
    return row;
}
#endif

/// Neighbours, of which each becomes a row.
template <int extent, class T>
void spread_neighbours(T* to, const T* from, long long rows) {
    long long row = 0;
#ifdef KILN_HAS_SHUFFLES
#if defined(__SSSE3__) || !defined(__x86_64__)
    constexpr bool has_shuffles = sizeof(T) <= 8;
#else
    constexpr bool has_shuffles = sizeof(T) == 4 || sizeof(T) == 8;
#endif
    if constexpr (has_shuffles) row = spread_blocks<extent>(to, from, rows, std::make_integer_sequence<int, extent>());
#endif
    spread_wide_rows<8>(to + row * extent, from + row, rows - row, extent, 1);
}

template <class T>
void spread_rows(T* to, const T* from, long long rows, long long extent, long long apart) {
    if (apart == 1) {
        switch (extent) {
            case 2: return spread_neighbours<2>(to, from, rows);
            case 3: return spread_neighbours<3>(to, from, rows);
            case 4: return spread_neighbours<4>(to, from, rows);
            case 5: return spread_neighbours<5>(to, from, rows);
            case 6: return spread_neighbours<6>(to, from, rows);
            case 7: return spread_neighbours<7>(to, from, rows);
            case 8: return spread_neighbours<8>(to, from, rows);
            default: break;
        }
    }
    if (extent == 3) spread_known_rows<3>(to, from, rows, apart);
    else if (extent <= 8) spread_wide_rows<8>(to, from, rows, extent, apart);
    else spread_wide_rows<16>(to, from, rows, extent, apart);
}

/// The same row over and over: `period` elements are there.
template <class T>
void repeat_rows(T* to, long long period, long long count) {
    for (long long done = period; done < count; done *= 2)
        std::memcpy(to + done, to, static_cast<std::size_t>(done < count - done ? done : count - done) * sizeof(T));
}

#ifdef KILN_HAS_SHUFFLES
/// Four rows' next four elements.
template <class T, class Side>
void turn_four_rows(T* to, const T* from, long long apart, Side side) {
    typedef T four __attribute__((vector_size(4 * sizeof(T))));
    four a, b, c, d;
    std::memcpy(&a, from, sizeof a);
    std::memcpy(&b, from + apart, sizeof b);
    std::memcpy(&c, from + 2 * apart, sizeof c);
    std::memcpy(&d, from + 3 * apart, sizeof d);
    const four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), more_ab = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5), more_cd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    c = __builtin_shufflevector(more_ab, more_cd, 0, 1, 4, 5);
    d = __builtin_shufflevector(more_ab, more_cd, 2, 3, 6, 7);
    std::memcpy(to, &a, sizeof a);
    std::memcpy(to + side, &b, sizeof b);
    std::memcpy(to + 2 * side, &c, sizeof c);
    std::memcpy(to + 3 * side, &d, sizeof d);
}

/// Of eight rows: rows i and i + 4 in one register, whose halves go the same way.
template <class T, class Side>
void turn_eight_rows(T* to, const T* from, long long apart, Side side) {
    typedef T four __attribute__((vector_size(4 * sizeof(T))));
    typedef T eight __attribute__((vector_size(8 * sizeof(T))));
    eight rows[4];
    for (int i = 0; i < 4; ++i) {
        four low, high;
        std::memcpy(&low, from + i * apart, sizeof low);
        std::memcpy(&high, from + (i + 4) * apart, sizeof high);
        rows[i] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    const eight ab = __builtin_shufflevector(rows[0], rows[1], 0, 8, 1, 9, 4, 12, 5, 13);
    const eight more_ab = __builtin_shufflevector(rows[0], rows[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const eight cd = __builtin_shufflevector(rows[2], rows[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const eight more_cd = __builtin_shufflevector(rows[2], rows[3], 2, 10, 3, 11, 6, 14, 7, 15);
    rows[0] = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13);
    rows[1] = __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
    rows[2] = __builtin_shufflevector(more_ab, more_cd, 0, 1, 8, 9, 4, 5, 12, 13);
    rows[3] = __builtin_shufflevector(more_ab, more_cd, 2, 3, 10, 11, 6, 7, 14, 15);
    for (int i = 0; i < 4; ++i) std::memcpy(to + i * side, &rows[i], sizeof(eight));
}
#endif

template <class T, class Side>
void turn_elements(T* to, const T* from, long long apart, long long rows, long long extent, Side side) {
    for (long long row = 0; row < rows; ++row)
        for (long long i = 0; i < extent; ++i) to[i * side + row] = from[row * apart + i];
}

/// Thirty-two elements at once, by shuffles, where a vector register has eight of them, else sixteen: one at a time takes two to three times
/// as long. Of m + transpose(m), 1000 x 1000 float32, all from 312 to 232 us with eight instead of four (one core of an EPYC, Zen 4).
template <class T, class Side>
void turn_into(T* to, const T* from, long long apart, long long rows, long long extent, Side side) {
    long long row = 0;
#ifdef KILN_HAS_SHUFFLES
    if constexpr (sizeof(T) <= 8) {
        constexpr bool in_eights = sizeof(T) <= 4 && 8 * sizeof(T) <= __BIGGEST_ALIGNMENT__;
        constexpr int at_once = in_eights ? 8 : 4;
        for (; row + at_once <= rows; row += at_once) {
            const T* const first = from + row * apart;
            long long i = 0;
            for (; i + 4 <= extent; i += 4)
                if constexpr (in_eights) turn_eight_rows(to + i * side + row, first + i, apart, side);
                else turn_four_rows(to + i * side + row, first + i, apart, side);
            if (i < extent) turn_elements(to + i * side + row, first + i, apart, at_once, extent - i, side);
        }
    }
#endif
    if (row < rows) turn_elements(to + row, from + row * apart, apart, rows - row, extent, side);
}

/// Into the squares that kernels have (plan/policy/host_elementwise.cpp), whose sides are known here.
template <class T>
void turn_rows(T* to, const T* from, long long apart, long long rows, long long extent, long long side) {
    switch (side) {
        case 32: return turn_into(to, from, apart, rows, extent, std::integral_constant<long long, 32>());
        case 64: return turn_into(to, from, apart, rows, extent, std::integral_constant<long long, 64>());
        default: return turn_into(to, from, apart, rows, extent, side);
    }
}

template <class T>
constexpr row_moves moves_of() {
    return {[](void* to, const void* from, long long rows, long long extent, long long apart) {
                copy_rows(static_cast<T*>(to), static_cast<const T*>(from), rows, extent, apart);
            },
            [](void* to, const void* from, long long rows, long long extent, long long apart, long long stride) {
                gather_rows(static_cast<T*>(to), static_cast<const T*>(from), rows, extent, apart, stride);
            },
            [](void* to, const void* from, long long rows, long long extent, long long apart) {
                spread_rows(static_cast<T*>(to), static_cast<const T*>(from), rows, extent, apart);
            },
            [](void* to, long long period, long long count) { repeat_rows(static_cast<T*>(to), period, count); },
            [](void* to, const void* from, long long apart, long long rows, long long extent, long long side) {
                turn_rows(static_cast<T*>(to), static_cast<const T*>(from), apart, rows, extent, side);
            }};
}

constexpr row_move_table made_row_moves() {
    return {{moves_of<std::uint8_t>(), moves_of<std::uint16_t>(), moves_of<std::uint32_t>(), moves_of<std::uint64_t>(),
             moves_of<bytes_16>()}};
}

}  // namespace
}  // namespace kiln::backend
