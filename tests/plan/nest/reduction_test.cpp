// The nests of reductions and of persistent rows, run without text, of integers of random shapes: each element goes into its value
// once, and each value is stored once. They are in the host's memory, whatever device the tests are of.
#include "planned_nests.hpp"

#include <plan/free_rows.hpp>
#include <plan/interleaved.hpp>
#include <plan/kernel_signature.hpp>
#include <plan/layout.hpp>
#include <plan/policy/neighbour_lanes.hpp>
#include <plan/shared_rows.hpp>

#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <array>
#include <random>

namespace {

namespace k = kiln;
using tests::check_changed;
using tests::check_planned;
using tests::numbers;
using tests::orders_of;
using tests::plan_again;

/// Rows of what short rows come to, of which there are too few for that otherwise.
template <class... Es>
void check_nested(const Es&... es) {
    const k::plan::target on = k::plan::cuda_target_of(90);
    const std::vector<k::detail::handle<k::detail::term>> roots = {k::expr<k::value_t<Es>>(es).erase()...};
    const std::vector<k::detail::output> wanted(roots.size());
    k::detail::reducing_kernels kernels = k::plan::row_limits(on, /*fuse=*/true);
    kernels.nests = [](const auto&...) { return true; };
    check_planned(
        k::stage::make_stages(roots.data(), static_cast<int>(roots.size()), wanted.data(), kernels), on,
        [](const k::plan::schedule& made, const auto&) { REQUIRE(made.kernels.front().nested_extent > 0); }, es...);
}

/// What is made of rows and of what they come to, of fewer rows than that is done of otherwise.
template <class E>
k::stage::stages crossed_stages(const k::plan::target& on, const E& e) {
    const k::detail::handle<k::detail::term> root = k::expr<k::value_t<E>>(e).erase();
    const k::detail::output wanted;
    k::detail::reducing_kernels kernels = k::plan::row_limits(on, /*fuse=*/true);
    kernels.crosses = [](const auto&...) { return true; };
    return k::stage::make_stages(&root, 1, &wanted, kernels);
}

template <class E>
void check_crossed(const E& e) {
    const k::plan::target on = k::plan::cuda_target_of(90);
    check_planned(
        crossed_stages(on, e), on,
        [](const k::plan::schedule& made, const auto&) { REQUIRE(made.kernels.front().crossed); }, e);
}

template <class... Es>
void check_on(const k::plan::target& on, const Es&... es) {
    check_changed(
        on, [](const auto&...) {}, es...);
}

template <class... Es>
void check(const Es&... es) {
    check_on(k::plan::cuda_target, es...);
}

/// Of rows that stay on chip on both.
template <class... Es>
void check_rows(const Es&... es) {
    check_on(k::plan::cuda_target, es...);
    check_on(k::plan::host_target, es...);
}

using k::axis;

template <class T>
void check_type() {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(11);
    const auto up_to = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(1, most)(random); };
    for (int round = 0; round < 3; ++round) {
        const std::int64_t r = up_to(30);
        const std::int64_t c = round == 0 ? 16 * up_to(6) : up_to(150);
        CAPTURE(r);
        CAPTURE(c);
        const k::array<T> m = numbers<T>(random, {r, c});
        const k::array<T> other = numbers<T>(random, {r, c});
        const k::array<T> column = numbers<T>(random, {r, 1});
        const k::array<T> longer = numbers<T>(random, {r * c + 1});
        const k::array<T> cube = numbers<T>(random, {r, 3, c});
        check(k::sum(m * other));
        check(k::max(m, axis(1)), k::sum(m, axis(1)), k::argmin(m, axis(1)));
        check(k::sum(m * column - other, axis(0)));
        check(k::argmax(m, axis(0)), k::min(m, axis(0)));
        check(k::sum(longer(k::range(1, r * c + 1))));
        check(k::prod(k::transpose(m), axis(1)));
        check(k::sum(k::shift(m, {0, 1}, k::boundary::clamp) * other, axis(1)));
        check(k::sum(cube, axis(1)));
        check(k::max(cube, axis(0)));
        check(k::argmax(k::reshape(cube, {r, 3 * c}), axis(1)));
        check(k::sum(m * T(3)), k::argmax(m));
        // Rows that stay on chip.
        const auto centred = m - k::max(m, axis(1), k::keep_dims);
        check(centred);
        check(centred * k::sum(centred * other, axis(1), k::keep_dims) + column);
        check(m * k::sum(m, axis(1), k::keep_dims), k::min(m, axis(1)));
    }
}

/// With several values for each thread, which calls of fewer values have not.
template <class... Es>
void check_shared(const Es&... es) {
    check_changed(
        k::plan::cuda_target,
        [&](k::plan::schedule& made, const k::plan::call_class& kind) {
            k::plan::iteration_class facts = kind.iteration();
            facts.division.many_values = true;
            k::plan::kernel& only = made.kernels.front();
            // Of few values rows that begin anywhere are skewed.
            only.vectorised = only.vectorised && !only.skewed;
            only.skewed = false;
            k::plan::choose_shared_rows(only, facts);
            REQUIRE(only.rows_per_thread > 1);
            plan_again(made);
        },
        es...);
}

/// By the threads that a row has which any order gives the same bits of, where rows are many or few.
template <class... Es>
void check_free(bool are_many, const Es&... es) {
    check_changed(
        k::plan::cuda_target,
        [&](k::plan::schedule& made, const k::plan::call_class& kind) {
            k::plan::iteration_class facts = kind.iteration();
            facts.division.many_values = are_many;
            k::plan::kernel& only = made.kernels.front();
            const int order = facts.division.threads_per_output;
            REQUIRE(k::plan::choose_free_rows(only, made.program, facts, kind.alignment(), k::plan::cuda_target));
            CHECK((only.threads_per_output < order) == (are_many && !only.splits && order > 4));
            plan_again(made);
        },
        es...);
}

template <class T>
void check_free_rows(std::mt19937& random, std::int64_t rows, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const k::array<T> longer = numbers<T>(random, {rows * columns + 16});
    for (const std::int64_t first : {0, 1, 13}) {
        CAPTURE(first);
        const auto m = k::reshape(longer(k::range(first, first + rows * columns)), {rows, columns});
        for (const bool are_many : {false, true}) {
            check_free(are_many, k::argmax(m, axis(1)));
            check_free(are_many, k::min(m + T(3), axis(1)), k::argmin(m + T(3), axis(1)));
        }
    }
    const k::array<T> m = numbers<T>(random, {rows, columns}), other = numbers<T>(random, {rows, columns});
    if (columns % 16 == 0) check_free(true, k::max(m - other, axis(1)), k::argmin(m - other, axis(1)));
}

/// As threads of many rows do the work of several of the order's.
void give_turns(k::plan::schedule& made, const k::plan::call_class&) {
    k::plan::kernel& only = made.kernels.front();
    only.turns = k::plan::row_turns;
    only.threads_per_block = k::plan::row_threads;
    plan_again(made);
}

template <int Values = 4>
void give_lanes_values(k::plan::schedule& made, const k::plan::call_class& kind) {
    k::plan::iteration_class facts = kind.iteration();
    facts.division.many_values = true;
    facts.division.lane_values = Values;
    k::plan::kernel& only = made.kernels.front();
    k::plan::choose_shared_rows(only, facts);
    REQUIRE(only.values_in_lanes);
    plan_again(made);
}

/// The same from tiles of warps, which values with few accumulators have not.
template <int Values = 4>
void give_lanes_tiles(k::plan::schedule& made, const k::plan::call_class& kind) {
    give_lanes_values<Values>(made, kind);
    k::plan::kernel& only = made.kernels.front();
    only.tiles_of_lanes = true;
    only.threads_per_block = 2 * only.threads_per_output;
    plan_again(made);
}
template <class... Es>
void check_tiles(const Es&... es) {
    check_changed(k::plan::cuda_target, give_lanes_tiles<4>, es...);
}

/// As options.fast_math lets them be.
template <auto Give>
void in_any_order(k::plan::schedule& made, const k::plan::call_class& kind) {
    made.program.any_order = true;
    Give(made, kind);
}

/// With values of its own for each lane, which calls of fewer values have not.
template <class... Es>
void check_lanes(const Es&... es) {
    check_changed(k::plan::cuda_target, give_lanes_values<4>, es...);
}

/// With several rows for each thread, which calls of fewer rows have not.
template <class... Es>
void check_interleaved(std::int64_t extent, const Es&... es) {
    check_changed(
        k::plan::cuda_target,
        [&](k::plan::schedule& made, const k::plan::call_class& kind) {
            k::plan::iteration_class facts = kind.iteration();
            facts.division.known_row = static_cast<int>(extent);
            k::plan::kernel& only = made.kernels.front();
            REQUIRE(k::plan::choose_interleaved(only, made.program, facts, kind.alignment()));
            plan_again(made);
        },
        es...);
}

template <class T>
void check_interleaved_rows(std::mt19937& random, std::int64_t n, std::int64_t m) {
    CAPTURE(n);
    CAPTURE(m);
    const k::array<T> a = numbers<T>(random, {m, n});
    const k::array<T> weights = numbers<T>(random, {n});
    const k::array<T> column = numbers<T>(random, {m, 1});
    const k::array<T> image = numbers<T>(random, {m, 2 * n + 1});
    check_interleaved(n, k::sum(a, axis(1)));
    check_interleaved(n, k::max(a * weights - column, axis(1)), k::sum(a, axis(1)));
    check_interleaved(n, k::argmin(a - column, axis(1)));
    check_interleaved(n, k::sum(a - image(k::all, k::range(0, n)), axis(1)));
    check_interleaved(n, a + T(1), k::sum(a + T(1), axis(1)));
    // Rows that stay on chip.
    check_interleaved(n, a - k::max(a, axis(1), k::keep_dims));
    check_interleaved(n, k::sum(a * weights, axis(1)) * T(3));
    const auto centred = a - k::min(a, axis(1), k::keep_dims);
    if (n < 6) check_interleaved(n, centred * k::sum(centred * weights, axis(1), k::keep_dims) + column);
}

/// How persistent rows that begin anywhere are taken, whatever is planned.
enum class taken { in_vectors, by_neighbours, from_shared_slots };

void take_as(taken how, k::plan::schedule& made) {
    k::plan::kernel& only = made.kernels.front();
    REQUIRE(only.persistent_rows);
    REQUIRE(!only.vectorised);
    only.has_neighbour_lanes = how != taken::in_vectors;
    only.shares_slots = how == taken::from_shared_slots;
    if (!only.shares_slots) return;
    REQUIRE(only.threads_per_output == only.threads_per_block);
    only.recomputes = true;
    only.items_in_registers = 0;
}

/// Rows that begin at each distance from a vector, of arrays that do: what is read and what is stored at others.
template <class T>
void check_skewed_rows(std::mt19937& random, std::int64_t n, std::int64_t m = 5, taken how = taken::in_vectors) {
    CAPTURE(n);
    CAPTURE(static_cast<int>(how));
    const auto check_taken = [how](const auto&... es) {
        check_changed(
            k::plan::cuda_target_of(90),
            [how](k::plan::schedule& made, const auto&) {
                if (!made.kernels.front().vectorised) take_as(how, made);
            },
            es...);
    };
    const k::array<T> longer = numbers<T>(random, {m * n + 3});
    const k::array<T> weights = numbers<T>(random, {n + 2});
    const k::array<T> column = numbers<T>(random, {m, 1});
    for (const std::int64_t begin : {0, 1, 3}) {
        const auto x = k::reshape(longer(k::range(begin, begin + m * n)), {m, n});
        check_taken(x - k::min(x, axis(1), k::keep_dims));
        const auto w = weights(k::range(begin % 3, begin % 3 + n));
        check_taken(x - w + column - k::min(x, axis(1), k::keep_dims), k::max(x, axis(1)));
        check_taken(k::argmax(x - w, axis(1), k::keep_dims) - x, k::sum(x * w, axis(1)));
    }
    // Beside rows of wider elements.
    const k::array<T> rows = numbers<T>(random, {m, n});
    const k::array<std::int32_t> other = numbers<std::int32_t>(random, {m, n});
    check_taken(k::cast<std::int32_t>(rows) * k::min(other, axis(1), k::keep_dims) + other);
    if (how == taken::from_shared_slots) return;
    // Rows of a wider array.
    const k::array<T> wide = numbers<T>(random, {m, n + 7});
    const auto part = wide(k::all, k::range(2, 2 + n));
    check_taken(part - k::min(part, axis(1), k::keep_dims));
    check_taken(k::cast<std::int32_t>(part) * k::min(other, axis(1), k::keep_dims) + other);
}

/// With some of a thread's items in slots, which shorter rows have in registers.
template <class... Es>
void check_slots(int in_registers, bool recomputes, const Es&... es) {
    check_changed(
        k::plan::cuda_target_of(90),
        [&](k::plan::schedule& made, const k::plan::call_class&) {
            k::plan::kernel& only = made.kernels.front();
            REQUIRE(only.persistent_rows);
            REQUIRE(in_registers < only.items_per_thread);
            only.items_in_registers = in_registers;
            only.recomputes = recomputes;
        },
        es...);
}

template <class T>
void check_rows_in_slots(std::mt19937& random, std::int64_t n) {
    CAPTURE(n);
    const k::array<T> a = numbers<T>(random, {2, n});
    const k::array<T> other = numbers<T>(random, {2, n});
    const k::array<T> weights = numbers<T>(random, {n});
    const k::array<T> column = numbers<T>(random, {2, 1});
    for (const auto& way : {std::pair(0, false), std::pair(1, false), std::pair(1, true)}) {
        const auto in_registers = way.first;
        const bool recomputes = way.second;
        CAPTURE(in_registers);
        CAPTURE(recomputes);
        const auto centred = a - k::max(a, axis(1), k::keep_dims);
        // One after the other in one slot, with an operand that is needed late beside; several results.
        check_slots(in_registers, recomputes,
                    centred * k::sum(centred * weights, axis(1), k::keep_dims) - other + column);
        check_slots(in_registers, recomputes, k::sum(centred * centred, axis(1)), a + T(1), centred * T(2) + other);
    }
}

/// Of which a warp has several, beside what is apart, of another type, one for all rows and one for each.
template <class T>
void check_short_rows(std::mt19937& random, std::int64_t n, std::int64_t m) {
    CAPTURE(n);
    CAPTURE(m);
    const k::array<T> a = numbers<T>(random, {m, n});
    const k::array<T> apart = numbers<T>(random, {m, n + 3});
    const k::array<T> weights = numbers<T>(random, {n});
    const k::array<T> column = numbers<T>(random, {m, 1});
    const k::array<std::int8_t> bytes = numbers<std::int8_t>(random, {m, n});
    const auto on = k::plan::cuda_target_of(90);
    const auto centred = a - k::max(a, axis(1), k::keep_dims);
    check_on(on, centred * k::sum(centred * weights, axis(1), k::keep_dims) + column);
    check_on(on, a - k::min(apart(k::all, k::range(1, n + 1)) * bytes, axis(1), k::keep_dims));
    check_on(on, centred + bytes, k::max(a, axis(1)));
}

/// Of 16-bit floats that are kept as they were read, and converted once more; in registers alone, and in slots.
void check_narrow_rows(std::mt19937& random, std::int64_t n) {
    CAPTURE(n);
    using T = k::float16;
    const auto halves = [&](std::initializer_list<std::int64_t> extents) {
        return k::array<T>(k::cast<T>(numbers<std::int8_t>(random, extents)));
    };
    const k::array<T> a = halves({2, n});
    const k::array<T> other = halves({2, n});
    const k::array<T> weights = halves({n});
    const auto in = k::cast<float>(a);
    const auto centred = in - k::max(in, axis(1), k::keep_dims);
    const auto scaled = centred * k::max(centred * k::cast<float>(weights), axis(1), k::keep_dims);
    const auto beside = in - k::sum(k::cast<float>(other), axis(1), k::keep_dims) + k::cast<float>(other);
    const auto narrow = a - k::max(a, axis(1), k::keep_dims);
    const auto on = k::plan::cuda_target_of(90);
    check_on(on, k::cast<std::int32_t>(scaled), k::max(scaled, axis(1)) == 3.0f);
    check_on(on, k::cast<std::int32_t>(beside));
    check_on(on, k::cast<std::int32_t>(narrow * k::max(narrow, axis(1), k::keep_dims) + a));
    if (n < 1600) return;
    for (const auto& way : {std::pair(0, false), std::pair(1, false), std::pair(1, true)}) {
        const auto in_registers = way.first;
        const bool recomputes = way.second;
        CAPTURE(in_registers);
        CAPTURE(recomputes);
        check_slots(in_registers, recomputes, k::cast<std::int32_t>(scaled));
        check_slots(in_registers, recomputes, k::cast<std::int32_t>(beside));
        check_slots(in_registers, recomputes, k::cast<std::int32_t>(narrow + a), k::max(narrow, axis(1)) == T(3.0f));
    }
}

/// Rows that are scanned in the kernel that uses the scans, of each way to divide them among threads.
template <class T>
void check_scanned_rows(std::mt19937& random) {
    struct {
        std::int64_t rows, extent;
    } const all[] = {{140, 3}, {3, 3},    {133, 16}, {133, 17}, {2, 20},    {133, 31},
                     {3, 33},  {140, 64}, {133, 65}, {2, 100},  {133, 128}, {2, 128}};
    for (const auto& each : all) {
        // Of one size of elements alone: minutes otherwise, and no other loops.
        if (sizeof(T) != 4 && each.rows * each.extent > 2500) continue;
        CAPTURE(each.rows);
        CAPTURE(each.extent);
        const k::array<T> m = numbers<T>(random, {each.rows, each.extent});
        const k::array<T> column = numbers<T>(random, {each.rows, 1});
        const k::array<T> row = numbers<T>(random, {each.extent});
        const auto sums = k::cumsum(m * T(2) - column, axis(1));
        const auto on = k::plan::cuda_target_of(90);
        check_on(on, k::max(sums, axis(1)));
        check_on(on, sums - m);
        check_on(on, sums, k::sum(sums * row, axis(1)), m + T(1));
        check_on(on, k::sum(k::cumprod(m * T(2) + T(1), axis(1)), axis(1), k::keep_dims) + row);
        check_on(on, k::max(sums - k::max(sums, axis(1), k::keep_dims), axis(1)) * T(2));
        check_on(on, k::sum(k::cummax(k::cummin(m, axis(1)) + m, axis(1)), axis(1)));
        check_on(on, k::sum(k::cumsum(m - k::max(m, axis(1), k::keep_dims), axis(1)), axis(1)));
    }
}

/// Of tables whose rows are looked up once for each row of the iteration.
template <class T>
void check_table_rows(std::mt19937& random, std::int64_t n) {
    CAPTURE(n);
    const k::array<T> table = numbers<T>(random, {7, n});
    const k::array<T> wider = numbers<T>(random, {11, n + 3});
    const k::array<T> beside = numbers<T>(random, {5, n});
    const k::array<T> weights = numbers<T>(random, {n});
    // Twice the same, from the end, and past both ends.
    const k::array<std::int64_t> ids = k::from_host<std::int64_t>({3, 3, -1, 900, -900}, {5});
    const k::array<std::int32_t> others = k::from_host<std::int32_t>({0, 6, 6, -7, 2}, {5});
    const auto on = k::plan::cuda_target_of(90);
    const auto is_one = [](k::plan::schedule& made, const auto&) {
        REQUIRE(made.kernels.size() == 1);
        REQUIRE(made.kernels.front().persistent_rows);
        REQUIRE(made.kernels.front().gathers());
    };
    const auto taken = k::take(table, ids, axis(0));
    const auto centred = taken - k::max(taken, axis(1), k::keep_dims);
    check_changed(on, is_one, centred * k::sum(centred * weights, axis(1), k::keep_dims) + beside);
    check_changed(on, is_one, centred, k::sum(taken, axis(1)), taken);
    const auto from_others = k::take(table, others + 1, axis(0));
    check_changed(on, is_one, centred * from_others);
    check_changed(on, is_one, (beside - k::sum(beside, axis(1), k::keep_dims)) * from_others);
    // Whose rows are no whole vectors, or whose elements are not neighbours.
    const auto apart = k::take(wider(k::all, k::range(3, n + 3)), ids, axis(0));
    check_changed(on, is_one, apart - k::max(apart + taken, axis(1), k::keep_dims));
    const auto backwards = k::take(k::flip(table), ids, axis(0));
    check_changed(on, is_one, backwards - k::max(backwards, axis(1), k::keep_dims));
}

}  // namespace

namespace {

/// Long rows, the planned kernel's of which are skewed, or not.
template <class... Es>
void check_skewed(bool is_skewed, const Es&... es) {
    check_changed(
        k::plan::cuda_target,
        [&](const k::plan::schedule& made, const auto&) { CHECK(made.kernels.front().skewed == is_skewed); }, es...);
}

template <class T>
void check_rows_anywhere(std::mt19937& random, std::int64_t rows, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const k::array<T> m = numbers<T>(random, {rows, columns});
    const k::array<T> column = numbers<T>(random, {rows, 1});
    check_skewed(columns % 4 != 0, k::sum(m, axis(1)));
    check_skewed(columns % 4 != 0, k::max(m * T(3) + column, axis(1)));
    check_skewed(columns % 4 != 0, k::min(m, axis(1)), k::sum(m, axis(1)));
    // Of part of each row: each begins somewhere, whatever the rows are.
    const k::array<T> wide = numbers<T>(random, {rows, columns + 5});
    check_skewed(true, k::sum(wide(k::all, k::range(3, columns + 3)), axis(1)));
}

}  // namespace

TEST_CASE("values side by side: blocks, lanes and rests of the host's nest, each value once") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(23);
    for (const std::int64_t depth : {1, 3, 16, 17, 40})
        for (const std::int64_t columns : {16, 127, 130}) {
            CAPTURE(depth);
            CAPTURE(columns);
            const k::array<std::int64_t> a = numbers<std::int64_t>(random, {3, depth});
            const k::array<std::int64_t> b = numbers<std::int64_t>(random, {columns, depth});
            const k::array<std::int64_t> turned = numbers<std::int64_t>(random, {depth, columns});
            const auto left = a(k::all, k::newaxis);
            check_on(k::plan::host_target, k::sum(left * b(k::newaxis), axis(2)));
            check_on(k::plan::host_target, k::max(left - k::transpose(turned)(k::newaxis), axis(2)));
            // In tiles, along the axis between: of one panel and of stacks of them.
            check_on(k::plan::host_target, k::matmul(a, turned));
            const k::array<std::int64_t> stack = numbers<std::int64_t>(random, {2, depth, columns});
            const auto rows = numbers<std::int64_t>(random, {2, 3, depth})(k::all, k::all, k::all, k::newaxis);
            check_on(k::plan::host_target, k::sum((rows + 2) * (stack(k::all, k::newaxis) - 3), axis(2)));
            if (depth > 32) continue;
            const k::array<std::int64_t> weights = numbers<std::int64_t>(random, {depth});
            check_on(k::plan::host_target, k::sum(b * weights, axis(1)), k::min(b * weights, axis(1)));
        }
}

TEST_CASE("nests: long rows that begin anywhere move in vectors, and go where the order has them") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(29);
    for (const std::int64_t columns : {8193, 16385, 20011, 20482, 24576})
        check_rows_anywhere<std::int32_t>(random, 3, columns);
    check_rows_anywhere<std::int64_t>(random, 2, 16387);
    check_rows_anywhere<std::int8_t>(random, 5, 16391);
    check_rows_anywhere<std::int16_t>(random, 3, 8195);
    // Other arrays that begin where it does, or elsewhere: one for all rows, one of the same rows, parts of wider rows, other elements.
    const k::array<std::int32_t> m = numbers<std::int32_t>(random, {3, 16385});
    const k::array<std::int32_t> weights = numbers<std::int32_t>(random, {16390});
    const k::array<std::int32_t> wide = numbers<std::int32_t>(random, {3, 16392});
    check_skewed(true, k::sum(m * numbers<std::int32_t>(random, {3, 16385}), axis(1)));
    check_skewed(true, k::max(m - weights(k::range(5, 16390)), axis(1)));
    check_skewed(true, k::max(weights(k::range(0, 16385)) - m, axis(1)), k::sum(m, axis(1)));
    check_skewed(true, k::sum(wide(k::all, k::range(1, 16386)) - m, axis(1)));
    check_skewed(true, k::sum(m * numbers<std::int8_t>(random, {3, 16385}), axis(1)));
    // Short rows.
    check_skewed(false, k::sum(m(k::all, k::range(0, 501)), axis(1)));
    check_skewed(false, k::argmax(m, axis(0)));
    check_skewed(false, k::sum(numbers<std::int32_t>(random, {135, 1021}), axis(1)));
}

TEST_CASE("nests: rows that are looked up in tables are taken once") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(37);
    for (const std::int64_t n : {5, 32, 33, 256, 1009}) check_table_rows<std::int32_t>(random, n);
    check_table_rows<std::int64_t>(random, 36);
    check_table_rows<std::int8_t>(random, 48);
    check_table_rows<std::int16_t>(random, 37);
}

TEST_CASE("nests: rows are scanned where they stay on chip") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(31);
    check_scanned_rows<std::int64_t>(random);
    check_scanned_rows<std::int32_t>(random);
    check_scanned_rows<std::int8_t>(random);
}

TEST_CASE("nests: rows in registers and slots take each element once") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(29);
    for (const std::int64_t n : {2048, 1900, 1897}) check_rows_in_slots<std::int32_t>(random, n);
    check_rows_in_slots<std::int64_t>(random, 1600);
    check_rows_in_slots<std::int8_t>(random, 1700);
    check_rows_in_slots<std::int8_t>(random, 1701);
}

TEST_CASE("nests: of rows of a few elements those that others have as well are read where they are") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(48);
    const auto on = k::plan::cuda_target_of(90);
    for (const std::int64_t n : {1, 2, 3, 4, 5, 7}) {
        CAPTURE(n);
        const k::array<std::int32_t> x = numbers<std::int32_t>(random, {37, n});
        const k::array<std::int32_t> y = numbers<std::int32_t>(random, {41, n});
        const k::array<std::int16_t> own = numbers<std::int16_t>(random, {37, 41, n});
        const auto apart = x(k::all, k::newaxis) - y;
        check_on(on, k::sum(apart * apart, axis(2)) * 3);
        check_on(on, k::sum(apart * own, axis(2)) + 1);
        check_on(on, apart * k::max(apart, axis(2), k::keep_dims));
    }
}

TEST_CASE("nests: short rows whose elements are no whole vectors are moved by their warps") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(47);
    for (const std::int64_t n : {9, 13, 15, 17, 31, 33, 61, 101, 127, 255})
        check_short_rows<std::int32_t>(random, n, 37);
    for (const std::int64_t n : {9, 13, 31, 255}) check_short_rows<std::int64_t>(random, n, 37);
    check_short_rows<std::int8_t>(random, 13, 600);

    const k::array<float> x = k::ones<float>({100, 13});
    const k::array<float> wide = k::ones<float>({100, 16});
    const auto text = [](const k::array<float>& of) {
        const auto sources =
            tests::first_stage_sources(k::plan::cuda_target_of(90), of - k::max(of, axis(1), k::keep_dims));
        return sources.at(0).text;
    };
    CHECK(text(x).find("rows_f32[") != std::string::npos);
    CHECK(text(wide).find("rows_f32[") == std::string::npos);
}

TEST_CASE(
    "nests: rows of narrow elements that begin anywhere move in whole vectors, and what is beside them stays "
    "untouched") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(53);
    tests::sample lengths(2), of_many(2);
    for (const std::int64_t n : {65, 66, 67, 127, 129, 255, 513, 1021, 1023, 4099})
        if (lengths.takes_next()) check_skewed_rows<std::int16_t>(random, n);
    for (const std::int64_t n : {127, 1021, 4099}) check_skewed_rows<std::int8_t>(random, n);
    // Of many, those of a block move together.
    for (const std::int64_t n : {9, 30, 67, 127, 257, 1021})
        if (of_many.takes_next()) check_skewed_rows<std::int16_t>(random, n, 135);

    const auto has = [](const char* what, const auto& of) {
        const auto sources = tests::first_stage_sources(k::plan::cuda_target_of(90), of);
        return sources.at(0).text.find(what) != std::string::npos;
    };
    const auto below = [](const auto& of) { return of - k::max(of, axis(1), k::keep_dims); };
    const auto is_skewed = [&](const auto& of) { return has("across(", below(of)); };
    const k::array<k::float16> longer = k::ones<k::float16>({200 * 251 + 1});
    CHECK(is_skewed(k::reshape(longer(k::range(1, 200 * 251 + 1)), {200, 251})));
    CHECK_FALSE(is_skewed(k::array<k::float16>(k::ones<k::float16>({100, 5000}))));
    CHECK_FALSE(is_skewed(k::array<k::float16>(k::ones<k::float16>({100, 5003}))));
    CHECK_FALSE(is_skewed(k::array<float>(k::ones<float>({100, 5003}))));
    CHECK_FALSE(is_skewed(k::array<k::float16>(k::ones<k::float16>({100, 13}))));
    // Long ones in registers beside what all rows share.
    const auto halves = k::cast<float>(k::array<k::float16>(k::ones<k::float16>({200, 24001})));
    const auto weights = k::cast<float>(k::array<k::float16>(k::ones<k::float16>({24001})));
    CHECK(has("across(", halves * k::max(k::abs(halves), axis(1), k::keep_dims) * weights));
    CHECK_FALSE(has("across(", below(halves)));
    const auto is_of_blocks = [&](const auto& of) { return has("row_of_block", below(of)); };
    CHECK(is_of_blocks(k::array<k::float16>(k::ones<k::float16>({200, 251}))));
    CHECK(is_of_blocks(k::array<k::bfloat16>(k::ones<k::bfloat16>({200, 13}))));
    CHECK_FALSE(is_of_blocks(k::array<k::float16>(k::ones<k::float16>({200, 252}))));
    CHECK_FALSE(is_of_blocks(k::array<k::float16>(k::ones<k::float16>({200, 257}))));
}

TEST_CASE(
    "nests: lanes take neighbours of rows that stay on chip and begin anywhere, and what is beside those stays "
    "untouched") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(59);
    tests::sample lengths(2);
    for (const std::int64_t n : {257, 511, 641, 1021, 1025, 2047, 4097, 5003}) {
        if (!lengths.takes_next()) continue;
        check_skewed_rows<std::int16_t>(random, n, 5, taken::by_neighbours);
        check_skewed_rows<std::int32_t>(random, n, 5, taken::by_neighbours);
    }
    check_skewed_rows<std::int8_t>(random, 1023, 5, taken::by_neighbours);
    check_skewed_rows<std::int64_t>(random, 1022, 5, taken::by_neighbours);
    check_skewed_rows<std::int16_t>(random, 1021, 135, taken::by_neighbours);
    for (const std::int64_t n : {1025, 1030, 2047, 4099}) {
        check_skewed_rows<std::int16_t>(random, n, 3, taken::from_shared_slots);
        check_skewed_rows<std::int8_t>(random, n, 3, taken::from_shared_slots);
    }

    // What lanes have of a value meets in the order of the value.
    for (const std::int64_t n : {257, 1021, 4099}) {
        const k::array<std::int64_t> x = numbers<std::int64_t>(random, {5, n});
        const auto centred = x - k::sum(x, axis(1), k::keep_dims);
        const auto taken_as = [](taken how) {
            return [how](k::plan::schedule& made, const auto&) { take_as(how, made); };
        };
        const std::vector<std::int64_t> usual = orders_of(centred, taken_as(taken::in_vectors));
        CHECK(orders_of(centred, taken_as(taken::by_neighbours)) == usual);
        if (n > 4000) CHECK(orders_of(centred, taken_as(taken::from_shared_slots)) == usual);
    }
}

TEST_CASE("nests: rows of 16-bit floats are converted again where they are used again") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(41);
    for (const std::int64_t n : {33, 64, 1000, 1001, 1700, 1701}) check_narrow_rows(random, n);
}

TEST_CASE("nests: interleaved rows take each element once") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(23);
    for (const std::int64_t n : {2, 3, 4, 5, 7, 8}) check_interleaved_rows<std::int32_t>(random, n, 133);
    // A whole block and a part of one; a whole one.
    for (const std::int64_t n : {2, 3, 5, 8}) check_interleaved_rows<std::int32_t>(random, n, 1027);
    check_interleaved_rows<std::int32_t>(random, 4, 1024);
    for (const std::int64_t n : {3, 4}) check_interleaved_rows<std::int8_t>(random, n, 1027);
}

TEST_CASE("nests: values that share a row take each of its elements once") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(19);
    for (const std::int64_t n : {3, 16, 61, 150, 1100, 2050}) {
        CAPTURE(n);
        for (const std::int64_t m : {133, 135, 136}) {
            if (n > 200 && m != 135) continue;
            using T = std::int32_t;
            const k::array<T> own = numbers<T>(random, {m, 1});
            const k::array<T> other = numbers<T>(random, {m, 1});
            const k::array<T> row = numbers<T>(random, {n});
            const k::array<T> longer = numbers<T>(random, {2 * n + 1});
            check_shared(k::sum((row - own) * other, axis(1)));
            check_shared(k::sum(row - own, axis(1)),
                         k::max(row * k::flip(longer(k::range(1, n + 1)), axis(0)) - own, axis(1)));
            check_shared(k::argmin(row - own, axis(1)));
        }
    }
}

TEST_CASE(
    "nests: lanes with values of their own take each element of a long row once, in the order of a value's threads") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(23);
    for (const std::int64_t n : {300, 1030})
        for (const std::int64_t m : {20, 135}) {
            if (n > 1000 && m > 20) continue;
            CAPTURE(n);
            CAPTURE(m);
            using T = std::int32_t;
            const k::array<T> own = numbers<T>(random, {m, 1});
            const k::array<T> other = numbers<T>(random, {m, 1});
            const k::array<T> row = numbers<T>(random, {n});
            const k::array<T> longer = numbers<T>(random, {2 * n + 1});
            check_lanes(k::sum((row - own) * other, axis(1)));
            if (m > 20 || n > 1000) continue;
            check_lanes(k::sum(row - own, axis(1)),
                        k::max(row * k::flip(longer(k::range(1, n + 1)), axis(0)) - own, axis(1)));
            check_lanes(k::argmin(row - own, axis(1)));
            const auto sum = k::sum((row - own) * other, axis(1));
            const std::vector<std::int64_t> usual = orders_of(sum, [](const auto&...) {});
            CHECK(orders_of(sum, give_lanes_values<4>) == usual);
            CHECK(orders_of(sum, give_lanes_values<2>) == usual);
            CHECK(orders_of(sum, give_lanes_tiles<4>) == usual);
            CHECK(orders_of(sum, give_lanes_tiles<2>) == usual);
            // Sums alone go on from one of a value's threads to the next.
            CHECK(orders_of(sum, in_any_order<give_lanes_values<4>>) != usual);
            CHECK(orders_of(sum, in_any_order<give_lanes_tiles<4>>) != usual);
            const auto check_in_any_order = [](const auto&... es) {
                check_changed(k::plan::cuda_target, in_any_order<give_lanes_values<4>>, es...);
                check_changed(k::plan::cuda_target, in_any_order<give_lanes_tiles<4>>, es...);
            };
            check_in_any_order(sum);
            check_in_any_order(k::argmin(row - own, axis(1)));
            check_in_any_order(k::sum(row - own, axis(1)), k::max(row * other, axis(1)));
            const k::array<T> turned = k::flip(row, axis(0));
            CHECK(orders_of(k::sum((turned - own) * other, axis(1)), give_lanes_values<4>) != usual);
        }
    // More rounds than a tile has room for.
    using T = std::int64_t;
    const k::array<T> row = numbers<T>(random, {8200});
    const k::array<T> own = numbers<T>(random, {2, 1});
    const auto sum = k::sum(row - own, axis(1));
    CHECK(orders_of(sum, give_lanes_tiles<4>) == orders_of(sum, [](const auto&...) {}));
}

TEST_CASE("nests: lanes have two values of their own where four would leave multiprocessors idle") {
    const auto values_of = [](std::int64_t kept, std::int64_t reduced) {
        return k::plan::values_of_lane(k::plan::sizes_of_reduction({kept, reduced}, 0b10));
    };
    CHECK(values_of(16384, 1000) == 0);    // whose threads a first cache serves
    CHECK(values_of(10'000, 16384) == 0);  // too few
    CHECK(values_of(12'345, 16384) == 4);
    CHECK(values_of(16384, 16384) == 4);
    CHECK(values_of(20'011, 20'011) == 2);
    CHECK(values_of(33'000, 16384) == 4);
    CHECK(values_of(1'000'000, 16384) == 4);
    // The kernel's class says so, and as little of calls that have no such values.
    const k::scoped_device here(k::cpu);
    const auto planned = [](std::int64_t kept, std::int64_t reduced) {
        const k::array<float> own = k::ones<float>({kept, 1});
        const k::array<float> row = k::ones<float>({reduced});
        const k::plan::schedule made =
            tests::first_stage_schedule(k::plan::cuda_target_of(90), k::sum(k::sqrt(row - own), axis(1)));
        return std::pair(made.kernels.front().values_in_lanes, made.kernels.front().rows_per_thread);
    };
    CHECK(planned(16384, 16384) == std::pair(true, 4));
    CHECK(planned(20'011, 20'011) == std::pair(true, 2));
    CHECK(planned(16384, 1024) == std::pair(false, 2));
}

TEST_CASE("nests: lanes read elements of several types from tiles of their warp") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(29);
    const std::int64_t n = 257;
    const std::int64_t m = 20;
    const k::array<std::int32_t> own = numbers<std::int32_t>(random, {m, 1});
    const k::array<std::int32_t> row = numbers<std::int32_t>(random, {n});
    const k::array<std::int8_t> small = numbers<std::int8_t>(random, {n});
    const k::array<std::int8_t> weights = numbers<std::int8_t>(random, {n});
    const k::array<std::int8_t> third = numbers<std::int8_t>(random, {n});
    const k::array<std::int64_t> wide = numbers<std::int64_t>(random, {n});
    check_tiles(k::sum((row - own) * small + wide * weights - third, axis(1)));
    check_tiles(k::sum(small - own, axis(1)), k::max(wide - own, axis(1)));
    check_tiles(k::argmin(row - own, axis(1)));
}

TEST_CASE("nests: rows of what short rows come to are made without storing it") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(29);
    using T = std::int32_t;
    for (const std::int64_t extent : {3, 8, 19})
        for (const std::int64_t centres : {extent == 3 ? 67 : 2}) {
            CAPTURE(extent);
            CAPTURE(centres);
            // Of many centres, which come to shared memory in two parts, fewer points.
            const std::int64_t points = centres > 64 ? 35 : 512 + 35;
            const k::array<T> x = numbers<T>(random, {points, extent});
            const k::array<T> c = numbers<T>(random, {centres, extent});
            const k::array<T> bias = numbers<T>(random, {centres});
            const k::array<T> own = numbers<T>(random, {points, 1});
            const auto apart = x(k::all, k::newaxis) - c;
            const auto distance = k::sum(apart * apart, axis(2));
            check_nested(k::argmin(distance, axis(1)));
            check_nested(k::min(distance, axis(1)), k::argmin(distance, axis(1)));
            check_nested(k::sum(distance * bias - own, axis(1), k::keep_dims));  // of integers, in any order
            check_nested(k::max(k::max(apart, axis(2)) * T(3) - distance + bias, axis(1)));
        }
}

TEST_CASE("nests: of few rows of what short rows come to each has several threads, and nothing is stored either") {
    const k::scoped_device here(k::cpu);
    const k::plan::target on = k::plan::cuda_target_of(90);
    const auto threads_of = [&](std::int64_t points, std::int64_t centres) {
        const k::array<float> x = k::ones<float>({points, 3});
        const k::array<float> c = k::ones<float>({centres, 3});
        const auto apart = x(k::all, k::newaxis) - c;
        const k::plan::schedule made = tests::first_stage_schedule(on, k::min(k::sum(apart * apart, axis(2)), axis(1)));
        return made.kernels.front().nested_extent == 0 ? 0 : made.kernels.front().threads_per_output;
    };
    CHECK(threads_of(100'000, 300) == 1);
    CHECK(threads_of(33'792, 300) == 1);
    CHECK(threads_of(16384, 16384) == 8);
    CHECK(threads_of(2100, 300) == 32);
    CHECK(threads_of(2100, 64) == 0);  // too few to keep a device busy
}

TEST_CASE("nests: columns of what is made of rows, and of what these come to, take each row once") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(31);
    using T = std::int32_t;
    tests::sample sizes(3);
    for (const std::int64_t columns : {8, 12, 20, 32, 36, 64, 100, 128})
        for (const std::int64_t rows : {261, 515}) {
            if (!sizes.takes_next()) continue;
            CAPTURE(columns);
            CAPTURE(rows);
            const k::array<T> x = numbers<T>(random, {rows, columns});
            const k::array<T> weights = numbers<T>(random, {columns});
            const k::array<T> by_row = numbers<T>(random, {rows, 1});
            check_crossed(k::sum((k::sum(x * weights, axis(1), k::keep_dims) - by_row) * x, axis(0)));
            check_crossed(k::argmax(x * T(3) - k::max(x - weights, axis(1), k::keep_dims), axis(0)));
            check_crossed(
                k::min(k::sum(x, axis(1), k::keep_dims) * k::max(x, axis(1), k::keep_dims) - x * by_row, axis(0)));
            const k::array<T> longer = numbers<T>(random, {rows, columns + 3});
            const auto inside = longer(k::all, k::range(2, columns + 2));
            check_crossed(k::sum(k::sum(inside * weights, axis(1), k::keep_dims) * inside, axis(0)));
        }
    const k::array<T> cube = numbers<T>(random, {31, 33, 16});
    check_crossed(k::sum(cube * k::min(cube, axis(2), k::keep_dims), k::axes(0, 1)));
}

TEST_CASE("nests: a row that is read once comes to what it comes to by itself, in its order, and so do columns") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(37);
    using T = std::int64_t;
    const auto as_planned = [](const auto&...) {};
    for (const std::int64_t columns : {8, 12, 20, 32, 64, 100, 128}) {
        CAPTURE(columns);
        const std::int64_t rows = 611;
        const k::array<T> x = numbers<T>(random, {rows, columns});
        const k::array<T> weights = numbers<T>(random, {columns});
        const k::array<T> by_row = numbers<T>(random, {rows, 1});
        const auto products = k::sum(x * weights, axis(1), k::keep_dims);
        const k::array<T> apart = k::from_host<T>(orders_of(products, as_planned), {rows, 1});
        const std::vector<std::int64_t> usual = orders_of(k::sum((apart - by_row) * x, axis(0)), as_planned);
        const auto crossed = crossed_stages(k::plan::cuda_target, k::sum((products - by_row) * x, axis(0)));
        REQUIRE(crossed.list.size() == 1);
        CHECK(orders_of(crossed, as_planned) == usual);
    }
}

TEST_CASE("nests: of few columns a block has those threads alone that have some, and all loads of a block") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(41);
    using T = std::int32_t;
    const auto planned = [](const auto& e) {
        const k::plan::schedule made = tests::first_stage_schedule(k::plan::cuda_target, e);
        const k::plan::kernel& only = made.kernels.front();
        return std::array{only.threads_per_output, only.threads_per_block, only.loads_in_flight};
    };
    const auto of = [&](std::int64_t rows, std::int64_t columns) {
        return planned(k::sum(k::ones<float>({rows, 1}) * numbers<float>(random, {rows, columns}), axis(0)));
    };
    CHECK(of(20'000, 32) == std::array{8, 64, 16});
    CHECK(of(20'000, 64) == std::array{8, 128, 8});
    CHECK(of(20'000, 100) == std::array{8, 256, 4});
    CHECK(of(20'000, 128) == std::array{8, 256, 4});
    CHECK(of(20'000, 12) == std::array{16, 64, 8});
    CHECK(of(20'000, 4) == std::array{64, 64, 8});
    // Which do not move in vectors: of one block in place of two, one of which would have few.
    CHECK(of(20'000, 33) == std::array{8, 288, 4});
    CHECK(of(20'000, 57) == std::array{8, 256, 4});
    CHECK(of(20'000, 70) == std::array{8, 288, 4});
    CHECK(of(20'000, 90) == std::array{8, 256, 4});
    CHECK(of(20'000, 131) == std::array{8, 256, 4});
    for (const std::int64_t columns : {4, 8, 12, 20, 32, 33, 36, 49, 64, 70, 99, 124})
        for (const std::int64_t rows : {7, 40, 3001}) {
            CAPTURE(columns);
            CAPTURE(rows);
            const k::array<T> x = numbers<T>(random, {rows, columns});
            check(k::sum(x * numbers<T>(random, {rows, 1}), axis(0)), k::argmax(x, axis(0)));
            check(k::min(x, axis(0)));
        }
}

TEST_CASE("nests: lanes that take neighbouring elements come to what vectors come to, in their order") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(53);
    using T = std::int64_t;
    const auto as_planned = [](const auto&...) {};
    const auto by_neighbours = [](const k::plan::schedule& made, const auto&) {
        REQUIRE(k::plan::takes_neighbours(made.kernels.front()));
    };
    for (const std::int64_t columns : {256, 512, 1024, 1100, 2052, 4100}) {
        CAPTURE(columns);
        const k::array<T> apart = numbers<T>(random, {5, 3 * columns});
        const auto third = apart(k::all, k::range(0, 3 * columns, 3));
        const k::array<T> rows = third;
        const k::array<T> backwards = k::flip(rows, axis(1));
        const std::vector<std::int64_t> usual = orders_of(k::sum(rows, axis(1)), as_planned);
        CHECK(orders_of(k::sum(third, axis(1)), by_neighbours) == usual);
        CHECK(orders_of(k::sum(k::flip(backwards, axis(1)), axis(1)), by_neighbours) == usual);
    }
    const k::array<T> apart = numbers<T>(random, {120012});
    const auto third = apart(k::range(0, 120012, 3));
    const k::array<T> total = third;
    CHECK(orders_of(k::sum(third), by_neighbours) == orders_of(k::sum(total), as_planned));
    for (const std::int64_t n : {257, 1009, 4099}) {
        const k::array<T> odd = numbers<T>(random, {7, n});
        const auto backwards = k::flip(odd, axis(1));
        check_changed(k::plan::cuda_target, by_neighbours, k::sum(backwards, axis(1)), k::argmax(backwards, axis(1)));
    }
    // Beside rows that begin between vectors, a vector that all have.
    for (const std::int64_t n : {257, 1009, 4099}) {
        const k::array<T> odd = numbers<T>(random, {7, n}), vector = numbers<T>(random, {n});
        check_changed(k::plan::cuda_target, by_neighbours, k::sum(odd * vector, axis(1)),
                      k::argmax(odd - vector, axis(1)));
        const k::array<T> product = odd * vector;
        CHECK(orders_of(k::sum(odd * vector, axis(1)), by_neighbours) ==
              orders_of(k::sum(product, axis(1)), as_planned));
    }
    // What moves in vectors does without.
    const auto never = [](const k::plan::schedule& made, const auto&) {
        REQUIRE(!k::plan::takes_neighbours(made.kernels.front()));
    };
    check_changed(k::plan::cuda_target, never, k::sum(numbers<T>(random, {5, 1024}), axis(1)));
    const k::array<T> odd = numbers<T>(random, {5, 1025}), other = numbers<T>(random, {5, 1025});
    check_changed(k::plan::cuda_target, never, k::sum(odd * other, axis(1)));
}

/// Of `extent` elements, a few rows of each of three.
template <class T>
void check_innermost_rows(std::mt19937& random, std::int64_t extent, bool by_neighbours) {
    CAPTURE(extent);
    const std::int64_t rows = 9001 / extent + 1;
    const k::array<T> x = numbers<T>(random, {3, rows + 1, extent + 2});
    const auto part = [&](std::int64_t row, std::int64_t column) {
        return x(k::all, k::range(row, row + rows), k::range(column, column + extent));
    };
    const k::axis_list inner = k::axes(1, 2);
    const auto is_innermost = [&](const k::plan::schedule& made, const auto&) {
        const k::plan::kernel& only = made.kernels.front();
        REQUIRE(k::plan::has_innermost_rows(only));
        REQUIRE(k::plan::takes_neighbours(only) == by_neighbours);
    };
    check_changed(k::plan::cuda_target, is_innermost, k::sum(part(0, 1) * part(1, 0) - part(0, 0), inner),
                  k::argmax(part(0, 1) * part(1, 0), inner));
    check_changed(k::plan::cuda_target, is_innermost,
                  k::sum(part(0, 1) * x(k::all, k::range(0, 1), k::range(0, extent)) - part(1, 0), inner));
    const k::array<T> product = part(0, 1) * part(1, 0);
    CHECK(orders_of(k::sum(part(0, 1) * part(1, 0), inner), is_innermost) ==
          orders_of(k::sum(product, inner), [](const auto&...) {}));
}

TEST_CASE("nests: of several axes of parts of arrays, what is in one innermost row is found by its first") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(71);
    for (const std::int64_t extent : {3, 5, 33, 96, 97, 131, 517, 1101, 3001}) {
        check_innermost_rows<std::int32_t>(random, extent, /*by_neighbours=*/true);
        check_innermost_rows<std::int64_t>(random, extent, /*by_neighbours=*/false);
    }
    // What is reduced over one axis has no others to find.
    const auto never = [](const k::plan::schedule& made, const auto&) {
        REQUIRE(!k::plan::has_innermost_rows(made.kernels.front()));
    };
    const k::array<std::int64_t> x = numbers<std::int64_t>(random, {90, 132});
    const auto part = x(k::all, k::range(1, 132));
    check_changed(k::plan::cuda_target, never, k::sum(part * part, axis(1)));
}

TEST_CASE("nests: rows of positions and of extremes of integers move in the widest vectors, wherever they begin") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(67);
    for (const std::int64_t columns : {2, 15, 16, 33, 64, 257, 1024}) check_free_rows<std::int8_t>(random, 5, columns);
    for (const std::int64_t columns : {33, 128, 1030}) check_free_rows<std::int16_t>(random, 3, columns);
    for (const std::int64_t columns : {33, 64, 4099}) check_free_rows<std::int64_t>(random, 3, columns);
    // A total, which is split.
    const k::array<std::int8_t> longer = numbers<std::int8_t>(random, {40'000});
    check_free(false, k::argmin(longer));
    check_free(false, k::argmax(longer(k::range(3, 39'998))), k::max(longer(k::range(3, 39'998))));
    // Two arrays, of which one might begin elsewhere than the other.
    const k::array<std::int8_t> m = numbers<std::int8_t>(random, {3, 1031}),
                                other = numbers<std::int8_t>(random, {3, 1031});
    check_changed(
        k::plan::cuda_target,
        [](const k::plan::schedule& made, const auto&) { REQUIRE(!made.kernels.front().free_rows); },
        k::argmax(m - other, axis(1)));
}

TEST_CASE("nests: a thread that does the work of several comes to what they come to, in their order") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(71);
    const auto as_planned = [](const auto&...) {};
    const auto check_turns = [&](const auto& rows) {
        const auto sum = k::sum(rows, axis(1));
        const std::vector<std::int64_t> usual = orders_of(sum, as_planned);
        CHECK(orders_of(sum, give_turns) == usual);
        check_changed(k::plan::cuda_target, give_turns, k::sum(rows, axis(1)), k::max(rows, axis(1)),
                      k::argmin(rows, axis(1)));
    };
    for (const std::int64_t columns : {64, 67, 256, 259, 512, 1023, 1024, 2052, 4099, 4100, 5001, 8192}) {
        CAPTURE(columns);
        const k::array<std::int32_t> longer = numbers<std::int32_t>(random, {5 * columns + 3});
        check_turns(k::reshape(longer(k::range(0, 5 * columns)), {5, columns}));
        if (columns > 4000) check_turns(k::reshape(longer(k::range(3, 5 * columns + 3)), {5, columns}));
    }
    // Other turns would come to something else.
    const k::array<std::int64_t> rows = numbers<std::int64_t>(random, {5, 1024});
    CHECK(orders_of(k::sum(rows, axis(1)), give_turns) !=
          orders_of(k::sum(k::flip(rows, axis(1)), axis(1)), as_planned));
}

TEST_CASE("nests: of many rows, narrow ones and those of several values have fewer threads") {
    const k::scoped_device here(k::cpu);
    const auto planned = [](const auto&... es) {
        return tests::first_stage_schedule(k::plan::cuda_target_of(90), es...).kernels.front();
    };
    const auto of = [](auto what, std::int64_t rows, std::int64_t columns) {
        const k::array<decltype(what)> out = k::zeros<decltype(what)>({rows, columns});
        return out;
    };
    const k::array<k::float16> halves = of(k::float16(), 1100, 4096);
    const k::array<float> floats = of(1.0f, 1100, 4096);
    const auto a = axis(1);
    CHECK(planned(k::max(halves, a), k::min(halves, a)).turns == k::plan::row_turns);
    const k::array<k::float16> odd = of(k::float16(), 1100, 4099);
    CHECK(planned(k::mean(odd, a), k::max(odd, a), k::min(odd, a)).threads_per_block == 128);  // by their room
    const k::array<k::float16> few = of(k::float16(), 1000, 4096);
    CHECK(planned(k::max(few, a), k::min(few, a)).turns == 1);
    CHECK(planned(k::max(halves, a)).turns == 1);
    CHECK(planned(k::max(floats, a), k::min(floats, a)).turns == 1);
    CHECK(planned(k::var(halves, a)).turns == 1);
    CHECK(planned(k::sum(of(std::uint8_t(), 1100, 4096), a)).turns == k::plan::row_turns);
    CHECK(planned(k::sum(of(std::uint8_t(), 1100, 4099), a)).free_rows);
    CHECK(!planned(k::sum(of(std::int16_t(), 1100, 4099), a)).free_rows);
    CHECK(planned(k::argmax(halves, a)).threads_of_row() == 64);
    CHECK(planned(k::argmax(of(std::uint8_t(), 1100, 4096), a)).threads_of_row() == 32);
    CHECK(planned(k::argmax(few, a)).threads_of_row() == 256);
    CHECK(planned(k::argmax(of(1.0, 10'000, 257), a)).threads_of_row() == 8);
    CHECK(planned(k::max(of(std::int8_t(), 1100, 4099), a)).free_rows);
    CHECK(!planned(k::max(halves, a)).free_rows);  // of 0 and -0 the first in the order
    CHECK(!planned(k::argmax(floats, a), k::sum(floats, a)).free_rows);
}

TEST_CASE("nests: short rows are operations in sums of what they come to") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(61);
    using T = std::int64_t;
    const k::plan::target on = k::plan::cuda_target_of(90);
    k::detail::reducing_kernels kernels = k::plan::row_limits(on, /*fuse=*/true);
    kernels.nests = [](const auto&...) { return false; };
    kernels.writes_out = [](const auto&...) { return true; };
    for (const std::int64_t extent : {2, 3, 5, 16, 17, 31}) {
        CAPTURE(extent);
        const k::array<T> x = numbers<T>(random, {140, extent}), z = numbers<T>(random, {1037, extent});
        const auto row = k::sum(k::square(x(k::all, k::newaxis) - z), axis(2));
        const auto sum = k::sum(row * T(3) + T(1), axis(1));
        const std::vector<k::detail::handle<k::detail::term>> roots = {k::expr<T>(sum).erase()};
        const k::detail::output wanted;
        check_planned(
            k::stage::make_stages(roots.data(), 1, &wanted, kernels), on,
            [](const k::plan::schedule& made, const auto&) {
                REQUIRE(made.kernels.size() == 1);
                REQUIRE(made.kernels.front().nested_extent == 0);
            },
            sum);
    }
}

TEST_CASE("nests: reductions take each element once") {
    check_type<std::int64_t>();
    check_type<std::int32_t>();
    check_type<std::int8_t>();
}

TEST_CASE("nests: totals of many blocks, long rows and tall columns") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(13);
    const k::array<std::int32_t> x = numbers<std::int32_t>(random, {20011});
    check(k::sum(x * x), k::argmax(x));
    check(k::max(x));
    check(k::sum(k::cast<std::int64_t>(x)));
    check(k::sum(numbers<std::int32_t>(random, {3, 9001}), axis(1)));
    const k::array<std::int32_t> tall = numbers<std::int32_t>(random, {2003, 7});
    check(k::sum(tall, axis(0)), k::argmin(tall, axis(0)));
    check(k::max(numbers<std::int32_t>(random, {700, 36}), axis(0)));
    const k::array<std::int32_t> rows = numbers<std::int32_t>(random, {5, 3001});
    check(rows - k::max(rows, axis(1), k::keep_dims));
}

TEST_CASE("nests: columns that stay on chip take each element once, in registers, in slots and over a cluster") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(29);
    using T = std::int32_t;
    const auto check_columns = [](const auto&... es) {
        for (const k::plan::target& on : {k::plan::cuda_target, k::plan::cuda_target_of(90)}) check_on(on, es...);
    };
    for (const std::int64_t height : {2, 9, 17, 40, 63}) {
        CAPTURE(height);
        for (const std::int64_t width : {33, 5, 36}) {
            const k::array<T> x = numbers<T>(random, {3, height, width});
            const k::array<T> by_row = numbers<T>(random, {height, 1});
            const k::array<T> by_column = numbers<T>(random, {width});
            const auto least = x - k::min(x, axis(1), k::keep_dims);
            check_columns(least * by_row + by_column);
            check_columns(least * k::sum(least, axis(1), k::keep_dims) + x, k::argmax(x, axis(1)),
                          k::sum(least * least, axis(1), k::keep_dims));
        }
    }
    // As of longer columns: most elements of a thread in slots.
    const auto in_slots = [](k::plan::schedule& made, const k::plan::call_class&) {
        k::plan::column_panel& panel = made.kernels.front().panel;
        REQUIRE(panel.items == 8);
        panel.items = 2;
        panel.slots = 6;
    };
    const k::array<T> taller = numbers<T>(random, {2, 61, 34});
    for (const k::plan::target& on : {k::plan::cuda_target, k::plan::cuda_target_of(90)}) {
        const auto least = taller - k::min(taller, axis(1), k::keep_dims);
        check_changed(on, in_slots, least * k::sum(least, axis(1), k::keep_dims) + taller);
        check_changed(on, in_slots, least * least, k::argmax(taller, axis(1)));
    }
    for (const std::int64_t height : {130, 270}) {
        const k::array<T> x = numbers<T>(random, {height, 36});
        const auto least = x - k::min(x, axis(0));
        check_on(k::plan::cuda_target_of(90), least * k::sum(least, axis(0)) + x, k::max(x, axis(0)));
        check_on(k::plan::cuda_target_of(90), least * k::cast<T>(k::argmin(least, axis(0))) + x);
        const k::array<std::int8_t> y = numbers<std::int8_t>(random, {height, 36});
        check_on(k::plan::cuda_target_of(90), y - k::max(y, axis(0)));
    }
}

TEST_CASE("nests: rows of columns that are split move in vectors") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(41);
    const k::plan::target on = k::plan::cuda_target_of(90);
    // As of longer columns: most elements of a thread in slots.
    const auto in_slots = [](k::plan::schedule& made, const k::plan::call_class&) {
        k::plan::column_panel& panel = made.kernels.front().panel;
        REQUIRE(panel.moved == 4);
        REQUIRE(panel.items > 2);
        panel.slots = panel.items - 2;
        panel.items = 2;
    };
    for (const std::int64_t height : {128, 130, 141, 256, 270})  // 128 and 256: each thread has all of its items
        for (const std::int64_t width : {40, 104}) {
            CAPTURE(height);
            CAPTURE(width);
            using T = std::int32_t;
            const k::array<T> x = numbers<T>(random, {height, width});
            const k::array<T> by_row = numbers<T>(random, {height, 1});
            const k::array<T> by_column = numbers<T>(random, {width});
            const auto least = x - k::min(x, axis(0));
            check_changed(on, in_slots, least * by_row + by_column);
            // An operand that is kept, one that is made again, and one value for each column.
            check_changed(on, in_slots, least * k::cast<T>(k::sum(least, axis(0))) + x,
                          k::max(least * by_row, axis(0)));
            check_changed(on, in_slots, k::max(least * by_row, axis(0)));
            // What no thread can have all of.
            check_changed(on, in_slots, least * k::cast<T>(k::argmin(least * by_row, axis(0))) + x);
            const k::array<std::int8_t> y = numbers<std::int8_t>(random, {height, width});
            check_changed(on, in_slots, y - k::max(y, axis(0)));
        }
}

TEST_CASE("nests: panels of rows that begin between sectors share columns, and each element is stored once") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(47);
    const k::plan::target on = k::plan::cuda_target_of(90);
    const auto check_type_of = [&](auto zero, std::int64_t outer, std::int64_t height, std::int64_t width) {
        using T = decltype(zero);
        CAPTURE(outer);
        CAPTURE(height);
        CAPTURE(width);
        const auto shares = [](k::plan::schedule& made, const k::plan::call_class&) {
            const k::plan::column_panel& panel = made.kernels.front().panel;
            REQUIRE(panel.overlap == k::plan::sector_bytes / static_cast<int>(sizeof(T)));
            REQUIRE(panel.moved == 1);
            REQUIRE(panel.width == 1);
        };
        const k::array<T> x = numbers<T>(random, {outer, height, width});
        const k::array<T> by_row = numbers<T>(random, {height, 1});
        const k::array<T> by_column = numbers<T>(random, {width});
        const auto least = x - k::min(x, axis(1), k::keep_dims);
        check_changed(on, shares, least * by_row + by_column);
        // Elements, and what is one for each column; elements of other widths.
        check_changed(on, shares, least + k::cast<T>(k::sum(least, axis(1), k::keep_dims)),
                      k::max(x * by_row, axis(1)));
        check_changed(on, shares, least * least, k::sum(least, axis(1)), k::cast<std::int8_t>(least));
    };
    // Fewer columns than a panel has, as many as it stores, and one and two panels more; parts of sectors at each place.
    for (const std::int64_t width : {33, 36, 49, 55, 57, 63, 65, 100, 113, 131})
        check_type_of(std::int32_t(), 1, 40, width);
    for (const std::int64_t width : {33, 34, 57, 63, 90}) check_type_of(std::int64_t(), 1, 40, width);
    for (const std::int64_t height : {2, 9, 61, 130, 270}) check_type_of(std::int32_t(), 1, height, 67);
    for (const std::int64_t height : {9, 130, 270}) check_type_of(std::int64_t(), 1, height, 67);
    // A panel has columns of several planes.
    for (const std::int64_t width : {33, 35, 60}) check_type_of(std::int32_t(), 3, 20, width);
    check_type_of(std::int64_t(), 5, 20, 33);
}

TEST_CASE("nests: blocks of a cluster share the threads of a column, of one split and of several") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(53);
    const k::plan::target on = k::plan::cuda_target_of(90);
    // As of longer columns: each block has every second, fourth or eighth of a column's threads, and most elements in slots.
    const auto shared_by = [](int blocks, bool in_slots, bool overlap) {
        return [=](k::plan::schedule& made, const k::plan::call_class&) {
            k::plan::kernel& only = made.kernels.front();
            k::plan::column_panel& panel = only.panel;
            REQUIRE(panel.width == 1);
            REQUIRE((panel.overlap > 0) == overlap);
            REQUIRE(panel.blocks_of_split == 1);
            REQUIRE(panel.splits_of_block == 1);
            REQUIRE(only.threads_per_output >= blocks);
            only.threads_per_block /= blocks;
            panel.blocks_of_split = blocks;
            panel.blocks *= blocks;
            REQUIRE(panel.blocks <= 8);
            if (!in_slots) return;
            REQUIRE(panel.items > 2);
            panel.slots += panel.items - 2;
            panel.items = 2;
        };
    };
    const auto check_type_of = [&](auto zero, int blocks, std::int64_t height, std::int64_t width) {
        using T = decltype(zero);
        CAPTURE(blocks);
        CAPTURE(height);
        CAPTURE(width);
        const k::array<T> x = numbers<T>(random, {height, width});
        const k::array<T> by_row = numbers<T>(random, {height, 1});
        const k::array<T> by_column = numbers<T>(random, {width});
        const auto least = x - k::min(x, axis(0));
        for (const bool in_slots : {false, true}) {
            check_changed(on, shared_by(blocks, in_slots, true), least * by_row + by_column);
            // An operand that is kept, one that is made again, and one value for each column.
            check_changed(on, shared_by(blocks, in_slots, true), least * k::cast<T>(k::sum(least, axis(0))) + x,
                          k::max(least * by_row, axis(0)));
            check_changed(on, shared_by(blocks, in_slots, false), k::max(least * by_row, axis(0)));
        }
    };
    for (const int blocks : {2, 4, 8})
        for (const std::int64_t height : {64, 65, 101, 127})
            for (const std::int64_t width : {33, 67, 131}) check_type_of(std::int32_t(), blocks, height, width);
    check_type_of(std::int64_t(), 2, 101, 67);
    // Two splits, and three, whose last has fewer elements.
    for (const std::int64_t height : {128, 130, 141, 257}) check_type_of(std::int32_t(), 2, height, 67);
    check_type_of(std::int32_t(), 4, 130, 33);
}

TEST_CASE("nests: which columns stay on chip, in as many items as they have, and whose threads blocks share") {
    const k::scoped_device here(k::cpu);
    const k::plan::target on = k::plan::cuda_target_of(90);
    const auto centred = [](auto zero, const k::shape& of, int over) {
        const k::array<decltype(zero)> x = k::zeros<decltype(zero)>(of);
        return x - k::mean(x, axis(over), k::keep_dims);
    };
    const auto panel = [&](const auto& e) {
        REQUIRE(tests::stages_of(on, e).list.size() == 1);
        return tests::first_stage_schedule(on, e).kernels.front().panel;
    };
    const auto of = [&](std::int64_t height) { return panel(centred(float(), {height, 33'904}, 0)); };
    const auto odd = [&](std::int64_t height) { return panel(centred(float(), {height, 33'901}, 0)); };
    CHECK(odd(521).items + odd(521).slots == 72);
    CHECK(odd(521).blocks == 1);
    CHECK(odd(521).overlap == 8);
    CHECK(odd(641).items + odd(641).slots == 88);
    for (const std::int64_t height : {641, 1021}) {
        CHECK(odd(height).blocks == 2);
        CHECK(odd(height).blocks_of_split == 2);
        CHECK(odd(height).overlap == 8);
    }
    // In vectors a block has room for as many.
    CHECK(of(641).width == 4);
    CHECK(of(641).blocks == 1);
    // Narrow ones where they move in vectors.
    CHECK(panel(centred(k::float16(), {40, 300, 1024}, 1)).width == 4);
    CHECK(tests::stages_of(on, centred(k::float16(), {40, 300, 1023}, 1)).list.size() > 1);
}

TEST_CASE("nests: of columns in more splits than a cluster has blocks each block has several") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(43);
    const k::plan::target on = k::plan::cuda_target_of(90);
    struct divided {
        std::int64_t height;
        int blocks, of_block;
    };
    // 9, 13 and 33 splits leave the last block some without elements; of 16 each thread has all of its items.
    for (const divided& each :
         {divided{600, 5, 2}, {832, 7, 2}, {1000, 7, 2}, {1024, 8, 2}, {2112, 7, 5}, {2200, 8, 4}}) {
        CAPTURE(each.height);
        const auto in_slots = [&](k::plan::schedule& made, const k::plan::call_class&) {
            k::plan::column_panel& panel = made.kernels.front().panel;
            REQUIRE(panel.blocks == each.blocks);
            REQUIRE(panel.splits_of_block == each.of_block);
            REQUIRE(panel.items > 3);
            panel.slots = panel.items + panel.slots - 3;
            panel.items = 3;
        };
        using T = std::int64_t;
        const k::array<T> x = numbers<T>(random, {each.height, 36});
        const auto least = x - k::min(x, axis(0));
        check_changed(on, in_slots, least * k::sum(least, axis(0)) + x, k::max(x, axis(0)));
        check_changed(on, in_slots, k::sum(least * least, axis(0)));
    }
    // Where there are no clusters, no block has several.
    const k::array<std::int64_t> x = numbers<std::int64_t>(random, {270, 36});
    CHECK(tests::stages_of(k::plan::cuda_target_of(80), x - k::min(x, axis(0))).list.size() > 1);
    // A state, or a position, is no single number that a block sends: two kernels, as before.
    const k::array<std::int64_t> tall = numbers<std::int64_t>(random, {1024, 36});
    CHECK(tests::stages_of(on, tall - k::argmax(tall, axis(0))).list.size() > 1);
}

TEST_CASE("nests: of columns in vectors a thread takes each element of its part once, in its turn") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(37);
    const k::plan::target on = k::plan::cuda_target_of(90);
    const auto in_vectors = [](int in_slots) {
        return [in_slots](k::plan::schedule& made, const k::plan::call_class&) {
            k::plan::column_panel& panel = made.kernels.front().panel;
            REQUIRE(panel.width == 4);
            REQUIRE(panel.items > in_slots);
            panel.items -= in_slots;
            panel.slots += in_slots;
        };
    };
    const auto check_type_of = [&](auto zero, std::int64_t height) {
        using T = decltype(zero);
        CAPTURE(height);
        const k::array<T> x = numbers<T>(random, {2, height, 40});
        const k::array<T> by_row = numbers<T>(random, {height, 1});
        const k::array<T> by_column = numbers<T>(random, {40});
        const auto least = x - k::min(x, axis(1), k::keep_dims);
        const auto where = k::argmax(least * by_row, axis(1), k::keep_dims);
        for (int in_slots = 0; in_slots < (height > 32 ? 2 : 1); ++in_slots) {
            check_changed(on, in_vectors(in_slots), least * by_row + by_column, k::argmin(x, axis(1)));
            // An operand that is kept, and one that is not.
            check_changed(on, in_vectors(in_slots), least + k::cast<T>(k::argmax(least, axis(1), k::keep_dims)));
            check_changed(on, in_vectors(in_slots), least - k::cast<T>(where), k::sum(least * least, axis(1)));
        }
    };
    for (const std::int64_t height : {2, 8, 9, 31, 33, 57, 64, 65, 101}) check_type_of(std::int32_t(), height);
    check_type_of(std::int64_t(), 61);
    check_type_of(std::int8_t(), 61);
}
