#include <emit/row_moves.hpp>

#include <text/format.hpp>

namespace kiln::emit {

namespace {

// Rows inside, positions along a row outside: loops over a row's few elements would take longer to begin than to run.
constexpr const char* gather_rows_text =
    R"(template <class T>
static inline void gather_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart, i64 stride)
{
    for (i64 i = 0; i < extent; ++i)
        for (i64 row = 0; row < rows; ++row) to[row * extent + i] = from[row * apart + i * stride];
}
)";

// Below, rows are moved as vectors that are wider than they: what is too much of one lies under the next.

/// Rows whose elements are neighbours.
constexpr const char* copy_rows_text =
    R"(template <int wide, class T>
static inline void copy_wide_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart)
{
    for (i64 row = 0; row < rows; ++row)
        __builtin_memcpy(to + row * extent, from + row * apart, wide * sizeof(T));
}
template <class T>
static inline void copy_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart)
{
    if (apart == extent) {
        __builtin_memcpy(to, from, rows * extent * sizeof(T));
        return;
    }
    // Nothing is read past the last row.
    i64 wide = 0;
    if (extent <= 4 && apart >= 4) copy_wide_rows<4>(to, from, wide = rows - 1, extent, apart);
    else if (extent <= 8 && apart >= 8) copy_wide_rows<8>(to, from, wide = rows - 1, extent, apart);
    gather_rows(to + wide * extent, from + wide * apart, rows - wide, extent, apart, 1);
}
)";

/// Rows that are one element, repeated. Of three, the most usual ones, a compiler that knows it makes shuffles, in half the
/// time; each such extent takes it 12 ms more.
constexpr const char* spread_rows_text =
    R"(template <int wide, class T>
static inline void spread_wide_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart)
{
    for (i64 row = 0; row < rows; ++row) {
        const T value = from[row * apart];
        for (i64 i = 0; i < extent; i += wide)
            for (int j = 0; j < wide; ++j) to[row * extent + i + j] = value;
    }
}
template <int extent, class T>
static inline void spread_known_rows(T* __restrict__ to, const T* __restrict__ from, i64 rows, i64 apart)
{
    for (i64 row = 0; row < rows; ++row)
        for (int i = 0; i < extent; ++i) to[row * extent + i] = from[row * apart];
}
template <class T>
static inline void spread_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart)
{
    if (extent == 3) spread_known_rows<3>(to, from, rows, apart);
    else if (extent <= 8) spread_wide_rows<8>(to, from, rows, extent, apart);
    else spread_wide_rows<16>(to, from, rows, extent, apart);
}
)";

/// The same row over and over: `period` elements are there.
constexpr const char* repeat_rows_text =
    R"(template <class T>
static inline void repeat_rows(T* to, i64 period, i64 count)
{
    for (i64 done = period; done < count; done *= 2)
        __builtin_memcpy(to + done, to, (done < count - done ? done : count - done) * sizeof(T));
}
)";

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
std::string spread_known_rows_text(int bytes, int extent) {
    return text::format(
        "template <class T>\n"
        "static inline void spread_rows_of_{0}(T* to, const T* from, i64 rows)\n{{\n"
        "    i64 row = 0;\n"
        "    for (; rows - row >= {1}; row += {1}) {2}(to + row * {3}, from + row);\n"
        "    for (; row < rows; ++row)\n"
        "        for (int i = 0; i < {4}; ++i) to[row * {3} + i] = from[row];\n}}\n",
        bytes, block_rows, spread_block(bytes), extent, plan::longest_known_row);
}

}  // namespace

std::string spread_block(int bytes) { return text::format("spread_block_of_{}", bytes); }

std::string row_move_functions(const plan::kernel& of, const std::string& text) {
    std::string out;
    for (const int bytes : {4, 8})
        if (text.find(spread_block(bytes) + "(") != text.npos)
            out += spread_block_text(bytes, of.row_extent) + spread_known_rows_text(bytes, of.row_extent);
    if (text.find("repeat_rows(") != text.npos) out += repeat_rows_text;
    const bool copies = text.find("copy_rows(") != text.npos;
    if (copies || text.find("gather_rows(") != text.npos) out += gather_rows_text;
    if (copies) out += copy_rows_text;
    if (text.find("spread_rows(") != text.npos) out += spread_rows_text;
    return out;
}

}  // namespace kiln::emit
