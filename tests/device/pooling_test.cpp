// Walked by units, lines and runs, every value has its elements, each once, in the order of one value after the other.
#include <device/cpu/pooling.hpp>
#include <plan/host_order.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

using kiln::shape;
using kiln::backend::pooling;
using kiln::backend::reduced_axes;

namespace {

using elements_of_values = std::vector<std::vector<std::int64_t>>;

elements_of_values one_by_one(const shape& whole, std::uint8_t axes) {
    elements_of_values out;
    std::vector<std::int64_t> strides_of_kept(static_cast<std::size_t>(whole.rank()), 0);
    std::int64_t kept = 1;
    for (int axis = whole.rank(); axis-- > 0;) {
        if (axes >> axis & 1) continue;
        strides_of_kept[static_cast<std::size_t>(axis)] = kept;
        kept *= whole[axis];
    }
    out.resize(static_cast<std::size_t>(kept));
    for (std::int64_t element = 0; element < whole.size(); ++element) {
        std::int64_t value = 0, left = element;
        for (int axis = whole.rank(); axis-- > 0;) {
            value += left % whole[axis] * strides_of_kept[static_cast<std::size_t>(axis)];
            left /= whole[axis];
        }
        out[static_cast<std::size_t>(value)].push_back(element);
    }
    return out;
}

elements_of_values walked(const pooling& of, std::size_t values) {
    elements_of_values out(values);
    // What is computed at once has room.
    const std::int64_t at_once =
        of.has_whole_blocks ? of.blocks_of_unit * of.block_elements() : of.values_of_unit * of.run;
    CHECK(at_once <= kiln::plan::host_order::piece);
    for (std::int64_t number = 0; number < of.unit_count(); ++number) {
        const pooling::unit unit = of.unit_at(number);
        for (std::int64_t row = 0; row < of.outer_lines(); ++row)
            for (std::int64_t line = 0; line < of.lines; ++line)
                for (std::int64_t block = 0; block < unit.blocks; ++block)
                    for (std::int64_t value = 0; value < unit.values; ++value)
                        for (std::int64_t i = 0; i < of.run; ++i)
                            out.at(static_cast<std::size_t>(unit.value + block * unit.values + value))
                                .push_back(unit.begin + kiln::backend::place_of(of.outer_reduced, row) +
                                           block * of.block_elements() + line * of.line_elements() + value * of.run +
                                           i);
    }
    return out;
}

std::uint8_t bits(std::initializer_list<int> axes) {
    std::uint8_t out = 0;
    for (const int axis : axes) out = static_cast<std::uint8_t>(out | 1 << axis);
    return out;
}

void check(const shape& whole, std::initializer_list<int> axes) {
    CAPTURE(whole);
    const std::uint8_t over = bits(axes);
    const auto of = kiln::backend::pooling_of(reduced_axes({&whole, over}));
    REQUIRE(of.has_value());
    const elements_of_values expected = one_by_one(whole, over);
    CHECK(walked(*of, expected.size()) == expected);
}

bool is_pooled(const shape& whole, std::initializer_list<int> axes) {
    return kiln::backend::pooling_of(reduced_axes({&whole, bits(axes)})).has_value();
}

}  // namespace

TEST_CASE("pooling: windows of images, channels first and last, of any sides") {
    for (const std::int64_t side : {2, 3, 8})
        for (const std::int64_t width : {1, 3, 7, 64, 129, 700}) {
            CAPTURE(width);
            if (width > 1) check({2, 3, 5, side, width, side}, {3, 5});
            check({2, 5, side, width, side, 3}, {2, 4});
            check({3, 5, side, 1, 3, width, side}, {2, 6});
        }
    check({2, 3, 40, 20}, {1, 3});
    check({2, 3, 1500, 2}, {1, 3});
    check({3, 2, 4, 3, 5, 2, 4}, {1, 3, 5});
    check({2, 3, 4, 3, 5, 2, 4}, {0, 2, 4, 6});
    check({2, 3, 4, 3, 5, 2, 4}, {0, 1, 3, 6});
}

TEST_CASE("pooling: a short axis before a short last one") {
    check({1000, 3, 4}, {1});
    check({1000, 3, 1, 2, 4}, {1, 3});
}

TEST_CASE("pooling: rows and columns that are vectors by themselves are none") {
    CHECK(!is_pooled({100, 4}, {1}));
    CHECK(!is_pooled({100, 4}, {0}));
    CHECK(!is_pooled({100, 4}, {}));
    CHECK(!is_pooled({100, 4}, {0, 1}));
    CHECK(!is_pooled({10, 3, 2000}, {1}));
    CHECK(!is_pooled({4, 10, 200}, {0, 2}));
    CHECK(is_pooled({4, 10, 100}, {0, 2}));
}

TEST_CASE("pooling: lines of some blocks follow each other, and nothing is read past the last") {
    for (const std::int64_t line_values : {2, 3, 16, 33, 63})
        for (const int bytes : {1, 2, 8}) {
            const shape whole{7, 2, 3, line_values};
            const auto of = kiln::backend::pooling_of(reduced_axes({&whole, bits({0, 2})}));
            REQUIRE(of.has_value());
            CAPTURE(line_values);
            // Exactly as long: a sanitiser sees what is read beyond.
            std::vector<std::byte> memory(static_cast<std::size_t>(2 * of->block_elements() * bytes));
            for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 7 % 251);
            const auto line_bytes = static_cast<std::size_t>(of->line_elements() * bytes);
            kiln::backend::neighbouring_lines lines(*of);
            for (std::int64_t line = 0; line < of->lines; ++line) {
                const std::byte* const got = lines.of(memory.data(), line, 2, bytes);
                for (std::size_t block = 0; block < 2; ++block)
                    CHECK(std::memcmp(got + block * line_bytes,
                                      memory.data() + (block * 3 + static_cast<std::size_t>(line)) * line_bytes,
                                      line_bytes) == 0);
            }
        }
}
