// Bins by floats (emit/helpers/segments.inc) are those that doubles find, of every float: at edges, around them, and where there are none.
#include <device/cpu/combining.hpp>

#include <plan/segments.hpp>
#include <plan/target.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

using namespace kiln::backend;

#include <emit/helpers/segments.inc>

namespace k = kiln;

struct range {
    double low, high;
    std::int64_t bins;
};

/// As a kernel asks.
class both_ways {
public:
    explicit both_ways(const range& of)
        : of_(of),
          width_((of.high - of.low) / static_cast<double>(of.bins)),
          rate_(bin_rate(of.low, of.high, of.bins)),
          margin_(bin_margin(of.low, of.high, width_, of.bins)),
          clearance_(bin_clearance(of.low, of.high, width_, of.bins)) {}

    [[nodiscard]] long long by_doubles(float a) const {
        return bin_of(a, of_.low, of_.high, width_, of_.bins, rate_, margin_);
    }
    [[nodiscard]] long long by_floats(float a) const {
        const auto bins = static_cast<unsigned>(of_.bins);
        const unsigned bin = bin_of_float(a, static_cast<float>(of_.low), static_cast<float>(rate_), clearance_,
                                          of_.low, of_.high, width_, bins);
        return bin < bins ? static_cast<long long>(bin) : -1;
    }
    [[nodiscard]] double edge(std::int64_t of) const { return of_.low + static_cast<double>(of) * width_; }

private:
    range of_;
    double width_, rate_, margin_;
    float clearance_;
};

bool is_by_floats(k::element_type type, const range& of) {
    return k::plan::plan_segments({k::detail::segment_call::kind::number, of.bins, true, of.low, of.high}, 1 << 20,
                                  type, k::element_type::int64, k::plan::cuda_target)
        .steps.back()
        .by_floats;
}

}  // namespace

TEST_CASE("bins by floats are those by doubles: at edges, on both sides of them, and outside") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::mt19937 random(41);
    std::vector<range> ranges{{0, 13, 100},        {0, 1, 1},
                              {0, 1, 8192},        {-1, 1, 3},
                              {0.1, 0.7, 7},       {-5, -1, 1000},
                              {15, 16, 8192},      {-1e-17, 1e-17, 9},
                              {0, 1e18, 8191},     {1e17, 1.2e18, 77},
                              {0, 16777216, 4096}, {-0.0, 256, 256},
                              {0x1p-149, 1, 10},   {1.0 / 3, 2.0 / 3, 2048}};
    for (int i = 0; i < 40; ++i) {
        const double low = std::ldexp(static_cast<double>(random()) - 0x1p31, static_cast<int>(random() % 40) - 50);
        const double wide = (std::abs(low) / 15 + 1e-9) * (1 + static_cast<double>(random() % 100000) / 100);
        ranges.push_back({low, low + wide, 1 + static_cast<std::int64_t>(random() % 8192)});
    }
    for (const range& each : ranges) {
        CAPTURE(each.low);
        CAPTURE(each.high);
        CAPTURE(each.bins);
        REQUIRE(is_by_floats(k::element_type::float32, each));
        const both_ways ways(each);
        std::vector<float> all{0.0f,
                               -0.0f,
                               infinity,
                               -infinity,
                               std::nanf(""),
                               0x1p-149f,
                               -0x1p-149f,
                               3e38f,
                               -3e38f,
                               static_cast<float>(each.low),
                               static_cast<float>(each.high)};
        for (int exponent = -140; exponent < 128; ++exponent)
            for (const float sign : {1.0f, -1.0f}) all.push_back(sign * std::ldexp(1.37f, exponent));
        for (int i = 0; i < 20000; ++i)
            all.push_back(static_cast<float>(ways.edge(static_cast<std::int64_t>(random() % (each.bins + 3)) - 1) +
                                             (random() % 2 ? 0 : 1) * (each.high - each.low) *
                                                 (static_cast<double>(random()) * 0x1p-32 - 0.5) /
                                                 static_cast<double>(each.bins)));
        const std::size_t given = all.size();
        for (std::size_t i = 0; i < given; ++i)
            for (const float towards : {infinity, -infinity}) {
                float next = all[i];
                for (int steps = 0; steps < 3; ++steps) all.push_back(next = std::nextafter(next, towards));
            }
        std::int64_t wrong = 0;
        float first_wrong = 0;
        for (const float a : all)
            if (ways.by_doubles(a) != ways.by_floats(a)) {
                if (!wrong++) first_wrong = a;
            }
        CAPTURE(first_wrong);
        CHECK(wrong == 0);
    }
}

TEST_CASE("bins are found by floats where elements are floats and the range is not far from 0, nor its size") {
    const range usual{0, 13, 100};
    for (const k::element_type type : {k::element_type::float32, k::element_type::float16, k::element_type::bfloat16,
                                       k::element_type::uint8, k::element_type::int16})
        CHECK(is_by_floats(type, usual));
    for (const k::element_type type : {k::element_type::float64, k::element_type::int32, k::element_type::int64})
        CHECK_FALSE(is_by_floats(type, usual));
    for (const range& each : {range{1000, 1001, 100}, range{-1001, -1000, 100}, range{0, 1e-20, 100},
                              range{-1e300, 1e300, 3}, range{0, 13, 9000}})
        CHECK_FALSE(is_by_floats(k::element_type::float32, each));
}
