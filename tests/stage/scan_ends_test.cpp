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
    const k::stage::stages saturated = stages_of<std::int32_t>(k::cast<std::int32_t>(sums));
    CHECK(scan_in(saturated).writes.is_plain());
    CHECK(saturated.list.size() == 1);  // as a step of what the kernel goes on with
    CHECK(stages_of<std::int64_t>(k::cumsum(k::cast<std::int64_t>(x), a)).list.size() == 2);
    CHECK(stages_of<float>(k::flip(sums, k::axis(0))).list.size() == 2);
    CHECK(stages_of<float>(k::cumsum(k::flip(x, k::axis(0)), a)).list.size() == 2);
    CHECK(stages_of<float>(k::flip(sums, a) + sums).list.size() == 2);
    CHECK(stages_of<double>(k::cast<double>(sums) + k::sum(sums)).list.size() == 3);
    const auto add = k::reduction<float>(0, "a", "b", "return a + b;");
    CHECK(stages_of<float>(k::flip(k::scan(add, x, a), a)).list.size() == 2);
    CHECK(stages_of<float>(k::flip(k::cumsum(k::flip(x, a), a), a), /*fuse=*/false).list.size() == 3);
}

namespace {

bool goes_on(const k::stage::stages& of) { return scan_in(of).value_leaf >= 0; }

}  // namespace

TEST_CASE("a scan's kernel goes on with what is made of its values element by element") {
    const k::array<float> x = k::ones<float>({40, 1000});
    const k::array<float> b = k::ones<float>({1000}), turned = k::ones<float>({1000, 40});
    const k::axis a(1);
    const auto sums = k::cumsum(x, a);
    for (const k::stage::stages& made :
         {stages_of<float>(sums * 2.0f + b), stages_of<float>(k::exp(sums) - x),
          stages_of<float>(k::flip(k::cumsum(k::flip(x, a), a), a) * b), stages_of<float>(sums / k::transpose(turned)),
          stages_of<double>(k::cast<double>(sums) / k::cast<double>(k::arange<std::int64_t>(1000) + 1))}) {
        CHECK(made.list.size() == 1);
        CHECK(goes_on(made));
    }
    CHECK(stages_of<float>(k::cumsum(x * x, a) * b).list.size() == 2);
    CHECK(stages_of<float>(sums * k::cumsum(k::array<float>(x + x), a)).list.size() == 2);
    CHECK(stages_of<float>(sums * 2.0f, /*fuse=*/false).list.size() == 2);
}

TEST_CASE("what is made of a scan in another way, or of another shape, reads what the scan has stored") {
    const k::array<float> x = k::ones<float>({40, 1000});
    const k::axis a(1);
    const auto sums = k::cumsum(x, a);
    const k::array<float> half = k::ones<float>({40, 500}), planes = k::ones<float>({3, 1, 1});
    CHECK_FALSE(goes_on(stages_of<float>(sums)));
    CHECK_FALSE(goes_on(stages_of<float>(sums + k::flip(sums, a))));
    CHECK_FALSE(goes_on(stages_of<float>(sums - k::max(sums, a, k::keep_dims))));
    CHECK_FALSE(goes_on(stages_of<float>(sums + planes)));
    CHECK_FALSE(goes_on(stages_of<float>(k::sum(sums * 2.0f, a))));
    CHECK_FALSE(goes_on(stages_of<float>(sums * k::concatenate(a, half, half))));
    const k::array<float> cube = k::ones<float>({3, 5, 1000});
    CHECK_FALSE(goes_on(stages_of<float>(k::cumsum(cube, k::axis(2)) * planes)));  // strides that bend
    const auto add = k::reduction<float>(0, "a", "b", "return a + b;");
    CHECK_FALSE(goes_on(stages_of<float>(k::scan(add, x, a) * 2.0f)));
}
