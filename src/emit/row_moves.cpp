#include <emit/row_moves.hpp>

#include <plan/schedule.hpp>
#include <text/format.hpp>

namespace kiln::emit {

namespace {

using plan::nest::block_rows;

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
        spread_block(bytes), block_rows * extent, extent, widest_lanes, shuffles_text(bytes, extent, widest_lanes),
        shuffles_text(bytes, extent, widest_lanes / 2));
}

/// Blocks, and then rows as vectors that are wider than they.
std::string spread_blocks_text(int bytes, int extent) {
    return text::format(
        "template <class T>\n"
        "static inline void {0}(T* to, const T* from, i64 rows)\n{{\n"
        "    i64 row = 0;\n"
        "    for (; rows - row >= {1}; row += {1}) {2}(to + row * {3}, from + row);\n"
        "    for (; row < rows; ++row)\n"
        "        for (int i = 0; i < {4}; ++i) to[row * {3} + i] = from[row];\n}}\n",
        spread_blocks(bytes), block_rows, spread_block(bytes), extent, plan::longest_known_row);
}

}  // namespace

std::string spread_block(int bytes) { return text::format("spread_block_of_{}", bytes); }

std::string spread_blocks(int bytes) { return text::format("spread_rows_of_{}", bytes); }

std::string spread_functions(int extent, const std::string& text) {
    std::string out;
    for (const int bytes : {4, 8})
        if (text.find(spread_block(bytes) + "(") != text.npos)
            out += spread_block_text(bytes, extent) + spread_blocks_text(bytes, extent);
    return out;
}

}  // namespace kiln::emit
