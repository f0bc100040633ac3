// How rows of few elements move, by each instruction set: to the element against a loop over rows and positions; around rows of every extent
// that has a way of its own, rows that follow each other, lie apart, backwards or on one another. Nothing before the rows is written, and no more
// behind them than there has to be room for.
#include <device/cpu/row_moves.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

using kiln::backend::row_move_table;
using kiln::backend::row_moves;

namespace {

constexpr long long margin = 3;  // elements before the first row
constexpr unsigned char untouched = 0xa5;

using bytes = std::vector<unsigned char>;

bytes noise(long long count) {
    bytes out(static_cast<std::size_t>(count));
    unsigned seed = 7;
    for (unsigned char& each : out) {
        seed = seed * 1664525u + 1013904223u;
        each = static_cast<unsigned char>(seed >> 24);
    }
    return out;
}

struct layout {
    int size;  // bytes of an element
    long long rows, extent, apart, stride;
};

/// Where element (row, i) is, from the lowest one on.
long long lowest(const layout& of) {
    return std::min(0ll, (of.rows - 1) * of.apart) + std::min(0ll, (of.extent - 1) * of.stride);
}
long long highest(const layout& of) {
    return std::max(0ll, (of.rows - 1) * of.apart) + std::max(0ll, (of.extent - 1) * of.stride);
}

template <class Move>
void check(const layout& of, Move move) {
    CAPTURE(of.size);
    CAPTURE(of.rows);
    CAPTURE(of.extent);
    CAPTURE(of.apart);
    CAPTURE(of.stride);
    const long long first = -lowest(of);
    const bytes from =
        noise((first + highest(of) + 1) * of.size);  // not one more: what is read past it, a sanitizer finds
    const auto at = [&of](const bytes& in, long long element) {
        return in.data() + static_cast<std::ptrdiff_t>(element * of.size);
    };
    bytes to(
        static_cast<std::size_t>((margin + of.rows * of.extent + kiln::backend::row_moves_room + margin) * of.size),
        untouched);
    move(to.data() + margin * of.size, at(from, first));
    bool same = true;
    for (long long row = 0; row < of.rows; ++row)
        for (long long i = 0; i < of.extent; ++i)
            same = same &&
                   std::memcmp(at(to, margin + row * of.extent + i), at(from, first + row * of.apart + i * of.stride),
                               static_cast<std::size_t>(of.size)) == 0;
    CHECK(same);
    const auto is_untouched = [](unsigned char each) { return each == untouched; };
    CHECK(std::all_of(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(margin * of.size), is_untouched));
    CHECK(std::all_of(to.end() - static_cast<std::ptrdiff_t>(margin * of.size), to.end(), is_untouched));
}

}  // namespace

TEST_CASE(
    "squares are turned as they say, of every size of element, by each instruction set, and nothing is written beside "
    "them") {
    for (const char* const name : {"baseline", "avx2", "avx512"}) {
        const row_move_table* const table = kiln::backend::row_moves_named(name);
        if (!table) continue;
        INFO(std::string(name));
        for (std::size_t log = 0; log < std::size(table->of); ++log)
            for (const long long rows : {0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 31, 32, 64})
                for (const long long extent : {0, 1, 3, 4, 5, 8, 31, 32, 63, 64})
                    for (const long long apart : {64ll, 65ll, -67ll, 0ll, 1ll}) {
                        CAPTURE(rows);
                        CAPTURE(extent);
                        CAPTURE(apart);
                        constexpr long long side = 64;
                        const long long size = 1ll << log;
                        const long long last = rows > 0 ? (rows - 1) * apart : 0;
                        const long long first = std::max(0ll, -last);
                        const bytes from = noise((first + std::max(0ll, last) + extent) * size);
                        bytes to(static_cast<std::size_t>(side * side * size), untouched);
                        bytes wanted = to;
                        for (long long row = 0; row < rows; ++row)
                            for (long long i = 0; i < extent; ++i)
                                std::memcpy(wanted.data() + (i * side + row) * size,
                                            from.data() + (first + row * apart + i) * size,
                                            static_cast<std::size_t>(size));
                        table->of[log].turn(to.data(), from.data() + first * size, apart, rows, extent, side);
                        CHECK(to == wanted);
                    }
    }
}

TEST_CASE("rows move as they say, of every size of element, by each instruction set") {
    for (const char* const name : {"baseline", "avx2", "avx512"}) {
        const row_move_table* const table = kiln::backend::row_moves_named(name);
        if (!table) continue;
        INFO(std::string(name));
        for (std::size_t log = 0; log < std::size(table->of); ++log) {
            const row_moves& moves = table->of[log];
            const int size = 1 << log;
            for (const long long extent : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17, 31, 32})
                for (const long long rows : {1, 2, 7, 8, 15, 16, 33, 64, 129}) {
                    for (const long long apart : {extent, extent + 1, extent + 9, -extent, 0ll, 1ll, 2ll}) {
                        check({size, rows, extent, apart, 1},
                              [&](void* to, const void* from) { moves.copy(to, from, rows, extent, apart); });
                        check({size, rows, extent, apart, 0},
                              [&](void* to, const void* from) { moves.spread(to, from, rows, extent, apart); });
                    }
                    for (const long long stride : {2ll, rows, -1ll, -rows})
                        for (const long long apart : {1ll, -1ll, extent * 2})
                            check({size, rows, extent, apart, stride}, [&](void* to, const void* from) {
                                moves.gather(to, from, rows, extent, apart, stride);
                            });
                    bytes repeated = noise(rows * extent * size);
                    const bytes first(repeated.begin(), repeated.begin() + static_cast<std::ptrdiff_t>(extent * size));
                    moves.repeat(repeated.data(), extent, rows * extent);
                    bool same = true;
                    for (long long row = 0; row < rows; ++row)
                        same = same && std::equal(first.begin(), first.end(),
                                                  repeated.begin() + static_cast<std::ptrdiff_t>(row * extent * size));
                    CHECK(same);
                }
        }
    }
}
