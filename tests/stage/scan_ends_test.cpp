// Which casts and flips around a scan are its kernel's.
#include <capture/array_node.hpp>
#include <plan/row_limits.hpp>
#include <stage/stages.hpp>

#include <doctest/doctest.h>

#include <kiln/kiln.hpp>

#include <cstdint>
#include <variant>
#include <vector>

namespace k = kiln;

namespace {

template <class T, class E>
k::stage::stages stages_of(const E& e, bool fuse = true) {
    const k::detail::handle<k::detail::term> root = k::expr<T>(e).erase();
    const k::detail::output wanted;
    return k::stage::make_stages(&root, 1, &wanted, k::plan::row_limits(k::plan::cuda_target_of(90), fuse));
}

k::stage::scan scan_in(const k::stage::stages& of) {
    k::stage::scan found;
    for (const k::stage::stage& each : of.list)
        if (const auto* const scan = std::get_if<k::stage::scan>(&each.over_arrays)) found = *scan;
    return found;
}

}  // namespace

TEST_CASE("casts and flips around a scan are its kernel's") {
    const k::array<std::int16_t> x = k::ones<std::int16_t>({40, 1000});
    const k::axis a(1);
    {
        const k::stage::stages made = stages_of<std::int64_t>(k::cumsum(x, a));
        CHECK(made.list.size() == 1);
        CHECK(scan_in(made).reads.type == k::element_type::int16);
        CHECK(scan_in(made).writes.is_plain());
    }
    {
        const k::stage::stages made = stages_of<float>(k::cast<float>(k::flip(k::cumsum(k::flip(x, a), a), a)));
        CHECK(made.list.size() == 1);
        CHECK(scan_in(made).reads.type == k::element_type::int16);
        CHECK(scan_in(made).reads.backward);
        CHECK(scan_in(made).writes.type == k::element_type::float32);
        CHECK(scan_in(made).writes.backward);
    }
    {  // what is computed before is stored as it is added up from
        const k::stage::stages made = stages_of<std::int64_t>(k::cumsum(x + x, a));
        REQUIRE(made.list.size() == 2);
        CHECK(made.list.front().results.front().type == k::element_type::int16);
        CHECK_FALSE(scan_in(made).in_place);
    }
    {  // unless that is wider
        const k::array<double> wide = k::ones<double>({40, 1000});
        const k::stage::stages made = stages_of<float>(k::cumsum(k::cast<float>(wide + wide), a));
        REQUIRE(made.list.size() == 2);
        CHECK(made.list.front().results.front().type == k::element_type::float32);
        CHECK(scan_in(made).in_place);
        CHECK(stages_of<float>(k::cumsum(k::cast<float>(wide), a)).list.size() == 1);
    }
    {
        const k::array<k::float16> half = k::ones<k::float16>({1000, 40});
        const k::stage::stages made = stages_of<k::float16>(k::cast<k::float16>(k::cumsum(half, k::axis(0))));
        CHECK(made.list.size() == 1);
    }
}

TEST_CASE("other casts and flips around a scan are kernels of their own") {
    const k::array<float> x = k::ones<float>({40, 1000});
    const k::axis a(1);
    const auto sums = k::cumsum(x, a);
    CHECK(stages_of<float>(sums).list.size() == 1);
    // Floats saturate; to them another axis is flipped; somebody else reads the scan, too.
    CHECK(stages_of<std::int32_t>(k::cast<std::int32_t>(sums)).list.size() == 2);
    CHECK(stages_of<std::int64_t>(k::cumsum(k::cast<std::int64_t>(x), a)).list.size() == 2);
    CHECK(stages_of<float>(k::flip(sums, k::axis(0))).list.size() == 2);
    CHECK(stages_of<float>(k::cumsum(k::flip(x, k::axis(0)), a)).list.size() == 2);
    CHECK(stages_of<float>(k::flip(sums, a) + sums).list.size() == 2);
    CHECK(stages_of<double>(k::cast<double>(sums) + k::sum(sums)).list.size() == 3);
    const auto add = k::reduction<float>(0, "a", "b", "return a + b;");
    CHECK(stages_of<float>(k::flip(k::scan(add, x, a), a)).list.size() == 2);
    CHECK(stages_of<float>(k::flip(k::cumsum(k::flip(x, a), a), a), /*fuse=*/false).list.size() == 3);
}
