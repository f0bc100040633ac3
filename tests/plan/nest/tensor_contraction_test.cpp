// The nests of tensor cores, run without text: of every size of tile, each product is added to its own sum once, each value is stored once,
// what is read came before and nobody else was there, whichever way operands lie in memory and however many elements move at once.
#include "run_integers.hpp"

#include <plan/kernel_signature.hpp>
#include <plan/layout.hpp>
#include <plan/nest/check.hpp>
#include <plan/policy/policies.hpp>
#include <plan/tensor_contraction.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <random>

namespace {

namespace k = kiln;
using k::axis;

/// The one kernel of an expression, with such tiles. `fours`: whether it stores so many values at once. `mirrored`: as if its tiles below
/// the diagonal were not worth making.
template <class E>
void check_tiles(int tiles, const E& e, std::optional<bool> fours = {}, bool mirrored = false) {
    const k::plan::target on = k::plan::cuda_target_of(90);
    const k::stage::stages planned = tests::stages_of(on, e);
    REQUIRE(planned.list.size() == 1);
    const k::stage::stage& only = planned.list.front();
    tests::call call{only.leaves, only.outputs, nullptr};
    call.bind(on.kind);
    const k::plan::call_class& kind = call.kind();
    k::plan::schedule made = k::plan::partition(
        k::lower::lower(only.described, kind.numbers(), kind.baked(), k::plan::looked_up(kind)).code, kind, on);
    k::plan::iteration_class facts = kind.iteration();
    facts.division.tiles = 1 + tiles;
    facts.division.whole_fours = k::plan::has_whole_fours(*call.bound, facts);
    facts.division.mirrored = mirrored;
    k::plan::kernel& kernel = made.kernels.front();
    kernel.vectorised = false;
    REQUIRE(k::plan::choose_tensor_contraction(kernel, made.program, facts, on));
    if (fours) REQUIRE(kernel.contraction.stores_fours == *fours);
    REQUIRE(kernel.contraction.mirrored == mirrored);
    k::plan::assign_words(kernel);
    kernel.signature = k::plan::signature_of(made.program, kernel);
    CHECK(why_wrong(k::plan::nest_of(made.program, kernel), on) == "");
    const k::array<k::value_t<E>> wanted = e;
    const auto elements = wanted.to_host();
    // What leaves in vectors goes wherever the result begins.
    const std::int64_t most_misaligned = kernel.contraction.stores_neighbours > 0 ? 1 : 0;
    for (std::int64_t misaligned = 0; misaligned <= most_misaligned; ++misaligned) {
        CAPTURE(misaligned);
        const std::vector<std::vector<std::int64_t>> left =
            tests::run_integers(made, call, on.kind, tests::sums::plain, misaligned);
        REQUIRE(left.size() == 1);
        REQUIRE(left[0].size() == elements.size());
        for (std::size_t i = 0; i < elements.size(); ++i)
            if (static_cast<float>(k::value_t<E>(static_cast<float>(left[0][i]))) != static_cast<float>(elements[i]))
                FAIL("element ", i, " of ", elements.size(), " is ", left[0][i], " in place of ",
                     static_cast<float>(elements[i]));
    }
}

template <class T>
k::array<T> small_numbers(std::mt19937& random, const k::shape& of) {
    std::vector<T> out(static_cast<std::size_t>(of.size()));
    for (T& each : out) each = T(static_cast<float>(random() % 4));
    return k::from_host<T>(out, of);
}

template <class T>
k::array<T> words(std::mt19937_64& random, const k::shape& of) {
    std::vector<T> out(static_cast<std::size_t>(of.size()));
    for (T& each : out) each = static_cast<T>(random()) >> 1;
    return k::from_host<T>(out, of);
}

}  // namespace

TEST_CASE_TEMPLATE("nests of tensor cores: products of 16-bit floats, all tiles, all layouts", T, k::float16,
                   k::bfloat16) {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(31);
    for (const int tiles : {0, 1, 2, 3}) {  // the last by groups of warps
        CAPTURE(tiles);
        const std::int64_t m = tiles ? 70 : 130;
        const std::int64_t n = tiles ? 40 : 80;
        const k::array<T> a = small_numbers<T>(random, {m, 88});
        const k::array<T> b = small_numbers<T>(random, {88, n});
        check_tiles(tiles, k::matmul(a, b));
        const k::array<T> tall = k::transpose(a);
        const k::array<T> wide = k::transpose(b);
        check_tiles(tiles, k::matmul(k::transpose(tall), b));
        check_tiles(tiles, k::matmul(a, k::transpose(wide)));
        if (tiles % 3 || std::is_same_v<T, k::bfloat16>) continue;
        check_tiles(tiles, k::matmul(k::transpose(tall), k::transpose(wide)));
        const k::array<T> batch = small_numbers<T>(random, {2, 67, 38});
        const k::array<T> other = small_numbers<T>(random, {38, 70});
        check_tiles(tiles, k::matmul(batch, other));
        check_tiles(tiles, k::matmul(batch, other(k::all, k::range(1, 34))));
        check_tiles(tiles, k::matmul(k::flip(batch, k::axis(2)), k::flip(other, k::axis(1))));
        check_tiles(tiles, k::matmul(k::transpose(batch, {0, 2, 1}), small_numbers<T>(random, {2, 67, 21})));
    }
}

TEST_CASE_TEMPLATE("nests of tensor cores: products that one small tile holds", T, k::float16, k::bfloat16) {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(41);
    const auto tile_of = [](const auto& e) {
        const k::plan::target on = k::plan::cuda_target_of(90);
        return tests::first_stage_schedule(on, e).kernels.front().contraction;
    };
    struct product {
        std::int64_t rows, depth, columns;
        int side;
    };
    for (const product& of :
         {product{32, 16, 32, 32}, product{17, 20, 31, 32}, product{33, 17, 35, 48}, product{48, 64, 40, 48},
          product{49, 33, 64, 64}, product{65, 16, 32, 128}, product{32, 65, 32, 128}}) {
        CAPTURE(of.rows);
        CAPTURE(of.depth);
        CAPTURE(of.columns);
        const k::array<T> a = small_numbers<T>(random, {3, of.rows, of.depth});
        const k::array<T> b = small_numbers<T>(random, {3, of.depth, of.columns});
        const k::array<T> turned = small_numbers<T>(random, {3, of.columns, of.depth});
        const k::plan::contraction_tile tile = tile_of(k::matmul(a, b));
        CHECK(tile.rows == of.side);
        CHECK(tile.stores_whole == (of.side <= 64 && of.columns % 8 != 0));
        check_tiles(0, k::matmul(a, b));
        check_tiles(0, k::matmul(a, k::transpose(turned, {0, 2, 1})));
        check_tiles(0, k::matmul(k::transpose(b, {0, 2, 1}), k::transpose(a, {0, 2, 1})));
        check_tiles(0, k::matmul(a(k::range(1, 3)), b(2)));
    }
}

TEST_CASE_TEMPLATE("nests of tensor cores: counts of common bits", T, std::int32_t, std::int64_t) {
    const k::scoped_device here(k::cpu);
    std::mt19937_64 random(32);
    for (const int tiles : {0, 1}) {
        CAPTURE(tiles);
        for (const std::int64_t depth : {40, 22, 19}) {
            const k::array<T> a = words<T>(random, {70, depth});
            const k::array<T> b = words<T>(random, {67, depth});
            check_tiles(tiles, k::sum(k::popcount(a(k::all, k::newaxis) & b(k::newaxis)), axis(2)));
        }
        const k::array<T> a = words<T>(random, {70, 20});
        const k::array<T> turned = words<T>(random, {20, 66});
        check_tiles(tiles, k::sum(k::popcount(a(k::all, k::all, k::newaxis) & turned), axis(1)));
    }
}

TEST_CASE("nests of tensor cores: counts of 32 bits are stored in fours where columns are a multiple of 4") {
    const k::scoped_device here(k::cpu);
    std::mt19937_64 random(35);
    const auto counts = [](const auto& a, const auto& b) {
        return k::cast<std::int32_t>(k::sum(k::popcount(a & b), axis(-1)));
    };
    for (const int tiles : {0, 1}) {
        CAPTURE(tiles);
        for (const std::int64_t depth : {40, 19}) {
            CAPTURE(depth);
            const auto a = words<std::int32_t>(random, {70, depth});
            for (const std::int64_t n : {68, 132, 67, 66}) {
                CAPTURE(n);
                const auto b = words<std::int32_t>(random, {n, depth});
                check_tiles(tiles, counts(a(k::all, k::newaxis), b(k::newaxis)), n % 4 == 0);
            }
            const auto batch = words<std::int32_t>(random, {2, 67, 1, depth});
            const auto b = words<std::int32_t>(random, {68, depth});
            check_tiles(tiles, counts(batch, b), true);
        }
        const auto turned =
            words<std::int32_t>(random, {40, 68});  // whose columns are no vectors, though rows are aligned
        const auto tall = words<std::int32_t>(random, {72, 40});
        check_tiles(tiles,
                    k::cast<std::int32_t>(k::sum(k::popcount(tall(k::all, k::all, k::newaxis) & turned), axis(1))),
                    true);
        // Counts of 64 bits are stored as before.
        const auto a = words<std::int32_t>(random, {70, 40});
        const auto b = words<std::int32_t>(random, {68, 40});
        check_tiles(tiles, k::sum(k::popcount(a(k::all, k::newaxis) & b(k::newaxis)), axis(2)), false);
    }
}

TEST_CASE_TEMPLATE("nests of tensor cores: counts of an array with itself, of which half are made", T, std::int32_t,
                   std::int64_t) {
    const k::scoped_device here(k::cpu);
    std::mt19937_64 random(38);
    const auto counts = [](const auto& a, const auto& b) {
        return k::cast<std::int32_t>(k::sum(k::popcount(a & b), axis(-1)));
    };
    for (const int tiles : {1, 2}) {
        CAPTURE(tiles);
        for (const std::int64_t n : {8, 128, 132, 131, 257, 380, 390}) {  // one to four tiles on each side
            CAPTURE(n);
            const auto a = words<T>(random, {n, n == 132 ? 19 : 8});
            check_tiles(tiles, counts(a(k::all, k::newaxis), a(k::newaxis)), n % 4 == 0, true);
        }
        for (const std::int64_t n : {140, 139}) {
            const auto batch = words<T>(random, {2, n, 8});
            check_tiles(tiles, counts(batch(k::all, k::all, k::newaxis), batch(k::all, k::newaxis)), n % 4 == 0, true);
            const auto a = batch(1);
            check_tiles(tiles, k::sum(k::popcount(a(k::all, k::newaxis) & a(k::newaxis)), axis(2)), false, true);
        }
    }
}

namespace {

/// Of an expression that is one stage.
template <class E>
bool makes_half(const E& e) {
    const k::plan::target on = k::plan::cuda_target_of(90);
    const k::stage::stages planned = tests::stages_of(on, e);
    REQUIRE(planned.list.size() == 1);
    const k::stage::stage& only = planned.list.front();
    tests::call call{only.leaves, only.outputs, nullptr};
    call.bind(on.kind);
    const k::plan::call_class& kind = call.kind();
    return k::plan::partition(
               k::lower::lower(only.described, kind.numbers(), kind.baked(), k::plan::looked_up(kind)).code, kind, on)
        .kernels.front()
        .contraction.mirrored;
}

}  // namespace

TEST_CASE("tensor contractions: half of the tiles are made where both operands are the same rows of one memory") {
    const k::scoped_device here(k::cpu);
    using k::all, k::newaxis;
    std::mt19937_64 random(39);
    const auto counts = [](const auto& a, const auto& b) {
        return k::cast<std::int32_t>(k::sum(k::popcount(a & b), axis(-1)));
    };
    const auto of_rows = [&](const auto& a, const auto& b) { return counts(a(all, newaxis), b(newaxis)); };
    const auto a = words<std::int32_t>(random, {2600, 128});
    const auto b = words<std::int32_t>(random, {2600, 128});
    CHECK(makes_half(of_rows(a, a)));
    CHECK(makes_half(counts(a(newaxis), a(all, newaxis))));
    CHECK(makes_half(of_rows(a(k::range(0, 2600, 1)), a)));
    const auto part = a(k::range(0, 2399));
    CHECK(makes_half(of_rows(part, part)));
    CHECK(makes_half(k::sum(k::popcount(a(all, newaxis) & a(newaxis)), axis(2))));
    const auto batch = words<std::int32_t>(random, {2, 2048, 128});
    CHECK(makes_half(counts(batch(all, all, newaxis), batch(all, newaxis))));

    CHECK_FALSE(makes_half(of_rows(a, b)));
    CHECK_FALSE(makes_half(of_rows(a(k::range(0, 2400)), a(k::range(200, 2600)))));  // other rows of one memory
    CHECK_FALSE(makes_half(of_rows(a(k::range(0, 2400)), a)));                       // more columns than rows
    CHECK_FALSE(makes_half(of_rows(a(all, k::range(0, 64)), a(all, k::range(64, 128)))));
    CHECK_FALSE(makes_half(of_rows(k::flip(a, k::axis(0)), a)));
    CHECK_FALSE(makes_half(counts(batch(all, all, newaxis), k::flip(batch, k::axis(0))(all, newaxis))));
    CHECK_FALSE(makes_half(counts(batch(0, all, newaxis), batch(1, newaxis))));
    // A square's rows with its columns.
    const auto square = words<std::int32_t>(random, {2048, 2048});
    CHECK_FALSE(makes_half(counts(square(all, newaxis), k::transpose(square)(newaxis))));

    // Of few values, and of short rows, all tiles are made.
    const auto few = a(k::range(0, 2048));
    CHECK_FALSE(makes_half(of_rows(few, few)));
    const auto narrow = a(all, k::range(0, 60));
    CHECK_FALSE(makes_half(of_rows(narrow, narrow)));
}

TEST_CASE("tensor contractions: only an output of aligned memory is stored in fours") {
    const k::scoped_device here(k::cpu);
    std::mt19937_64 random(36);
    const auto a = words<std::int32_t>(random, {512, 40});
    const k::stage::stages planned =
        tests::stages_of(k::plan::cuda_target_of(90),
                         k::cast<std::int32_t>(k::sum(k::popcount(a(k::all, k::newaxis) & a(k::newaxis)), axis(2))));
    const k::stage::stage& only = planned.list.front();
    tests::call call{only.leaves, only.outputs, nullptr};
    call.bind(k::plan::frame::cuda);
    const k::plan::iteration_class facts = call.kind().iteration();
    CHECK(facts.division.tiles > 0);
    CHECK(facts.division.copied_bytes == 16);
    CHECK(facts.division.whole_fours);
    const k::array<std::int32_t> memory = k::zeros<std::int32_t>({512 * 512 + 4});
    for (const std::int64_t begin : {0, 1, 2, 4}) {
        CAPTURE(begin);
        const auto part = memory(k::range(begin, begin + 512 * 512));
        call.outputs[0].target = part.kiln_node().get();
        call.bound->reused = true;
        CHECK(k::plan::has_whole_fours(*call.bound, facts) == (begin % 4 == 0));
    }
}

TEST_CASE("nests of tensor cores: what is made of the values of a product") {
    const k::scoped_device here(k::cpu);
    using T = k::float16;
    std::mt19937 random(33);
    for (const int tiles : {0, 3}) {
        CAPTURE(tiles);
        const k::array<T> a = small_numbers<T>(random, {70, 41});
        const k::array<T> b = small_numbers<T>(random, {41, 50});
        const k::array<T> bias = small_numbers<T>(random, {50});
        const k::array<T> scale = small_numbers<T>(random, {70, 1});
        const k::array<T> residual = small_numbers<T>(random, {50, 70});
        check_tiles(tiles, k::matmul(a, b) + bias);
        check_tiles(tiles, k::matmul(a, b) * scale + k::transpose(residual));
        check_tiles(tiles, k::cast<float>(k::matmul(a, b)) - k::cast<float>(bias));
    }
}

TEST_CASE_TEMPLATE("nests of tensor cores: what groups make of the values of a product, and stores of neighbours", T,
                   k::float16, k::bfloat16) {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(42);
    for (const std::int64_t m : {70, 129, 257}) {
        const std::int64_t n = m == 129 ? 264 : 56;
        CAPTURE(m);
        const k::array<T> a = small_numbers<T>(random, {m, 24});
        const k::array<T> b = small_numbers<T>(random, {24, n});
        const k::array<T> turned = small_numbers<T>(random, {n, 24});
        const k::array<T> bias = small_numbers<T>(random, {n});
        const k::array<T> scale = small_numbers<T>(random, {m, 1});
        const k::array<T> residual = small_numbers<T>(random, {m, n});
        check_tiles(3, k::matmul(a, b));
        check_tiles(3, k::matmul(a, k::transpose(turned)) - scale + residual);
        check_tiles(3, k::cast<float>(k::matmul(a, b)) - k::cast<float>(bias));
        check_tiles(3, k::cast<double>(k::matmul(a, b)) - k::cast<double>(bias));
        const auto in_function = [&](const auto& product) {
            check_tiles(3, k::exp2(k::cast<T>(product + bias < residual)) + product);
        };
        in_function(k::matmul(a, b));
        in_function(k::matmul(a, k::transpose(turned)));
        in_function(k::matmul(a + T(1.0f), b));
    }
}

TEST_CASE("tensor contractions: groups store neighbours of a row at once where its vectors are whole") {
    const k::scoped_device here(k::cpu);
    using T = k::bfloat16;
    const auto tile_of = [](const auto& e) {
        return tests::first_stage_schedule(k::plan::cuda_target_of(90), e).kernels.front().contraction;
    };
    const auto layer = [&](std::int64_t n) {
        return k::matmul(k::array<T>(k::zeros<T>({2504, 64})), k::array<T>(k::zeros<T>({64, n}))) +
               k::array<T>(k::zeros<T>({n}));
    };
    const auto functions = tile_of(k::gelu(layer(2000)));
    CHECK(functions.by_groups);
    CHECK(functions.finishes_in_functions);
    CHECK(functions.stores_neighbours == 8);
    CHECK_FALSE(tile_of(k::max(layer(2000), T(0.0f))).finishes_in_functions);
    CHECK(tile_of(k::cast<float>(layer(2000))).stores_neighbours == 4);
    CHECK(tile_of(layer(2004)).stores_neighbours == 0);  // rows begin between vectors
    // Of few values there are no groups.
    CHECK_FALSE(tile_of(k::gelu(layer(1000))).by_groups);
}

TEST_CASE_TEMPLATE("nests of tensor cores: what is made of operands on their way to shared memory", T, k::float16,
                   k::bfloat16) {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(34);
    for (const int tiles : {0, 1, 3}) {
        CAPTURE(tiles);
        const std::int64_t m = tiles ? 70 : 130;
        const std::int64_t n = tiles ? 40 : 80;
        for (const std::int64_t depth : {88, 41}) {
            CAPTURE(depth);
            const k::array<T> whole = small_numbers<T>(random, {m, 88});
            const auto a = whole(k::all, k::range(0, depth));
            const k::array<T> b = small_numbers<T>(random, {depth, n});
            const k::array<T> bias = small_numbers<T>(random, {n});
            // Past the end of what is read there are no ones, either.
            check_tiles(tiles, k::matmul(a + T(1.0f), b));
            check_tiles(tiles, k::matmul(a, b + T(1.0f)));
            check_tiles(tiles, k::matmul(a * T(2.0f), b + T(1.0f)));
            if (std::is_same_v<T, k::float16>) check_tiles(tiles, k::matmul(a * T(2.0f), b + T(1.0f)) + bias);
            if (depth % 2 || std::is_same_v<T, k::bfloat16>) continue;
            const k::array<T> tall = small_numbers<T>(random, {depth, 72});
            const k::array<T> wide = small_numbers<T>(random, {n, depth});
            check_tiles(tiles, k::matmul(k::transpose(tall) + T(1.0f), k::transpose(wide) + T(1.0f)));
            const k::array<T> batch = small_numbers<T>(random, {2, 67, 40});
            const k::array<T> other = small_numbers<T>(random, {38, 72});
            const auto part = batch(k::all, k::all, k::range(0, 38));
            check_tiles(tiles, k::matmul(part + T(1.0f), other));
            check_tiles(tiles, k::matmul(part, other(k::all, k::range(0, 67)) + T(1.0f)));
        }
    }
}
