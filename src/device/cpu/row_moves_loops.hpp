// kiln/device/cpu/row_moves_loops: what the functions of row_moves.hpp do. Included once by each row_moves_<instruction set>.cpp.
#pragma once

#include <device/cpu/row_moves.hpp>

#include <cstdint>
#include <cstring>
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

#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define KILN_HAS_SHUFFLES
#endif
#endif

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
            [](void* to, long long period, long long count) { repeat_rows(static_cast<T*>(to), period, count); }};
}

constexpr row_move_table made_row_moves() {
    return {{moves_of<std::uint8_t>(), moves_of<std::uint16_t>(), moves_of<std::uint32_t>(), moves_of<std::uint64_t>(),
             moves_of<bytes_16>()}};
}

}  // namespace
}  // namespace kiln::backend
