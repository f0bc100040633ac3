// Random numbers: the generator's words, what is made of them, and that nothing but seed and position counts.
#include <support/philox.hpp>
#include <support/poison.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace k = kiln;

namespace {

constexpr std::uint64_t seeds[] = {0, 7, 0xffffffff, 0x100000000, 0x299f31d0a4093822, ~std::uint64_t{0}};

/// Element i is made(i).
template <class T, class Made>
std::vector<T> from_positions(std::int64_t first, std::int64_t count, Made made) {
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i) out.push_back(static_cast<T>(made(static_cast<std::uint64_t>(first + i))));
    return out;
}

template <class E>
std::vector<k::value_t<E>> values(const E& e) {
    return k::array<k::value_t<E>>(e).to_host();
}

struct moments {
    double mean = 0;
    double variance = 0;
    double skew = 0;      // third central moment over sigma^3
    double kurtosis = 0;  // fourth over sigma^4
};

template <class T>
moments moments_of(const std::vector<T>& of) {
    const auto n = static_cast<double>(of.size());
    moments out;
    for (const T each : of) out.mean += static_cast<double>(each) / n;
    double third = 0;
    double fourth = 0;
    for (const T each : of) {
        const double far = static_cast<double>(each) - out.mean;
        out.variance += far * far / n;
        third += far * far * far / n;
        fourth += far * far * far * far / n;
    }
    out.skew = third / std::pow(out.variance, 1.5);
    out.kurtosis = fourth / (out.variance * out.variance);
    return out;
}

/// Standard deviations that Pearson's statistic of the counts is off from its mean, for evenly likely cells.
double chi_square_deviation(const std::vector<std::int64_t>& counts) {
    double total = 0;
    for (const std::int64_t each : counts) total += static_cast<double>(each);
    const double expected = total / static_cast<double>(counts.size());
    double statistic = 0;
    for (const std::int64_t each : counts) {
        const double off = static_cast<double>(each) - expected;
        statistic += off * off / expected;
    }
    const auto freedom = static_cast<double>(counts.size() - 1);
    return std::fabs(statistic - freedom) / std::sqrt(2 * freedom);
}

}  // namespace

TEST_CASE("the tests' Philox gives the published vectors") {
    // Source: Random123, kat_vectors, philox4x32 10.
    using oracle::philox_4x32_10;
    CHECK(philox_4x32_10({0, 0, 0, 0}, {0, 0}) ==
          oracle::philox_counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    CHECK(philox_4x32_10({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}) ==
          oracle::philox_counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(philox_4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
          oracle::philox_counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("random::bits are the generator's words, for every seed and length") {
    CHECK_SAME(values(k::random::bits<std::uint32_t>({4}, 0)), {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    for (const std::uint64_t seed : seeds)
        for (const std::int64_t count : {1, 2, 3, 5, 1023, 1024, 1025}) {
            CHECK_SAME(values(k::random::bits<std::uint32_t>({count}, seed)),
                       from_positions<std::uint32_t>(0, count, [&](std::uint64_t i) { return oracle::word(i, seed); }));
            CHECK_SAME(
                values(k::random::bits<std::uint64_t>({count}, seed)),
                from_positions<std::uint64_t>(0, count, [&](std::uint64_t i) { return oracle::draw(i, seed, 2); }));
        }
}

TEST_CASE("positions past 2^34 reach the counter's upper word") {
    const std::int64_t far = std::int64_t{1} << 60;
    for (const std::int64_t first : {(std::int64_t{1} << 34) - 5, std::int64_t{1} << 40, far - 40, far - 41}) {
        const auto part = k::slice(k::random::bits<std::uint32_t>({far}, 7), k::range(first, first + 40));
        CHECK_SAME(values(part), from_positions<std::uint32_t>(first, std::min<std::int64_t>(40, far - first),
                                                               [](std::uint64_t i) { return oracle::word(i, 7); }));
    }
}

TEST_CASE("uniform takes the upper bits of a draw, exactly") {
    const auto in_f32 = [](std::uint64_t i) { return std::ldexp(oracle::word(i, 7) / 256, -24); };
    const auto in_f64 = [](std::uint64_t i) {
        return std::ldexp(static_cast<double>(static_cast<std::uint64_t>(oracle::draw(i, 7, 2)) >> 11), -53);
    };
    CHECK_SAME(tests::evaluated(k::random::uniform<float>({7, 11, 13}, 7), {7, 11, 13}),
               from_positions<float>(0, 1001, in_f32));
    CHECK_SAME(tests::evaluated(k::random::uniform<double>({1001}, 7), {1001}),
               from_positions<double>(0, 1001, in_f64));
    CHECK_SAME(values(k::random::uniform<k::float16>({1001}, 7)),
               from_positions<k::float16>(0, 1001, [](std::uint64_t i) {
                   return static_cast<float>(std::ldexp(oracle::word(i, 7) >> 21, -11));
               }));
    CHECK_SAME(values(k::random::uniform<k::bfloat16>({1001}, 7)),
               from_positions<k::bfloat16>(0, 1001, [](std::uint64_t i) {
                   return static_cast<float>(std::ldexp(oracle::word(i, 7) >> 24, -8));
               }));
}

TEST_CASE_TEMPLATE("uniform between bounds stays in [low, high), and fills it", T, k::float16, k::bfloat16, float,
                   double) {
    const std::pair<double, double> cases[] = {{-3, 5}, {0, 1}, {1, 1.0078125}, {-1, -0.5}, {-2, 0}, {100, 101}};
    for (const std::pair<double, double>& bounds : cases) {  // clang++ 14 captures no structured binding
        const double low = bounds.first;
        const double high = bounds.second;
        CAPTURE(low);
        const T from(static_cast<float>(low));
        const T to(static_cast<float>(high));
        const std::vector<T> drawn = values(k::random::uniform<T>({4000}, from, to, 3));
        double mean = 0;
        bool inside = true;
        for (const T each : drawn) {
            const auto x = static_cast<double>(each);
            inside = inside && x >= low && x < high;
            mean += x / 4000;
        }
        CHECK(inside);
        // Of a type with two values between the bounds, the lower counts for all that is rounded down.
        if (sizeof(T) > 2 || high - low >= 1)
            CHECK(std::fabs(mean - (low + high) / 2) < 0.03 * (high - low) + 0.3 * (sizeof(T) == 2 && low > 50));
    }
}

TEST_CASE("uniform between bounds is low + u * (high - low)") {
    const float low = -0.75f;
    const float distance = 3.5f;
    CHECK_SAME(values(k::random::uniform<float>({257}, low, low + distance, 9)),
               from_positions<float>(0, 257, [&](std::uint64_t i) {
                   const float u = static_cast<float>(std::ldexp(oracle::word(i, 9) / 256, -24));
                   const float product = u * distance;
                   return product + low;
               }));
}

TEST_CASE("normal numbers of 16 bits are those of float, rounded; mean and stddev act in float, of double in double") {
    const std::vector<float> in_f32 = values(k::random::normal<float>({1001}, 5));
    const std::vector<double> wide = values(k::random::normal<double>({1001}, 5));
    std::vector<k::float16> in_f16;
    std::vector<k::bfloat16> in_bf16;
    std::vector<float> moved;
    std::vector<k::float16> moved_f16;
    std::vector<double> moved_wide;
    for (const float each : in_f32) {
        in_f16.push_back(k::float16(each));
        in_bf16.push_back(k::bfloat16(each));
        const float scaled = each * 0.1f;
        moved.push_back(scaled + 3.0f);
        const float doubled = each * 2.0f;
        moved_f16.push_back(k::float16(doubled + 1.0f));
    }
    for (const double each : wide) {
        const double scaled = each * 0.1;
        moved_wide.push_back(scaled + 3.0);
    }
    CHECK_SAME(tests::evaluated(k::random::normal<float>({1001}, 5), {1001}), in_f32);
    CHECK_SAME(values(k::random::normal<k::float16>({1001}, 5)), in_f16);
    CHECK_SAME(values(k::random::normal<k::bfloat16>({1001}, 5)), in_bf16);
    CHECK_SAME(values(k::random::normal<float>({1001}, 3.0f, 0.1f, 5)), moved);
    CHECK_SAME(values(k::random::normal<k::float16>({1001}, k::float16(1.0f), k::float16(2.0f), 5)), moved_f16);
    CHECK_SAME(values(k::random::normal<double>({1001}, 3.0, 0.1, 5)), moved_wide);
}

TEST_CASE_TEMPLATE("integers are the upper part of draw times count", T, std::int8_t, std::uint8_t, std::int16_t,
                   std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t) {
    using limits = std::numeric_limits<T>;
    const std::pair<T, T> cases[] = {
        {0, 1}, {0, 10}, {3, 100}, {limits::min(), limits::max()}, {T(limits::max() - 2), limits::max()}};
    const auto expected = [](std::pair<T, T> bounds) {
        const T low = bounds.first;
        const T high = bounds.second;
        const auto distance = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
        return from_positions<T>(0, 515, [&](std::uint64_t i) {
            std::uint64_t above = 0;
            if (sizeof(T) < 8) {
                above = static_cast<std::uint64_t>((oracle::draw(i, 11, 2) * distance) >> 64);
            } else {
                // 128 by 64 bits, in halves.
                const oracle::uint128 all = oracle::draw(i, 11, 4);
                const oracle::uint128 low_part = (all & ~std::uint64_t{0}) * distance;
                above = static_cast<std::uint64_t>(((all >> 64) * distance + (low_part >> 64)) >> 64);
            }
            return static_cast<T>(static_cast<std::uint64_t>(low) + above);
        });
    };
    for (const auto& bounds : cases)
        CHECK_SAME(tests::evaluated(k::random::integers<T>({515}, bounds.first, bounds.second, 11), {515}),
                   expected(bounds));
}

TEST_CASE("bernoulli is uniform < p; 0 never, 1 always") {
    const std::vector<double> drawn = values(k::random::uniform<double>({1000}, 2));
    std::vector<bool> expected;
    const std::vector<bool> got = [] {
        std::vector<bool> out;
        for (const bool each : k::array<bool>(k::random::bernoulli({1000}, 0.3, 2)).to_host()) out.push_back(each);
        return out;
    }();
    for (const double each : drawn) expected.push_back(each < 0.3);
    CHECK(got == expected);
    CHECK(k::array<bool>(k::random::bernoulli({1000}, 0, 2)).to_host() ==
          k::array<bool>(k::zeros<bool>({1000})).to_host());
    CHECK(k::array<bool>(k::random::bernoulli({1000}, 1, 2)).to_host() ==
          k::array<bool>(k::ones<bool>({1000})).to_host());
}

TEST_CASE("a view of random numbers is the view of the array") {
    const auto drawn = k::random::uniform<float>({12, 20}, 7);
    const k::array<float> kept = drawn;
    const auto same = [](const auto& lazy, const auto& of_array) { CHECK_SAME(values(lazy), values(of_array)); };
    same(k::flip(drawn), k::flip(kept));
    same(k::transpose(drawn), k::transpose(kept));
    same(k::reshape(drawn, {5, 48}), k::reshape(kept, {5, 48}));
    same(k::slice(drawn, k::range(3, 9), k::range(1, 20, 3)), kept(k::range(3, 9), k::range(1, 20, 3)));
    same(k::slice(drawn, k::range(1, 12)), kept(k::range(1, 12)));
    same(k::shift(drawn, {1, -2}), k::shift(kept, {1, -2}));
    same(k::flip(k::random::normal<float>({101}, 7)), k::flip(k::array<float>(k::random::normal<float>({101}, 7))));
    same(k::flip(k::random::normal<double>({101}, 7)), k::flip(k::array<double>(k::random::normal<double>({101}, 7))));
    // Rows that start between the elements of a block.
    for (std::int64_t first = 0; first < 20; ++first)
        same(k::slice(k::random::uniform<float>({64}, 7), k::range(first, 64)),
             k::array<float>(k::random::uniform<float>({64}, 7))(k::range(first, 64)));
}

TEST_CASE("fused or not, with an array of another width or alone, an element is the same") {
    const k::array<std::uint8_t> u = k::ones<std::uint8_t>({1001});
    const k::array<double> d = k::ones<double>({1001});
    const auto drawn = k::random::uniform<float>({1001}, 7);
    const std::vector<float> alone = values(drawn);
    CHECK_SAME(values(drawn * u), alone);
    const std::vector<double> widened = values(drawn * d);
    for (std::size_t i = 0; i < alone.size(); ++i) REQUIRE(widened[i] == static_cast<double>(alone[i]));
    const auto everything = k::where(k::random::bernoulli({1001}, 0.5, 1), k::random::normal<float>({1001}, 2),
                                     drawn + k::cast<float>(k::random::integers<std::int32_t>({1001}, 0, 9, 3)));
    const std::vector<float> fused = values(everything);
    k::scoped_options off({.fuse = false});
    CHECK_SAME(values(everything), fused);
    CHECK_SAME(values(drawn), alone);
}

TEST_CASE("element i of a longer array is element i of a shorter one") {
    const std::vector<double> longer = values(k::random::normal<double>({1000}, 7));
    for (const std::int64_t count : {1, 7, 64, 999})
        CHECK_SAME(values(k::random::normal<double>({count}, 7)),
                   std::vector<double>(longer.begin(), longer.begin() + count));
}

TEST_CASE("another seed, another size, other bounds: no other kernel") {
    const auto draw = [](std::int64_t count, float low, std::uint64_t seed) {
        k::array<float>(k::random::uniform<float>({count}, low, low + 2, seed)).wait();
    };
    draw(1000, 0, 1);
    const k::counters before = k::counters::now();
    draw(1000, 0, 2);
    draw(5000, -3, 3);
    const k::counters spent = k::counters::now() - before;
    CHECK(spent.compiles + spent.misses + spent.disk_hits == 0);
    CHECK(spent.launches == 2);
    CHECK(spent.bytes_read == 0);
}

TEST_CASE("an erased expression of random numbers is the same one") {
    const k::expr<float> erased = k::random::uniform<float>({100}, 7) * 2;
    CHECK_SAME(values(erased), values(k::random::uniform<float>({100}, 7) * 2));
}

TEST_CASE("bounds that hold nothing are refused") {
    CHECK_THROWS_AS((void)k::random::uniform<float>({3}, 2.0f, 2.0f, 1), k::error);
    CHECK_THROWS_AS((void)k::random::uniform<float>({3}, std::nanf(""), 2.0f, 1), k::error);
    CHECK_THROWS_AS((void)k::random::uniform<double>({3}, -1.5e308, 1.5e308, 1), k::error);
    CHECK_THROWS_AS((void)k::random::integers<int>({3}, 5, 5, 1), k::error);
    CHECK_THROWS_AS((void)k::random::bernoulli({3}, 1.5, 1), k::error);
    CHECK_THROWS_AS((void)k::random::bernoulli({3}, std::nan(""), 1), k::error);
    CHECK(k::array<float>(k::random::uniform<float>({0, 3}, 1)).size() == 0);
}

// --- distributions: a million draws of fixed seeds, so that a bound of 5 standard deviations never fails by chance ------

TEST_CASE("uniform: mean, variance, and 1000 even cells") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const std::vector<float> drawn = values(k::random::uniform<float>({1'000'000}, seed));
        std::vector<std::int64_t> cells(1000);
        for (const float each : drawn) ++cells.at(static_cast<std::size_t>(each * 1000));
        CHECK(chi_square_deviation(cells) < 5);
        const moments found = moments_of(drawn);
        CHECK(std::fabs(found.mean - 0.5) < 5 * std::sqrt(1.0 / 12 / 1e6));
        CHECK(std::fabs(found.variance - 1.0 / 12) < 5 * std::sqrt(1.0 / 180 / 1e6));
        // Neighbours, which share a block, are not alike.
        double together = 0;
        for (std::size_t i = 1; i < drawn.size(); ++i)
            together += (static_cast<double>(drawn[i]) - 0.5) * (static_cast<double>(drawn[i - 1]) - 0.5);
        CHECK(std::fabs(together / 1e6) < 5 / 12.0 / 1e3);
    }
}

TEST_CASE("seeds that are neighbours give numbers that have nothing to do with each other") {
    const std::vector<float> first = values(k::random::uniform<float>({1'000'000}, 1));
    const std::vector<float> second = values(k::random::uniform<float>({1'000'000}, 2));
    double together = 0;
    for (std::size_t i = 0; i < first.size(); ++i)
        together += (static_cast<double>(first[i]) - 0.5) * (static_cast<double>(second[i]) - 0.5);
    CHECK(std::fabs(together / 1e6) < 5 / 12.0 / 1e3);
}

TEST_CASE_TEMPLATE("normal: moments, tails, and 1000 cells that are even under the distribution", T, float, double) {
    const std::vector<T> drawn = values(k::random::normal<T>({1'000'000}, 7));
    const moments found = moments_of(drawn);
    CHECK(std::fabs(found.mean) < 5e-3);
    CHECK(std::fabs(found.variance - 1) < 5 * std::sqrt(2e-6));
    CHECK(std::fabs(found.skew) < 5 * std::sqrt(6e-6));
    CHECK(std::fabs(found.kurtosis - 3) < 5 * std::sqrt(24e-6));
    std::vector<std::int64_t> cells(1000);
    std::int64_t past_3 = 0;
    std::int64_t past_4 = 0;
    double together = 0;
    double before = 0;
    for (const T of : drawn) {
        const auto each = static_cast<double>(of);
        const double share = std::erfc(-each * std::sqrt(0.5)) / 2;
        ++cells.at(static_cast<std::size_t>(std::min(999.0, share * 1000)));
        past_3 += std::fabs(each) > 3;
        past_4 += std::fabs(each) > 4;
        together += each * before;
        before = each;
    }
    CHECK(chi_square_deviation(cells) < 5);
    // Neighbours, which share a block, are not alike.
    CHECK(std::fabs(together / 1e6) < 5e-3);
    CHECK(std::fabs(static_cast<double>(past_3) - 2699.8) < 5 * std::sqrt(2699.8));
    CHECK(std::fabs(static_cast<double>(past_4) - 63.3) < 5 * std::sqrt(63.3));
}

TEST_CASE("integers may end one past the largest of their type, and begin and end in any integer type") {
    const std::vector<std::uint8_t> bytes = values(k::random::integers<std::uint8_t>({100'000}, 0, 256, 3));
    for (int value = 0; value < 256; ++value)
        CHECK(std::count(bytes.begin(), bytes.end(), static_cast<std::uint8_t>(value)) > 250);
    CHECK_SAME(values(k::random::integers<std::int8_t>({1000}, -128, 128L, 3)),
               values(k::random::integers<std::int8_t>({1000}, short{-128}, 128u, 3)));
    CHECK_SAME(values(k::random::integers<std::int32_t>({1000}, -5, std::uint8_t{0}, 3)),
               values(k::random::integers<std::int32_t>({1000}, -5, 0, 3)));
    const auto drawn = values(k::random::integers<std::int32_t>({100'000}, INT32_MIN, std::int64_t{INT32_MAX} + 1, 3));
    CHECK(*std::min_element(drawn.begin(), drawn.end()) < INT32_MIN / 2);
    CHECK(*std::max_element(drawn.begin(), drawn.end()) > INT32_MAX / 2);
    CHECK_THROWS_WITH_AS((void)k::random::integers<std::uint8_t>({3}, 0, 257, 1),
                         doctest::Contains("uint8 does not hold integers from 0 up to 257, which is left out"),
                         k::error);
    CHECK_THROWS_WITH_AS((void)k::random::integers<std::int32_t>({3}, 3, 3, 1),
                         doctest::Contains("low, 3, is not below high, 3, which is left out"), k::error);
    CHECK_THROWS_WITH_AS((void)k::random::integers<std::uint8_t>({3}, -1, 10u, 1),
                         doctest::Contains("uint8 does not hold integers from -1"), k::error);
    CHECK_THROWS_AS((void)k::random::integers<std::uint8_t>({3}, -1, 10, 1), k::error);
    CHECK_THROWS_AS((void)k::random::integers<std::uint8_t>({3}, -1, 0u, 1), k::error);
    CHECK_THROWS_AS((void)k::random::integers<std::uint64_t>({3}, std::uint64_t{9}, -1, 1), k::error);
}

TEST_CASE("integers: even cells; bernoulli: its share") {
    const std::vector<std::int32_t> drawn = values(k::random::integers<std::int32_t>({1'000'000}, -50, 950, 7));
    std::vector<std::int64_t> cells(1000);
    for (const std::int32_t each : drawn) ++cells.at(static_cast<std::size_t>(each + 50));
    CHECK(chi_square_deviation(cells) < 5);
    double share = 0;
    const k::array<float> heads = k::cast<float>(k::random::bernoulli({1'000'000}, 0.01, 7));
    for (const float each : heads.to_host()) share += static_cast<double>(each);
    CHECK(std::fabs(share - 1e4) < 5 * std::sqrt(1e4 * 0.99));
}

TEST_CASE("bounds of 16-bit floats may be written as floats") {
    CHECK_SAME(values(k::random::uniform<k::float16>({1001}, 0.5f, 1.0f, 7)),
               values(k::random::uniform<k::float16>({1001}, k::float16(0.5f), k::float16(1.0f), 7)));
}

TEST_CASE("so many arrays of random numbers in one kernel that their positions could be taken for types") {
    // i8, i16 and i64 are types of a kernel's text.
    constexpr int most = 66;
    k::expr<float> sum = k::random::uniform<float>({37}, 0);
    std::vector<float> expected = values(k::random::uniform<float>({37}, 0));
    for (std::uint64_t seed = 1; seed < most; ++seed) {
        sum = sum + k::random::uniform<float>({37}, seed);
        const std::vector<float> next = values(k::random::uniform<float>({37}, seed));
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += next[i];
    }
    CHECK_SAME(values(sum), expected);
}
