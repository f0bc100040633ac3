// The nests of element-wise kernels, run without text, of arrays of random shapes: each element is stored once, from those
// elements that NumPy would take. They are in the host's memory, whatever device the tests are of.
#include "planned_nests.hpp"

#include <plan/aligned_tiles.hpp>

#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

namespace {

namespace k = kiln;
using k::axis;
using tests::numbers;

/// Runs the one kernel of an expression's assignment to a new array, which begins `misaligned` elements from a multiple of 256 bytes, and
/// compares with what the CPU makes of it.
template <class E>
void check_on(const k::plan::target& on, const E& e, std::int64_t misaligned = 0) {
    const tests::call call = tests::bind_for(on.kind, {}, e);
    const k::plan::call_class& kind = call.kind();
    const k::plan::schedule made = k::plan::partition(
        k::lower::lower(tests::graph_of(e), kind.numbers(), kind.baked(), k::plan::looked_up(kind)).code, kind, on);
    const std::vector<std::int64_t> left =
        tests::run_integers(made, call, on.kind, tests::sums::plain, misaligned).at(0);
    const k::array<k::value_t<E>> wanted = e;
    const auto elements = wanted.to_host();
    REQUIRE(left.size() == elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (left[i] != elements[i])
            FAIL("element ", i, " of ", elements.size(), " is ", left[i], " in place of ", elements[i]);
}

template <class E>
void check(const E& e) {
    for (const k::plan::target& on : {k::plan::cuda_target, k::plan::host_target}) {
        CAPTURE(static_cast<int>(on.kind));
        check_on(on, e);
    }
}

template <class T>
void check_type() {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(7);
    const auto up_to = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(1, most)(random); };
    for (int round = 0; round < 4; ++round) {
        const std::int64_t r = up_to(40);
        const std::int64_t c = round == 0 ? 16 * up_to(4) : up_to(70);
        CAPTURE(r);
        CAPTURE(c);
        const k::array<T> m = numbers<T>(random, {r, c});
        const k::array<T> other = numbers<T>(random, {r, c});
        const k::array<T> row = numbers<T>(random, {c});
        const k::array<T> column = numbers<T>(random, {r, 1});
        const k::array<T> turned = numbers<T>(random, {c, r});
        const k::array<T> longer = numbers<T>(random, {r * c + 1});
        const k::array<T> cube = numbers<T>(random, {r, 3, c});
        check(m * other - m);
        check(m + row * column);
        check(k::transpose(turned) + m);
        check(m * T(3) - k::shift(m, {1, 0}, k::boundary::clamp));
        check(k::shift(m, {0, -1}, k::boundary::mirror) + k::shift(m, {1, 1}, k::boundary::wrap));
        check(longer(k::range(1, r * c + 1)) * longer(k::range(0, r * c)));
        check(cube(k::all, 1) + m);
        check(cube(k::all, k::range(0, 3, 2), k::range(k::range::open, k::range::open, -1)) * row);
        check(k::reshape(k::transpose(m), {r, c}) - other);
        check(k::cast<T>(k::arange<T>(c)) + m);
        // Rows of few elements.
        const std::int64_t many = 40 * r;
        const k::array<T> few = numbers<T>(random, {many, 3});
        check(few * numbers<T>(random, {3}) + numbers<T>(random, {many, 1}));
        for (const std::int64_t n : {2, 5, 6, 7}) {
            const k::array<T> pixels = numbers<T>(random, {many + 1, n});
            check(pixels * numbers<T>(random, {n}) + numbers<T>(random, {many + 1, 1}));
            check(k::cast<std::int32_t>(pixels) * T(3) + k::index(0) * k::index(1));
        }
        check(k::shift(few, {1, 0}, k::boundary::clamp) - numbers<T>(random, {many, 6})(k::all, k::range(0, 6, 2)));
    }
}

}  // namespace

TEST_CASE("nests: element-wise kernels take each element from where NumPy would, and store it once") {
    check_type<std::int64_t>();
    check_type<std::int32_t>();
    check_type<std::int16_t>();
    check_type<std::int8_t>();
}

TEST_CASE("nests: several rows of a thread, and many blocks of a grid") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(9);
    const k::array<std::int32_t> m = numbers<std::int32_t>(random, {37, 4000});
    check(k::shift(m, {1, 0}, k::boundary::clamp) + k::shift(m, {-1, 0}, k::boundary::clamp) + m);
    const k::array<std::int32_t> odd = numbers<std::int32_t>(random, {13, 4001});
    check(k::shift(odd, {1, 0}, k::boundary::clamp) + k::shift(odd, {0, 1}, k::boundary::clamp) + odd);
    const k::array<std::int64_t> square = numbers<std::int64_t>(random, {150, 170});
    check(square + k::transpose(numbers<std::int64_t>(random, {170, 150})));
}

namespace {

/// Steps enough for a table of what 256 bytes come to.
template <class T>
void check_tables(std::mt19937& random) {
    const auto body = []<int... I>(const auto& of, std::integer_sequence<int, I...>) { return (of + ... + T(I % 2)); };
    const auto steps = std::make_integer_sequence<int, 32>{};
    for (const std::int64_t size : {1, 16, 255, 1025, 5003}) {
        CAPTURE(size);
        const k::array<T> x = numbers<T>(random, {size + 1}) - T(std::is_signed_v<T> ? 60 : 0);
        REQUIRE(tests::schedule({}, body(x, steps)).kernels.at(0).has_byte_table);
        check(body(x, steps));
        check(body(x(k::range(1, size + 1)), steps));
        check(body(k::flip(x), steps));
        const k::array<T> m = numbers<T>(random, {size, 7}) - T(std::is_signed_v<T> ? 60 : 0);
        check(body(m(k::all, k::range(2, 6)), steps));
        check(body(k::transpose(m), steps));
    }
}

}  // namespace

TEST_CASE("nests: what a body makes of one byte is in a table before the first element looks it up") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(5);
    check_tables<std::int8_t>(random);
    check_tables<std::uint8_t>(random);
}

namespace {

/// Neighbours of an element: views from `first` on of an array that ends where the last of them does.
template <class T>
void check_windows(std::mt19937& random, std::int64_t count, std::int64_t first, std::vector<std::int64_t> apart) {
    CAPTURE(count);
    CAPTURE(first);
    const std::int64_t last = *std::max_element(apart.begin(), apart.end());
    const k::array<T> x = numbers<T>(random, {first + count + last});
    const k::array<T> other = numbers<T>(random, {count});
    const auto view = [&](std::size_t which) {
        const std::int64_t from = first + apart[which];
        return x(k::range(from, from + count));
    };
    const auto sum = view(0) * T(3) + view(1) + view(2) + view(3) + view(4) + view(5) + view(6) + view(7);
    CHECK(tests::schedule({}, sum).kernels.front().has_window());
    check(sum);
    check(sum - view(2) * other);
}

template <class T>
void check_windows() {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(17);
    constexpr std::int64_t width = 16 / sizeof(T);
    constexpr std::int64_t farthest = std::min<std::int64_t>(6 * width + 1, 63);
    for (const std::int64_t count : {1, 2, 3, 4, 5, 31, 1023, 1024, 1030, 4099})
        for (int round = 0; round < 4; ++round) {
            std::vector<std::int64_t> apart = {0, 1};
            while (apart.size() < 8) {  // what stands twice is one view
                const std::int64_t next = static_cast<std::int64_t>(random()) % (farthest + 1);
                if (std::find(apart.begin(), apart.end(), next) == apart.end()) apart.push_back(next);
            }
            std::shuffle(apart.begin(), apart.end(), random);
            check_windows<T>(random, count, round == 0 ? 0 : static_cast<std::int64_t>(random() % 20), apart);
        }
}

}  // namespace

TEST_CASE("nests: neighbours of an element are read in vectors, from no place outside of their views") {
    check_windows<std::int32_t>();
    check_windows<std::int64_t>();
    check_windows<std::int8_t>();

    // Vectors that hold more than what is wanted of them would be read for nothing; one kernel serves any distance.
    const k::scoped_device here(k::cpu);
    const k::array<float> x = k::zeros<float>({400});
    const auto at = [&](std::int64_t first) { return x(k::range(first, first + 100)); };
    CHECK_FALSE(tests::schedule({}, at(0) + at(8) + at(16)).kernels.front().has_window());
    CHECK_FALSE(tests::schedule({}, at(0) + at(1)).kernels.front().has_window());
    CHECK(tests::schedule({}, at(0) + at(1) + at(2)).kernels.front().has_window());
}

namespace {

/// Views of arrays of two and three axes, rows and elements apart, beside operands that are none of these.
template <class T>
void check_row_groups(std::mt19937& random, std::int64_t rows, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const k::array<T> x = numbers<T>(random, {rows + 9, columns + 3});
    const k::array<T> row = numbers<T>(random, {columns});
    const auto at = [&](std::int64_t i, std::int64_t j) { return x(k::range(i, i + rows), k::range(j, j + columns)); };
    const auto cross = at(0, 1) + at(2, 1) * T(3) + at(1, 0) + at(1, 2) - T(4) * at(1, 1);
    CHECK(tests::schedule({}, cross).kernels.front().has_row_groups() ==
          (rows > 1 && (columns >= k::plan::long_row || sizeof(T) <= 4)));  // not of shorter rows of wide elements
    check(cross);
    check(cross * row - numbers<T>(random, {rows, 1}) + numbers<T>(random, {rows, columns}));
    check([&]<int... I>(std::integer_sequence<int, I...>) {
        return (... + (at(I / 4, I % 4) * static_cast<T>(I + 1)));
    }(std::make_integer_sequence<int, 16>{}));
    check(at(9, 0) + at(0, 0) + at(4, 0) * T(2));  // far apart
    check(at(3, 1) - at(0, 1) + at(2, 2) * T(5) - at(0, 2));
    const k::array<T> y = numbers<T>(random, {rows + 1, columns + 5});
    const auto other = [&](std::int64_t i) { return y(k::range(i, i + rows), k::range(2, columns + 2)); };
    check(cross + other(0) * T(2) - other(1));
    const auto backwards = [&](std::int64_t i) {
        return x(k::range(rows + i - 1, i == 0 ? k::range::open : i - 1, -1), k::range(1, columns + 1));
    };
    check(backwards(2) + backwards(1) * T(3) - backwards(3));

    const k::array<T> cube = numbers<T>(random, {5, rows + 2, columns + 2});
    const auto in = [&](std::int64_t h, std::int64_t i, std::int64_t j) {
        return cube(k::range(h, h + 3), k::range(i, i + rows), k::range(j, j + columns));
    };
    check(in(0, 1, 1) + in(2, 1, 1) + in(1, 0, 1) * T(3) + in(1, 2, 1) - in(1, 1, 0) + in(1, 1, 2) - in(1, 1, 1));
    // Whole rows lie as the elements are numbered, and have no words in the layout.
    const k::array<T> tall = numbers<T>(random, {rows + 2, columns});
    const auto below = [&](std::int64_t i) { return tall(k::range(i, i + rows)); };
    const auto differences = below(1) - below(0) + (at(0, 1) - at(0, 0)) * T(3);
    if (rows > 1)
        CHECK(tests::schedule({}, differences).kernels.front().has_row_groups() ==
              (columns >= k::plan::long_row || sizeof(T) <= 4));
    check(differences);
    check(below(2) * T(2) - below(0) + below(1) - at(2, 3));
    const k::array<T> whole = numbers<T>(random, {4, rows, columns});
    check(whole(k::range(1, 4)) - whole(k::range(0, 3)) * T(3) + in(1, 1, 1));
    // Planes that are more rows apart than a group has are groups of their own, those that are met after others too.
    const auto points = [&]<int... I>(std::integer_sequence<int, I...>) {
        return (... + (in((I + 1) % 3, I / 9, I / 3 % 3) * static_cast<T>(I + 1)));
    }(std::make_integer_sequence<int, 27>{});
    CHECK(tests::schedule({}, points).kernels.front().has_row_groups());  // of wide elements, too, where views are many
    check(points);
}

}  // namespace

TEST_CASE("nests: views of one array rows apart are read once for all rows of a thread") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(23);
    tests::sample heights(2), types(3), lower(2, 1), widths(3);
    for (const std::int64_t rows : {1, 2, 7, 9, 17})
        if (heights.takes_next()) check_row_groups<std::int32_t>(random, rows, 1031);
    for (const std::int64_t rows : {3, 8}) {
        if (types.takes_next()) check_row_groups<std::int64_t>(random, rows, 1024);
        if (types.takes_next()) check_row_groups<std::int8_t>(random, rows, 1025);
    }
    // Shorter ones, which share blocks.
    for (const std::int64_t rows : {1, 2, 7, 9, 17, 40})
        if (lower.takes_next()) check_row_groups<std::int32_t>(random, rows, 257);
    for (const std::int64_t columns : {33, 64, 255, 256, 1023}) {
        if (widths.takes_next()) check_row_groups<std::int64_t>(random, 11, columns);
        if (widths.takes_next()) check_row_groups<std::int16_t>(random, 9, columns);
    }
}

TEST_CASE("nests: which views are of one group, and where it does not pay") {
    const k::scoped_device here(k::cpu);
    const k::array<float> x = k::zeros<float>({64, 2001});
    const auto groups = [&](const auto& e) { return tests::schedule({}, e).kernels.front().has_row_groups(); };
    const auto at = [&](std::int64_t i, std::int64_t j) { return x(k::range(i, i + 40), k::range(j, j + 1999)); };
    CHECK(groups(at(0, 0) + at(1, 0)));
    CHECK(groups(at(0, 0) + at(7, 0)));
    CHECK_FALSE(groups(at(0, 0) + at(8, 0)));   // no row of a thread's eight is read twice
    CHECK_FALSE(groups(at(0, 0) + at(16, 0)));  // nor does the class know
    CHECK_FALSE(groups(at(0, 0) + at(0, 1) + at(1, 2)));
    // Of rows shorter than long_row, too, whose threads then share blocks; not of the shortest.
    const auto below = [&](const k::array<float>& of, std::int64_t columns) {
        return tests::schedule({},
                               of(k::range(0, 40), k::range(0, columns)) + of(k::range(1, 41), k::range(0, columns)))
            .kernels.front();
    };
    CHECK(below(k::zeros<float>({64, 1001}), 999).has_row_groups());
    CHECK(below(k::zeros<float>({64, 1001}), 999).rows_share_blocks);
    CHECK_FALSE(below(k::zeros<float>({64, 2001}), 1999).rows_share_blocks);
    CHECK_FALSE(below(k::zeros<float>({64, 1001}), 32).has_row_groups());
    // Vectors are better where rows allow them.
    CHECK(below(k::zeros<float>({64, 1000}), 1000).vectorised);
    CHECK_FALSE(below(k::zeros<float>({64, 1000}), 1000).has_row_groups());
    // Where what is written is read, too: each element of it by the thread that writes it.
    k::array<float> target = k::zeros<float>({64, 2001});
    const auto part = target(k::range(1, 41), k::range(1, 2000));
    const k::plan::schedule in_place = tests::schedule({.outputs = {tests::through(part)}}, at(0, 0) + at(1, 0) - part);
    CHECK(in_place.kernels.front().aliased);
    CHECK(in_place.kernels.front().has_row_groups());
    const k::array<float> same = k::zeros<float>({64, 2001});
    CHECK_FALSE(groups(at(0, 0) + same(k::range(1, 41), k::range(0, 1999))));
}

namespace {

/// Arrays shifted along several axes, at least five of one memory.
template <class T>
void check_stencils(std::mt19937& random, std::int64_t rows, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const k::array<T> u = numbers<T>(random, {rows, columns});
    const k::array<T> other = numbers<T>(random, {rows, columns});
    const k::array<T> row = numbers<T>(random, {columns});
    const auto is_stencil = [](const auto& e) { return tests::schedule({}, e).kernels.front().is_stencil; };
    const auto square = [&](const k::array<T>& of, auto edge) {
        return [&of, edge]<int... I>(std::integer_sequence<int, I...>) {
            return (... + (k::shift(of, {I / 3 - 1, I % 3 - 1}, edge) * static_cast<T>(I + 1)));
        }(std::make_integer_sequence<int, 9>{});
    };
    CHECK(is_stencil(square(u, k::boundary::constant(T(0)))) == (rows > 1));
    check(square(u, k::boundary::constant(T(0))));
    check(square(u, k::boundary::constant(T(7))) * row - other);
    check(square(u, k::boundary::clamp));
    // Farther in one direction than in the other, and than there are rows; a memory of which nothing is shifted beside.
    const auto far = [&](std::int64_t i, std::int64_t j) { return k::shift(u, {i, j}); };
    const auto one_side = far(5, 0) + far(31, -2) * T(3) - far(2, 31) + far(0, 4) + far(-1, -31) + u + other * T(2);
    CHECK(is_stencil(one_side) == (rows > 1));
    check(one_side);
    // Of two memories.
    check(square(u, k::boundary::clamp) - square(other, k::boundary::constant(T(1))));
    // Some that are no stencil's: wrapped around, moved farther, of a view.
    check(square(u, k::boundary::clamp) + k::shift(u, {1, 0}, k::boundary::wrap) + k::shift(u, {0, 32}) +
          k::shift(k::flip(u), {1, 0}));

    const k::array<T> cube = numbers<T>(random, {3, rows, columns});
    const auto in = [&](std::int64_t h, std::int64_t i, std::int64_t j) { return k::shift(cube, {h, i, j}); };
    check(in(1, 0, 0) + in(-1, 0, 0) * T(2) + in(0, 1, 0) - in(0, -1, 0) + in(0, 0, 1) * T(3) + in(0, 0, -1) - cube +
          in(1, -1, 2));
}

}  // namespace

TEST_CASE("nests: arrays shifted along several axes are read once for all rows of a thread, at their edges too") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(31);
    tests::sample heights(2), types(3);
    for (const std::int64_t rows : {1, 2, 7, 9, 17})
        if (heights.takes_next()) check_stencils<std::int32_t>(random, rows, 1031);
    for (const std::int64_t rows : {3, 8, 40}) {
        if (types.takes_next()) check_stencils<std::int64_t>(random, rows, 1024);
        if (types.takes_next()) check_stencils<std::int8_t>(random, rows, 1025);
    }
}

TEST_CASE("nests: what is a stencil, and how many rows a thread has of it") {
    const k::scoped_device here(k::cpu);
    const auto kernel_of = [](const auto& e) { return tests::schedule({}, e).kernels.front(); };
    const k::array<float> u = k::zeros<float>({64, 2001});
    const auto cross = [](const auto& of) {
        return k::shift(of, {1, 0}) + k::shift(of, {-1, 0}) + k::shift(of, {0, 1}) + k::shift(of, {0, -1});
    };
    CHECK_FALSE(kernel_of(cross(u) + u).is_stencil);  // rows and their neighbours in vectors are as good
    CHECK(kernel_of(cross(u) + k::shift(u, {2, 0})).is_stencil);
    CHECK_FALSE(kernel_of(cross(u) + k::shift(u, {32, 0})).is_stencil);
    const k::array<float> narrow = k::zeros<float>({64, 1001});
    CHECK_FALSE(kernel_of(cross(narrow) + k::shift(narrow, {2, 0})).is_stencil);
    const auto box = []<int... I>(const auto& of, int side, std::integer_sequence<int, I...>) {
        return (... + k::shift(of, {I / side - 3, I % side - 3}));
    };
    CHECK(kernel_of(box(u, 3, std::make_integer_sequence<int, 9>{})).elements_per_thread == 8);
    const k::array<double> wide = k::zeros<double>({64, 2001});
    CHECK(kernel_of(box(wide, 7, std::make_integer_sequence<int, 49>{})).elements_per_thread < 8);
}

namespace {

using k::all;

/// Parts of rows side by side, and what is divided.
template <class T>
void check_blocks(std::mt19937& random, std::int64_t part, bool in_vectors) {
    CAPTURE(part);
    const std::int64_t row = 2 * part;
    const k::array<T> x = numbers<T>(random, {7, 3, row});
    const k::array<T> of_plane = numbers<T>(random, {7, part});
    const auto a = x(all, all, k::range(0, part));
    const auto b = x(all, all, k::range(part, row));
    const auto spread = of_plane(all, k::newaxis, all);
    const auto turned = k::concatenate(axis(2), a * spread - b, b * spread + a);
    const auto has_vectors = [&](const auto& e) { return tests::schedule({}, e).kernels.front().vectorised; };
    CHECK(has_vectors(turned) == in_vectors);
    check(turned);
    check(k::concatenate(axis(2), b, a, a - b));
    const auto halves = k::reshape(x, {7, 3, 2, part});
    const auto whole =
        k::reshape(halves * of_plane(all, k::newaxis, k::newaxis, all) - k::flip(halves, axis(2)), {7, 3, row});
    // Of four of four bytes, turned around within a vector, and of one or two, which leave in vectors however they are found.
    CHECK(has_vectors(whole) == (in_vectors || (part == 2 && sizeof(T) == 4) || sizeof(T) <= 2));
    check(whole);
    check(k::roll(x, part, axis(2)) - x);
    check(k::shift(x, {0, 0, part}, k::boundary::clamp) + x);
    check(k::shift(x, {0, 0, -part}, k::boundary::clamp) - x);
    check(k::shift(x, {0, 1, part}, k::boundary::clamp) * x);
    check(k::shift(x, {0, 0, part}, k::boundary::mirror) - x);
    check(k::pad(x, {{0, 0}, {0, 0}, {part, part}}) * T(2));
}

}  // namespace

TEST_CASE(
    "nests: parts of rows that are whole vectors move as vectors, and what is beyond their ends is what is there") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(23);
    for (const std::int64_t part : {16, 32, 48}) {
        check_blocks<std::int64_t>(random, part, true);
        check_blocks<std::int32_t>(random, part, true);
        check_blocks<std::int16_t>(random, part, true);
        check_blocks<std::int8_t>(random, part, true);
    }
    check_blocks<std::int32_t>(random, 4, true);
    check_blocks<std::int16_t>(random, 8, true);
    for (const std::int64_t part : {2, 3, 6, 18, 33}) check_blocks<std::int32_t>(random, part, false);
    check_blocks<std::int8_t>(random, 8, false);
}

namespace {

/// An image whose rows and columns are there `times` times, and one whose rows and columns are looked up.
template <class T>
void check_resized(std::mt19937& random, std::int64_t rows, std::int64_t columns, std::int64_t times) {
    CAPTURE(rows);
    CAPTURE(columns);
    CAPTURE(times);
    const k::array<T> x = numbers<T>(random, {rows, columns});
    const k::shape extents{rows, times, columns, times};
    const auto repeated =
        k::reshape(k::broadcast_to(x(all, k::newaxis, all, k::newaxis), extents), {rows * times, columns * times});
    const k::array<T> y = numbers<T>(random, {rows * times, columns * times});
    const auto at = [&](std::int64_t extent) { return k::arange<std::int32_t>(extent * times) - 3; };
    const auto looked_up = k::take(k::take(x, at(rows), axis(0)), at(columns), axis(1));
    const bool is_narrow = bytes_of(k::type_of<T>) <= 2 && columns * times % 4 == 0;
    CHECK(tests::schedule({}, repeated).kernels.front().vectorised == is_narrow);
    if (rows > 1) CHECK(tests::schedule({}, looked_up).kernels.front().vectorised == is_narrow);
    check(repeated);
    check(repeated + y);
}

}  // namespace

TEST_CASE(
    "nests: narrow elements that are repeated or looked up leave in vectors, in the last rows of an odd number too") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(37);
    for (const std::int64_t rows : {1, 3, 5}) {
        check_resized<std::uint8_t>(random, rows, 400, 3);
        check_resized<std::int16_t>(random, rows, 400, 3);
        check_resized<std::uint8_t>(random, rows, 361, 3);
        check_resized<std::uint8_t>(random, rows, 20, 5);
    }
    check_resized<std::int32_t>(random, 5, 400, 3);
}

TEST_CASE("nests: rows that share nothing in memory leave in its order") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(41);
    const k::array<std::int32_t> labels = numbers<std::int32_t>(random, {37});
    const auto which = labels(all, k::newaxis) == k::arange<std::int32_t>(100);
    const auto hot = k::cast<std::int32_t>(which);
    CHECK(tests::schedule({}, hot).kernels.front().rows_per_thread == 1);
    CHECK(
        tests::schedule({}, k::where(which, numbers<std::int32_t>(random, {100}), 0)).kernels.front().rows_per_thread ==
        2);
    check(hot);
}

TEST_CASE("nests: parts of rows that begin anywhere in memory are read one by one") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(29);
    const k::array<std::int32_t> from = numbers<std::int32_t>(random, {5, 68});
    for (const std::int64_t first : {0, 1, 2, 3}) {
        const auto x = from(all, k::range(first, first + 64));
        const auto a = x(all, k::range(0, 32)), b = x(all, k::range(32, 64));
        const auto turned = k::concatenate(axis(1), a - b, b + a);
        CHECK(tests::schedule({}, turned).kernels.front().vectorised == (first == 0));
        check(turned);
    }
}

namespace {

/// Pairs side by side, of which each element is read for both of its places; and those, cut again.
template <class T>
void check_pairs(std::mt19937& random, std::int64_t row, bool in_vectors) {
    CAPTURE(row);
    const k::array<T> x = numbers<T>(random, {6, row});
    const k::array<T> y = numbers<T>(random, {6, row});
    const k::array<T> of_row = numbers<T>(random, {6});
    const k::array<T> of_two = numbers<T>(random, {2});
    const auto both = k::stack(axis(2), x * T(2), x - y);
    const auto side_by_side = k::reshape(both, {6, 2 * row});
    CHECK(tests::schedule({}, side_by_side).kernels.front().vectorised == in_vectors);
    check(side_by_side);
    check(k::reshape(both * of_two + of_row(all, k::newaxis, k::newaxis), {6, 2 * row}));
    check(k::reshape(k::reshape(both, {3 * row, 4}) * numbers<T>(random, {3 * row, 1}), {12 * row}));
    check(k::reshape(k::stack(axis(1), x, y), {12, row}) + numbers<T>(random, {row}));
    check(k::reshape(x(all, all, k::newaxis) + k::index(2), {6, row}));
    check(k::reshape(k::stack(axis(2), x, y, x - y, of_row(all, k::newaxis) + y), {6, 4 * row}));
}

}  // namespace

TEST_CASE("nests: of pairs stacked along the last axis vectors are made of half as many elements") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(31);
    for (const std::int64_t row : {8, 16, 48}) {
        check_pairs<std::int64_t>(random, row, true);
        check_pairs<std::int16_t>(random, row, true);
        check_pairs<std::int8_t>(random, row, true);
    }
    check_pairs<std::int32_t>(random, 2, true);
    check_pairs<std::int8_t>(random, 6, true);
    // Rows that are no whole vectors are one axis, which is.
    for (const std::int64_t row : {3, 7}) check_pairs<std::int32_t>(random, row, true);
}

namespace {

/// Pairs of neighbours, taken apart and stacked again: numbers turned in their planes.
template <class T>
void check_turned(std::mt19937& random, std::int64_t row, bool in_vectors) {
    CAPTURE(row);
    const k::array<T> x = numbers<T>(random, {3, 5, row});
    const k::array<T> c = numbers<T>(random, {5, row / 2});
    const k::array<T> s = numbers<T>(random, {5, row / 2});
    const auto a = x(all, all, k::range(0, row, 2)), b = x(all, all, k::range(1, row, 2));
    const auto turned = k::reshape(k::stack(axis(3), a * c - b * s, a * s + b * c), {3, 5, row});
    CHECK(tests::schedule({}, turned).kernels.front().vectorised == in_vectors);
    check(turned);
    check(k::reshape(k::stack(axis(3), a, a), {3, 5, row}) + x);
    check(k::reshape(k::stack(axis(3), b, a) + k::index(3), {15, row}));
    check(k::reshape(k::flip(k::stack(axis(3), a, b), axis(3)), {3, 5 * row}));
}

}  // namespace

TEST_CASE("nests: every second element, each of which is read for both of its places") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(37);
    for (const std::int64_t row : {8, 16, 48}) {
        check_turned<std::int64_t>(random, row, true);
        check_turned<std::int32_t>(random, row, true);
        check_turned<std::int16_t>(random, row, true);
        check_turned<std::int8_t>(random, row, true);
    }
    for (const std::int64_t row : {6, 10}) check_turned<std::int32_t>(random, row, false);
}

namespace {

/// Planes that are made of the same operands.
template <class T>
void check_planes(std::mt19937& random, std::int64_t columns) {
    CAPTURE(columns);
    const k::array<T> x = numbers<T>(random, {3, columns});
    const k::array<T> weights = numbers<T>(random, {3, 1});
    const auto r = x(0), g = x(1), b = x(2);
    const auto planes = k::stack(axis(0), r * T(3) + g, g - b, b * T(2) - r);
    const k::plan::kernel made = tests::schedule({}, planes).kernels.front();
    CHECK((made.vectorised ? made.rows_per_thread : made.elements_per_thread) == 3);
    CHECK(made.inputs.size() == 4);  // each plane once, and which one it is
    check(planes);
    check(planes * weights + k::where(k::index(0) == 1, g, r));
    check(k::stack(axis(0), r, g, b, r + g, r + b) + g);
    // Of several pictures.
    const k::array<T> y = numbers<T>(random, {4, 3, columns});
    const auto of = [&](int i) { return y(all, i); };
    check(k::stack(axis(1), of(0) + of(1), of(2) - of(0), of(1) * T(2)));
    check(k::stack(axis(1), of(0), of(2)));
}

}  // namespace

TEST_CASE("nests: planes that are made of the same are made by one thread") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(41);
    for (const std::int64_t columns : {1024, 1040, 1031}) {
        check_planes<std::int32_t>(random, columns);
        check_planes<std::int64_t>(random, columns);
    }
    // What changes from plane to plane is read for each.
    const k::array<float> x = k::zeros<float>({3, 2000});
    const auto planes = [](const auto& e) { return tests::bind({}, e).kind().iteration().planes; };
    CHECK(planes(k::stack(axis(0), x(0), x(1), x(2)) + 1.0f) == 3);
    CHECK(planes(k::stack(axis(0), x(0), x(1), x(2)) + x) == 0);
    CHECK(planes(x + k::cast<float>(k::index(0))) == 0);
    CHECK(planes(x * k::zeros<float>({3, 1})) == 0);
    CHECK(planes(k::stack(axis(0), x(0), x(1), x(2), x(0), x(1), x(2), x(0), x(1))) == 0);
    CHECK(planes(k::stack(axis(0), x(0, k::range(0, 1000)), x(1, k::range(0, 1000)))) == 0);
}

namespace {

/// Rows of narrow elements that begin anywhere.
template <class T>
void check_skewed(std::mt19937& random, std::int64_t extent) {
    CAPTURE(extent);
    const k::array<T> x = numbers<T>(random, {4, extent + 3});
    const k::array<T> of_row = numbers<T>(random, {4, 1});
    const k::array<T> row = numbers<T>(random, {extent});
    const auto view = [&](std::int64_t from) { return x(all, k::range(from, from + extent)); };
    const auto sum = view(0) * T(3) + view(2) - view(3);
    const k::plan::schedule made = tests::schedule({}, sum);
    CHECK(made.kernels.front().skewed);
    check(sum);
    check(k::flip(view(1), axis(0)) * of_row + row);
    check(view(1) * k::cast<T>(k::index(0)) + k::cast<T>(k::index(1)));
    const k::array<T> cube = numbers<T>(random, {2, 3, extent + 1});
    check(cube(all, k::range(1, 3), k::range(1, extent + 1)) + cube(all, k::range(0, 2), k::range(0, extent)) -
          numbers<T>(random, {2, 1, 1}));
}

/// A few elements into a memory.
template <class T>
void check_skewed_views(std::mt19937& random, std::int64_t count) {
    CAPTURE(count);
    const k::array<T> x = numbers<T>(random, {count + 20});
    for (const std::int64_t from : {1, 3, 7, 19}) {
        const auto sum = x(k::range(from, from + count)) * T(2) - x(k::range(0, count));
        CHECK(tests::schedule({}, sum).kernels.front().skewed);
        check(sum);
    }
}

}  // namespace

TEST_CASE("nests: narrow elements that begin anywhere are taken from across two vectors, which their rows have whole") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(37);
    for (const std::int64_t extent : {517, 1023, 1025, 1026, 1027, 1030, 1037, 1039, 2051}) {
        check_skewed<std::int8_t>(random, extent);
        check_skewed<std::int16_t>(random, extent);
    }
    check_skewed<std::int16_t>(random, 257);
    for (const std::int64_t count : {1, 7, 15, 16, 31, 32, 33, 47, 64, 5003}) {
        check_skewed_views<std::uint8_t>(random, count);
        check_skewed_views<std::int16_t>(random, count);
    }
}

TEST_CASE("nests: where vectors that begin anywhere are not chosen") {
    const k::scoped_device here(k::cpu);
    const auto is_skewed = [](const auto& e) { return tests::schedule({}, e).kernels.front().skewed; };
    const k::array<std::int8_t> aligned = k::zeros<std::int8_t>({4096});
    CHECK_FALSE(is_skewed(aligned + aligned));
    const k::array<float> wide = k::zeros<float>({8, 1025});
    CHECK_FALSE(is_skewed(wide(all, k::range(0, 1023)) + wide(all, k::range(2, 1025))));
    const k::array<std::int8_t> short_rows = k::zeros<std::int8_t>({80, 103});
    CHECK_FALSE(is_skewed(short_rows(all, k::range(0, 101)) + short_rows(all, k::range(2, 103))));
}

namespace {

/// The last two axes of three change places.
template <class From, class To>
void check_aligned_tiles(std::mt19937& random, const std::array<std::int64_t, 3>& extents) {
    const std::int64_t groups = extents[0], rows = extents[1], columns = extents[2];
    CAPTURE(groups);
    CAPTURE(rows);
    CAPTURE(columns);
    const k::array<From> x = numbers<From>(random, {groups, rows, columns});
    const k::array<From> bias = numbers<From>(random, {columns, 1});
    const k::array<From> further = numbers<From>(random, {groups, rows + 2, columns + 3});
    const auto inside = further(k::all, k::range(1, rows + 1), k::range(3, columns + 3));
    const auto turned = k::cast<To>(k::permute(x, {0, 2, 1}));
    const auto both = k::cast<To>(k::permute(x - inside, {0, 2, 1}) * bias) + k::cast<To>(k::index(2) + k::index(1));
    const auto reversed = k::cast<To>(k::permute(k::flip(x, axis(1)), {2, 0, 1}));
    for (const std::int64_t misaligned : {0, 1, 3}) {
        CAPTURE(misaligned);
        check_on(k::plan::cuda_target, turned, misaligned);
        check_on(k::plan::cuda_target, both, misaligned);
        if (misaligned != 1) check_on(k::plan::cuda_target, reversed, misaligned);
    }
    const k::plan::schedule made = tests::schedule({}, both);
    CHECK(made.kernels.front().mapping == k::plan::thread_mapping::tiles);
    CHECK(k::plan::has_aligned_tiles(made.kernels.front()));
}

template <class From, class... To>
void check_aligned_tiles() {
    std::mt19937 random(43);
    const auto up_to = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(1, most)(random); };
    std::vector<std::array<std::int64_t, 3>> shapes{{1, 64, 64}, {2, 128, 32}, {3, 40, 36}, {2, 67, 130}, {1, 79, 65}};
    shapes.push_back({up_to(3), 31 + up_to(200), 31 + up_to(200)});
    for (const auto& extents : shapes) (check_aligned_tiles<From, To>(random, extents), ...);
}

}  // namespace

TEST_CASE("nests: what is turned is stored by whole sectors, wherever rows begin, and moves in words") {
    const k::scoped_device here(k::cpu);
    check_aligned_tiles<std::int8_t, std::int8_t, std::int16_t, std::int32_t>();
    check_aligned_tiles<std::int16_t, std::int16_t, std::int64_t>();
    check_aligned_tiles<std::int32_t, std::int32_t>();
    check_aligned_tiles<std::int64_t, std::int64_t>();
}

TEST_CASE("nests: where what is turned moves one by one") {
    const k::scoped_device here(k::cpu);
    const auto is_aligned = [](const auto& e) {
        const k::plan::schedule made = tests::schedule({}, e);
        const k::plan::kernel& of = made.kernels.front();
        REQUIRE(of.mapping == k::plan::thread_mapping::tiles);
        return k::plan::has_aligned_tiles(of);
    };
    const k::array<float> x = k::zeros<float>({90, 70}), y = k::zeros<float>({70, 90});
    CHECK(is_aligned(k::transpose(x)));
    CHECK_FALSE(is_aligned(k::transpose(x) + y));
    CHECK_FALSE(is_aligned(k::cast<std::int16_t>(k::transpose(x))));
}

namespace {

/// A byte, and numbers of its row.
template <class T>
void check_row_tables(std::mt19937& random, std::int64_t extent) {
    CAPTURE(extent);
    const auto body = []<int... I>(const auto& of, const auto& row, std::integer_sequence<int, I...>) {
        return (of + ... + (row * T(I % 2)));
    };
    const auto steps = std::make_integer_sequence<int, 16>{};
    const k::array<T> x = numbers<T>(random, {2, extent, 3}) - T(std::is_signed_v<T> ? 60 : 0);
    const k::array<T> of_row = numbers<T>(random, {3, 1});
    const auto turned = body(k::permute(x, {0, 2, 1}), of_row, steps);
    CHECK(tests::schedule({}, turned).kernels.front().has_row_tables);
    check(turned);
    check(k::cast<std::int32_t>(turned) * numbers<std::int32_t>(random, {2, 1, 1}));
}

}  // namespace

TEST_CASE("nests: what a body makes of a byte and of its row is in a table of the block's row") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(41);
    for (const std::int64_t extent : {1024, 1031, 8191, 8192, 8193, 20011}) {
        check_row_tables<std::int8_t>(random, extent);
        check_row_tables<std::uint8_t>(random, extent);
    }
}

namespace {

/// Rows of a group of rows, each by what the group has one of.
template <class T>
void check_groups(std::mt19937& random, std::int64_t extent) {
    CAPTURE(extent);
    const k::array<T> x = numbers<T>(random, {4, 6, extent});
    const k::array<T> of_row = numbers<T>(random, {6, 1});
    const auto by_group = [&](std::int64_t groups) {
        const k::array<T> of_group = numbers<T>(random, {4, groups, 1});
        const auto rows = k::reshape(k::reshape(x, {4, groups, 6 * extent / groups}) * of_group, {4, 6, extent});
        const auto e = rows - of_row;
        const auto planned = tests::schedule({}, e);
        const auto& inputs = planned.kernels.front().inputs;
        const auto are_of_rows = std::count_if(inputs.begin(), inputs.end(), [](const k::plan::operand& each) {
            return each.how == k::plan::access::uniform;
        });
        CHECK(are_of_rows == (6 % groups == 0 ? 2 : 1));
        check(e);
    };
    for (const std::int64_t groups : {1, 2, 3}) by_group(groups);
    if (extent % 2 == 0) by_group(4);  // which end within rows
}

}  // namespace

TEST_CASE("nests: what a group of rows has one of is the same all along each of them") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(43);
    for (const std::int64_t extent : {35, 64, 1026, 1027}) {
        check_groups<std::int32_t>(random, extent);
        check_groups<std::int16_t>(random, extent);
    }
}
