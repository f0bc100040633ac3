// Sizes past 2^31 and 2^32 elements, where positions need 64 bits. On a GPU; elsewhere positions are always that wide, and
// the memory may not be there.
#include <support/device_under_test.hpp>
#include <support/needs_gpu.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace k = kiln;

namespace {

bool skipped() {
    if (tests::device().is_cuda) return false;
    tests::skip_without_gpu();
    return true;
}

std::uint8_t expected_at(std::int64_t position) { return static_cast<std::uint8_t>(position % 251); }

/// Elements around `middle`, against what their positions say.
void check_around(const k::array<std::uint8_t>& values, std::int64_t middle, int factor) {
    const std::int64_t begin = std::max<std::int64_t>(0, middle - 1000);
    const std::int64_t end = std::min(values.size(), middle + 1000);
    const std::vector<std::uint8_t> part = values(k::range(begin, end)).to_host();
    REQUIRE(static_cast<std::int64_t>(part.size()) == end - begin);
    int wrong = 0;
    for (std::int64_t i = begin; i < end; ++i)
        wrong += part[static_cast<std::size_t>(i - begin)] != static_cast<std::uint8_t>(factor * expected_at(i));
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("huge: every position up to past 2^32 elements is written, by the 32-bit kernel and by the 64-bit one") {
    if (skipped()) return;
    for (const std::int64_t count : {(std::int64_t{1} << 31) - 1, (std::int64_t{1} << 31), (std::int64_t{1} << 31) + 3,
                                     (std::int64_t{1} << 32) + 5}) {
        CAPTURE(count);
        const k::array<std::uint8_t> x = k::cast<std::uint8_t>(k::arange<std::int64_t>(count) % std::int64_t{251});
        k::array<std::uint8_t> y = k::full<std::uint8_t>({count}, 0xAB);
        y = x + x + x;
        for (const std::int64_t middle :
             {std::int64_t{0}, count / 2, std::int64_t{1} << 31, std::int64_t{1} << 32, count})
            if (middle <= count) check_around(y, middle, 3);
    }
}

TEST_CASE("huge: a stride that reaches past 2^31 elements") {
    if (skipped()) return;
    const std::int64_t count = (std::int64_t{1} << 32) + 5;
    k::array<std::uint8_t> x = k::cast<std::uint8_t>(k::arange<std::int64_t>(count) % std::int64_t{251});
    const std::int64_t step = 1'000'003;
    const k::array<std::uint8_t> picked = x(k::range(0, count, step)) + std::uint8_t{1};
    const std::vector<std::uint8_t> values = picked.to_host();
    int wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        wrong += values[i] != static_cast<std::uint8_t>(expected_at(static_cast<std::int64_t>(i) * step) + 1);
    CHECK(wrong == 0);

    x(k::range(0, count, step)) = std::uint8_t{255};
    CHECK(x(k::range(count - 6, count)).to_host().size() == 6);
    const std::vector<std::uint8_t> written = x(k::range(0, count, step)).to_host();
    CHECK(std::count(written.begin(), written.end(), std::uint8_t{255}) == static_cast<std::ptrdiff_t>(written.size()));
    check_around(x, step / 2, 1);
}

TEST_CASE("huge: reductions of more than 2^32 elements, and of rows and columns of them") {
    if (skipped()) return;
    for (const std::int64_t count : {(std::int64_t{1} << 31) + 3, (std::int64_t{1} << 32) + 5}) {
        CAPTURE(count);
        k::array<std::uint8_t> x = k::cast<std::uint8_t>(k::arange<std::int64_t>(count) % std::int64_t{251});
        const std::int64_t whole = count / 251;
        const std::int64_t rest = count % 251;
        const auto expected = static_cast<std::uint64_t>(whole * (250 * 251 / 2) + rest * (rest - 1) / 2);
        CHECK(k::array<std::uint64_t>(k::sum(x)).item() == expected);
        x(k::range(count - 2, count - 1)) = std::uint8_t{255};
        CHECK(k::array<std::int64_t>(k::argmax(x)).item() == count - 2);
        const auto [low, high] = k::eval(k::min(x), k::max(x));
        CHECK(low.item() == 0);
        CHECK(high.item() == 255);
    }
    const std::int64_t edge = 65'539;
    const k::array<std::uint8_t> m =
        k::cast<std::uint8_t>((k::index(0) + k::index(1) + k::zeros<std::int64_t>({edge, edge})) % std::int64_t{251});
    for (const int axis : {0, 1}) {
        const std::vector<std::uint64_t> sums = k::array<std::uint64_t>(k::sum(m, k::axis(axis))).to_host();
        REQUIRE(static_cast<std::int64_t>(sums.size()) == edge);
        for (const std::int64_t at : {std::int64_t{0}, edge / 2, edge - 1}) {
            std::uint64_t expected = 0;
            for (std::int64_t i = 0; i < edge; ++i) expected += static_cast<std::uint64_t>((at + i) % 251);
            CHECK(sums[static_cast<std::size_t>(at)] == expected);
        }
    }
}

TEST_CASE("a sum of many float16, as float, is near the exact one") {
    const std::int64_t count = tests::device().is_cuda ? 100'000'000 : 10'000'000;
    const k::array<k::float16> h = k::cast<k::float16>(k::random::uniform<float>({count}, 11));
    double exact = 0;
    for (const k::float16 each : h.to_host()) exact += static_cast<float>(each);
    const double sum = k::array<float>(k::sum(k::cast<float>(h))).item();
    CHECK(std::fabs(sum - exact) <= 1e-6 * exact);
}
