#include <emit/row_moves.hpp>

#include <emit/library.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <iterator>

namespace kiln::emit {

namespace {

using plan::nest::block_rows;
using plan::nest::movement;

constexpr int widest_lanes = 32;  // bytes

// Rows that are one element, whose neighbours are the next rows', where a row's extent is known: a vector of several rows'
// elements becomes vectors of the elements of these rows by shuffles. A compiler that is to find them in loops finds those
// of three elements. (n, 1) + (1, 5) of 1.5 million float32 took 211 us through buffers, 86 with blocks in registers, by
// hand 165 (one core of an EPYC, Zen 4, in the third cache).
std::string shuffles_text(int bytes, int extent, int vector_bytes) {
    const int lanes = vector_bytes / bytes;
    std::string out = text::format("    typedef {} lanes __attribute__((vector_size({})));\n    lanes rows, part;\n",
                                   bytes == 4 ? "u32" : "u64", vector_bytes);
    for (int row = 0; row < block_rows; row += lanes) {
        out += text::format("    __builtin_memcpy(&rows, from + {}, sizeof rows);\n", row);
        for (int vector = 0; vector < extent; ++vector) {
            std::string which;
            for (int lane = 0; lane < lanes; ++lane) which += text::format(", {}", (vector * lanes + lane) / extent);
            out += text::format(
                "    part = __builtin_shufflevector(rows, rows{});\n"
                "    __builtin_memcpy(to + {}, &part, sizeof part);\n",
                which, row * extent + vector * lanes);
        }
    }
    return out;
}

/// Vectors as wide as registers are: of wider ones a compiler makes single elements.
std::string spread_block_text(int bytes, int extent) {
    return text::format(
        "template <class T>\n"
        "static inline void {}(T* to, const T* from)\n{{\n"
        "#ifndef HAS_SHUFFLES\n"
        "    for (int i = 0; i < {}; ++i) to[i] = from[i / {}];\n"
        "#elif __BIGGEST_ALIGNMENT__ >= {}\n"
        "{}"
        "#else\n"
        "{}"
        "#endif\n}}\n",
        move_name(movement::spread_block, bytes), block_rows * extent, extent, widest_lanes,
        shuffles_text(bytes, extent, widest_lanes), shuffles_text(bytes, extent, widest_lanes / 2));
}

struct library_move {
    movement how;
    row_move which;
    const char* name;
    const char* parameters;
    const char* arguments;
};

constexpr library_move library_moves[] = {
    {movement::copy_rows, row_move::copy, "copy_rows", "void* to, const void* from, i64 rows, i64 extent, i64 apart",
     "to, from, rows, extent, apart"},
    {movement::gather_rows, row_move::gather, "gather_rows",
     "void* to, const void* from, i64 rows, i64 extent, i64 apart, i64 stride",
     "to, from, rows, extent, apart, stride"},
    {movement::spread_rows, row_move::spread, "spread_rows",
     "void* to, const void* from, i64 rows, i64 extent, i64 apart", "to, from, rows, extent, apart"},
    {movement::repeat_rows, row_move::repeat, "repeat_rows", "void* to, i64 period, i64 count", "to, period, count"},
    {movement::turn, row_move::turn, "turn_rows",
     "void* to, const void* from, i64 apart, i64 rows, i64 extent, i64 side", "to, from, apart, rows, extent, side"},
};

const library_move* found(movement how) {
    const auto* const end = std::end(library_moves);
    const auto* const found =
        std::find_if(std::begin(library_moves), end, [how](const library_move& each) { return each.how == how; });
    return found == end ? nullptr : found;
}

std::string library_move_text(const library_move& of, int bytes) {
    return text::format(
        "static inline void {}(const void* const* library, {})\n{{\n"
        "    reinterpret_cast<void (*)({})>(const_cast<void*>(library[{}]))({});\n}}\n",
        move_name(of.how, bytes), of.parameters, of.parameters, move_slot(of.which, bytes), of.arguments);
}

}  // namespace

bool is_in_library(movement how) { return found(how) != nullptr; }

std::string move_name(movement how, int bytes) {
    const library_move* const of = found(how);
    return text::format("{}_of_{}", of ? of->name : "spread_block", bytes);
}

std::string row_functions(int extent, const std::string& text) {
    std::string out;
    const auto is_called = [&text](movement how, int bytes) {
        return text.find(move_name(how, bytes) + "(") != text.npos;
    };
    for (const int bytes : {1, 2, 4, 8, 16}) {
        if (is_called(movement::spread_block, bytes)) out += spread_block_text(bytes, extent);
        for (const library_move& each : library_moves)
            if (is_called(each.how, bytes)) out += library_move_text(each, bytes);
    }
    return out;
}

}  // namespace kiln::emit
