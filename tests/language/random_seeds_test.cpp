// Seeds of random numbers: what may be one, and that a kernel reads an array's when it runs.
#include <support/poison.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <cstdint>
#include <tuple>
#include <vector>

namespace k = kiln;

namespace {

constexpr std::uint64_t large_seed = 0x299f31d0a4093822;

template <class T>
k::array<T> one(T value) {
    return k::from_host<T>({value}, {});
}

template <class E>
std::vector<k::value_t<E>> made(const E& e) {
    return k::array<k::value_t<E>>(e).to_host();
}

/// All distributions, of a seed of any kind, as one list of numbers.
template <class Seed>
std::vector<double> drawn_with(const Seed& seed, const k::shape& of) {
    std::vector<double> out;
    const auto add = [&](const auto& e) {
        for (const auto each : made(k::cast<double>(e))) out.push_back(each);
    };
    add(k::random::bits<std::uint32_t>(of, seed) >> std::uint32_t{8});
    add(k::random::bits<std::uint64_t>(of, seed) >> std::uint64_t{11});
    add(k::random::uniform<float>(of, seed));
    add(k::random::uniform<double>(of, seed));
    add(k::random::uniform<k::bfloat16>(of, seed));
    add(k::random::uniform<float>(of, -1.0f, 2.0f, seed));
    add(k::random::normal<float>(of, seed));
    add(k::random::normal<double>(of, seed));
    add(k::random::normal<k::float16>(of, seed));
    add(k::random::normal<float>(of, 1.0f, 2.0f, seed));
    add(k::random::integers<std::int32_t>(of, -5, 95, seed));
    add(k::random::integers<std::int64_t>(of, -5, std::int64_t{1} << 60, seed));
    add(k::random::bernoulli(of, 0.3, seed));
    return out;
}

}  // namespace

TEST_CASE("an array of one seed draws what the seed does, in every distribution") {
    tests::sample chosen(3);
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{7}, large_seed, ~std::uint64_t{0}})
        for (const k::shape& of : {k::shape{1}, k::shape{103}, k::shape{3, 5, 7}, k::shape{4, 64}, k::shape{}})
            if (chosen.takes_next()) CHECK_SAME(drawn_with(one(seed), of), drawn_with(seed, of));
}

TEST_CASE("a seed may be an array of any integers, an expression of rank 0, or a view") {
    const std::vector<float> expected = made(k::random::normal<float>({101}, 41));
    CHECK_SAME(made(k::random::normal<float>({101}, one<std::int32_t>(41))), expected);
    CHECK_SAME(made(k::random::normal<float>({101}, one<std::uint8_t>(41))), expected);
    CHECK_SAME(made(k::random::normal<float>({101}, one<std::uint64_t>(40) + 1)), expected);
    const k::array<std::int64_t> list = k::from_host<std::int64_t>({3, 41, 5});
    CHECK_SAME(made(k::random::normal<float>({101}, list(1))), expected);
    CHECK_SAME(made(k::random::normal<float>({101}, k::max(list))), expected);
    CHECK_SAME(made(k::random::normal<float>({101}, k::expr<std::uint64_t>(one<std::uint64_t>(41)))), expected);
    CHECK_SAME(made(k::random::normal<float>({101}, one<std::int64_t>(-1))),
               made(k::random::normal<float>({101}, ~std::uint64_t{0})));
}

TEST_CASE("a seed of another shape than () is refused, by name") {
    const k::array<std::uint64_t> list = k::from_host<std::uint64_t>({1, 2, 3});
    CHECK_THROWS_WITH_AS((void)k::random::normal<float>({3}, list),
                         doctest::Contains("a seed is one number, a shape of (): not (3,)"), k::shape_error);
    const k::array<std::uint64_t> of_one_element = k::from_host<std::uint64_t>({1}, {1});
    CHECK_THROWS_AS((void)k::random::uniform<float>({3}, of_one_element), k::shape_error);
    CHECK_THROWS_AS((void)k::random::uniform<float>({3}, 0.0f, 1.0f, list), k::shape_error);
    CHECK_THROWS_AS((void)k::random::normal<float>({3}, 0.0f, 1.0f, list), k::shape_error);
    CHECK_THROWS_AS((void)k::random::integers<std::int32_t>({3}, 0, 6, list), k::shape_error);
    CHECK_THROWS_AS((void)k::random::bernoulli({3}, 0.5, list), k::shape_error);
    CHECK_THROWS_AS((void)k::random::bits<std::uint32_t>({3}, list + std::uint64_t{1}), k::shape_error);
}

TEST_CASE("views, reductions and other operands of draws with an array's seed are those of the number's") {
    const k::array<std::uint64_t> seed = one(large_seed);
    const auto by_array = k::random::normal<float>({12, 20}, seed);
    const auto by_number = k::random::normal<float>({12, 20}, large_seed);
    CHECK_SAME(made(k::flip(by_array)), made(k::flip(by_number)));
    CHECK_SAME(made(k::transpose(by_array)), made(k::transpose(by_number)));
    CHECK_SAME(made(k::slice(by_array, k::range(3, 9), k::range(1, 20, 3))),
               made(k::slice(by_number, k::range(3, 9), k::range(1, 20, 3))));
    CHECK_SAME(made(k::shift(by_array, {1, -2})), made(k::shift(by_number, {1, -2})));
    CHECK_SAME(made(k::sum(by_array, k::axis(1))), made(k::sum(by_number, k::axis(1))));
    CHECK_SAME(made(k::cumsum(by_array, k::axis(1))), made(k::cumsum(by_number, k::axis(1))));
    const k::array<float> x = k::ones<float>({20});
    CHECK_SAME(made(by_array * x + 1.0f), made(by_number * x + 1.0f));
    k::scoped_options off({.fuse = false});
    CHECK_SAME(made(by_array * x + 1.0f), made(by_number * x + 1.0f));
}

TEST_CASE("another value in the array of the seed compiles nothing") {
    k::array<std::uint64_t> seed = one<std::uint64_t>(5);
    const std::vector<float> first = made(k::random::uniform<float>({1000}, seed));
    const k::counters before = k::counters::now();
    seed = one<std::uint64_t>(6);
    const std::vector<float> second = made(k::random::uniform<float>({1000}, seed));
    CHECK((k::counters::now() - before).compiles == 0);
    CHECK(first != second);
    CHECK_SAME(second, made(k::random::uniform<float>({1000}, 6)));
}

TEST_CASE("a graph's replays draw anew where a step changes the seed") {
    k::array<std::uint64_t> seed = one<std::uint64_t>(100);
    k::array<float> sum = k::zeros<float>({1001});
    k::array<float> last = k::zeros<float>({1001});
    k::graph step({&seed, &sum, &last}, [&] {
        last = k::random::normal<float>({1001}, seed);
        sum = sum + last * k::random::uniform<float>({1001}, seed + std::uint64_t{1000});
        seed = seed + std::uint64_t{1};
    });
    k::array<float> expected = k::zeros<float>({1001});
    std::vector<float> before;
    for (std::uint64_t turn = 0; turn < 5; ++turn) {
        step.replay();
        const k::array<float> drawn = k::random::normal<float>({1001}, 100 + turn);
        expected = expected + drawn * k::random::uniform<float>({1001}, 1100 + turn);
        CHECK_SAME(last.to_host(), drawn.to_host());
        CHECK_SAME(sum.to_host(), expected.to_host());
        CHECK(last.to_host() != before);
        before = last.to_host();
    }
    step.replay(3);
    CHECK_SAME(last.to_host(), made(k::random::normal<float>({1001}, 107)));
    CHECK_SAME(seed.to_host(), {std::uint64_t{108}});
}

TEST_CASE("a seed is an argument of a fused function, as an array and as a number") {
    const auto noisy = k::fuse([](auto x, auto seed) {
        return std::tuple(x + k::random::normal<float>({300}, seed), k::mean(k::random::uniform<float>({300}, seed)));
    });
    const k::array<float> x = k::from_host(std::vector<float>(300, 2.0f));
    for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{2}, large_seed}) {
        const std::vector<float> expected = made(x + k::random::normal<float>({300}, seed));
        const std::vector<float> mean = made(k::mean(k::random::uniform<float>({300}, seed)));
        const auto [of_array, mean_of_array] = noisy(x, one(seed));
        CHECK_SAME(of_array.to_host(), expected);
        CHECK_SAME(mean_of_array.to_host(), mean);
        const auto [of_number, mean_of_number] = noisy(x, seed);
        CHECK_SAME(of_number.to_host(), expected);
        CHECK_SAME(mean_of_number.to_host(), mean);
    }
    const k::array<std::uint64_t> list = k::from_host<std::uint64_t>({1, 2, 3});
    CHECK_THROWS_AS((void)noisy(x, list), k::shape_error);
}

TEST_CASE("a normal distribution has a finite mean, and a finite deviation that is not negative") {
    for (const float deviation : {-1.0f, INFINITY, NAN})
        CHECK_THROWS_WITH_AS((void)k::random::normal<float>({3}, 0.0f, deviation, 1),
                             doctest::Contains("a standard deviation of"), k::error);
    for (const float mean : {INFINITY, -INFINITY, NAN})
        CHECK_THROWS_WITH_AS((void)k::random::normal<float>({3}, mean, 1.0f, 1), doctest::Contains("a mean of"),
                             k::error);
    CHECK_NOTHROW((void)k::random::normal<float>({3}, 2.0f, 0.0f, 1));
}
