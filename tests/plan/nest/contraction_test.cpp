// The nests of contractions, run without text, of integers of random shapes: each element goes into its values once, and each value is stored
// once.
#include "planned_nests.hpp"

#include <plan/contraction.hpp>

namespace {

namespace k = kiln;
using k::axis;
using tests::check_changed;
using tests::numbers;
using tests::orders_of;
using tests::plan_again;

/// As contractions, which calls of fewer values are not. `change`: what else is told of the call.
template <class Change, class... Es>
void check_contraction_on(const k::plan::target& on, Change change, const Es&... es) {
    check_changed(
        on,
        [&](k::plan::schedule& made, const k::plan::call_class& kind) {
            k::plan::iteration_class facts = kind.iteration();
            facts.division.tall_axes = static_cast<std::uint8_t>((1 << facts.rank) - 1 - facts.reduced_axes);
            k::plan::kernel& only = made.kernels.front();
            only.vectorised = false;
            change(facts.division, only);
            REQUIRE(k::plan::choose_contraction(only, made.program, facts, on));
            CHECK((only.contraction.stages > 0) == on.async_copies);
            plan_again(made);
        },
        es...);
}
template <class... Es>
void check_contraction(bool many_values, const Es&... es) {
    check_contraction_on(
        k::plan::cuda_target,
        [&](k::plan::reduction_class& division, const auto&) { division.many_values = many_values; }, es...);
}

/// Elements that are copied in the background, of values of several threads (`tiles`: 0, or 1 where values are many), or of one.
/// `are_whole`: values have whole rounds of them, and are whole fours.
template <class... Es>
void check_copied(int lanes, int tiles, bool are_whole, const Es&... es) {
    check_contraction_on(
        k::plan::cuda_target_of(90),
        [&](k::plan::reduction_class& division, k::plan::kernel& only) {
            division.threads_per_output = only.threads_per_output = lanes;
            division.many_values = tiles > 0;
            division.tiles = tiles;
            division.whole_rounds = division.whole_fours = are_whole;
        },
        es...);
}

/// What is made of values in the kernel that has them in tiles, as calls of enough values are planned.
template <class... Es>
void check_finished(const k::plan::target& on, const Es&... es) {
    check_changed(
        on,
        [](const k::plan::schedule& made, const auto&) {
            REQUIRE(made.kernels.size() == 1);
            REQUIRE(made.kernels.front().mapping == k::plan::thread_mapping::contraction);
        },
        es...);
}

/// Sums of (35, 37, terms), as calls of many values have them; `is_serial`: whether one thread takes each row.
template <class E>
void check_short_rows(const E& sums, std::int64_t terms, bool is_serial) {
    const std::vector<std::int64_t> wanted = orders_of(sums, [](const auto&...) {});
    const k::plan::reduction_sizes sizes = k::plan::sizes_of_reduction({35, 37, terms}, 1 << 2);
    const std::vector<std::int64_t> got =
        orders_of(sums, [&](k::plan::schedule& made, const k::plan::call_class& kind) {
            k::plan::iteration_class facts = kind.iteration();
            k::plan::kernel& only = made.kernels.front();
            facts.division.tall_axes = 0b11;
            facts.division.many_values = true;
            facts.division.items_per_thread = only.items_per_thread = sizes.items_per_thread();
            facts.division.whole_items = terms == 4 * sizes.threads_per_output * sizes.items_per_thread();
            // So few values are not made so otherwise.
            only.vectorised = only.skewed = only.free_rows = only.values_in_lanes = false;
            only.row_extent = 0;
            only.rows_per_thread = 1;
            REQUIRE(k::plan::choose_contraction(only, made.program, facts, k::plan::cuda_target));
            REQUIRE(only.contraction.serial == is_serial);
            CHECK(only.contraction.whole_rounds == (is_serial && facts.division.whole_items));
            plan_again(made);
        });
    CHECK(got == wanted);
}

template <class T>
void check_contractions(bool many_values) {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(17);
    const auto up_to = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(2, most)(random); };
    const std::int64_t m = up_to(40);
    const std::int64_t n = 32 + up_to(40);
    const std::int64_t depth = many_values ? 65 + up_to(8) : up_to(40);
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(depth);
    const k::array<T> a = numbers<T>(random, {m, depth});
    const k::array<T> b = numbers<T>(random, {depth, n});
    const k::array<T> row = numbers<T>(random, {n});
    const auto rows = a(k::all, k::all, k::newaxis);
    if (many_values) {  // what is known of four bytes' values has the largest tiles
        check_contraction(many_values, k::max(rows * b, axis(1)));
        return;
    }
    check_contraction(many_values, k::sum(rows * b, axis(1)));
    const k::array<T> turned = numbers<T>(random, {n, depth});
    check_contraction(many_values, k::sum(rows * k::transpose(turned) - row, axis(1)));
    check_contraction(many_values, k::sum(rows - b, axis(1)), k::max(rows - b, axis(1)));
    const k::array<T> weights = numbers<T>(random, {depth, 1});
    const k::array<T> shifted = numbers<T>(random, {m, 1, 1});
    check_contraction(many_values, k::sum(rows * b * weights + shifted * T(3), axis(1)));
    check_contraction(many_values, k::sum(a(k::all, k::newaxis) * turned, axis(2)));
    check_contraction(many_values, k::sum(k::transpose(b)(k::newaxis, k::all) - a(k::all, k::newaxis), axis(2)),
                      k::max(a(k::all, k::newaxis) + row(k::newaxis, k::all, k::newaxis) * turned, axis(2)));
    const k::array<T> batch = numbers<T>(random, {2, m, depth});
    check_contraction(many_values, k::sum(batch(k::all, k::all, k::all, k::newaxis) * b, axis(2)));
    const k::array<T> left = numbers<T>(random, {m, 3, 7});
    const k::array<T> right = numbers<T>(random, {3, 7, n});
    check_contraction(many_values, k::sum(left(k::all, k::all, k::all, k::newaxis) * right, k::axis_list{1, 2}));
}

}  // namespace

TEST_CASE("nests: contractions take each element once, in tiles of values") {
    check_contractions<std::int32_t>(true);
    check_contractions<std::int32_t>(false);
}

TEST_CASE("nests: contractions whose elements are copied in the background take each of them once") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(29);
    using T = std::int32_t;
    constexpr std::int64_t m = 36;
    // Whole vectors, and single elements alone.
    for (const std::int64_t odd : {0, 1}) {
        const std::int64_t n = 36 + odd;
        const std::int64_t depth = 36 + odd;
        const k::array<T> a = numbers<T>(random, {m, depth});
        const k::array<T> b = numbers<T>(random, {depth, n});
        const auto product = a(k::all, k::all, k::newaxis) * b;
        check_copied(/*lanes=*/1, /*tiles=*/1, /*are_whole=*/false, k::max(product, axis(1)));
        if (odd) continue;
        check_copied(1, 3, false, k::max(product, axis(1)));
        check_copied(2, 0, false, k::max(product, axis(1)));
        const k::array<T> tall = numbers<T>(random, {depth, m});
        const k::array<T> wide = numbers<T>(random, {n, depth});
        check_copied(1, 1, false, k::max(k::transpose(tall)(k::all, k::all, k::newaxis) - k::transpose(wide), axis(1)));
    }
    const k::array<T> a = numbers<T>(random, {m, 67});
    const k::array<T> b = numbers<T>(random, {67, 33});
    const k::array<T> weights = numbers<T>(random, {67, 1});
    const k::array<T> even = numbers<T>(random, {m, 64});
    const k::array<T> of_even = numbers<T>(random, {64, 68});
    for (const int tiles : {1, 3})
        check_copied(1, tiles, /*are_whole=*/true, k::max(even(k::all, k::all, k::newaxis) * of_even, axis(1)));
    check_copied(8, 1, false, k::max(a(k::all, k::all, k::newaxis) * b * weights, axis(1)));
}

TEST_CASE(
    "nests: contractions whose short rows one thread takes combine them in the order of the threads that have them "
    "otherwise") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(31);
    for (const std::int64_t terms : {2, 3, 4, 5, 8, 13, 16, 17, 23, 24, 31, 32, 33, 48, 63, 64}) {
        CAPTURE(terms);
        const k::array<float> a = numbers<float>(random, {35, terms});
        const k::array<float> b = numbers<float>(random, {37, terms});
        check_short_rows(k::sum(a(k::all, k::newaxis) * b, axis(2)), terms, /*is_serial=*/true);
        if (terms < 24) continue;
        // Of what does not fit into shared memory, and what would be written out at length, threads have parts.
        const auto apart = a(k::all, k::newaxis) - b;
        check_short_rows(k::sum(apart * apart * apart * apart * apart * apart, axis(2)), terms, false);
        const k::array<double> wide = numbers<double>(random, {35, terms}),
                               wider = numbers<double>(random, {37, terms});
        check_short_rows(k::sum(k::cast<float>(wide(k::all, k::newaxis) - wider), axis(2)), terms, terms <= 32);
    }
}

TEST_CASE("nests: a kernel that has values in tiles goes on with them, and reads beside them what it needs") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(37);
    using T = std::int32_t;
    const k::array<T> a = numbers<T>(random, {363, 2});
    const k::array<T> b = numbers<T>(random, {365, 2});
    const k::array<T> row = numbers<T>(random, {365});
    const k::array<T> residual = numbers<T>(random, {363, 365});
    const auto sums = k::expr<std::int64_t>(k::sum(a(k::all, k::newaxis) - b, axis(2)));
    check_finished(k::plan::cuda_target_of(90), sums * row + row, sums - residual, sums);
    const k::array<T> tall = numbers<T>(random, {16384, 8});
    const auto few = tall(k::all, k::all, k::newaxis) * numbers<T>(random, {8, 9});
    check_finished(k::plan::cuda_target_of(90), k::max(few, axis(1)) - numbers<T>(random, {9}));
}
