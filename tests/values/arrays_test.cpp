// array<T> is a value: copies are O(1), a write to one is not seen by the other, and in place is only an optimisation.
#include <support/allocations.hpp>
#include <support/check.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

namespace k = kiln;

namespace {

using floats = std::vector<float>;

k::array<float> counted(std::int64_t count) {
    return k::from_host<float>(k::array<float>(k::arange<float>(count)).to_host());
}

const void* where(const k::array<float>& x) { return x.data(); }

}  // namespace

TEST_CASE("a copy shares the buffer, launches nothing and allocates nothing") {
    const k::array<float> x = counted(1000);
    const k::counters before = k::counters::now();
    const std::int64_t allocations = tests::allocation_count();
    const k::array<float> y = x;
    CHECK(tests::allocation_count() == allocations);
    CHECK((k::counters::now() - before).launches == 0);
    CHECK(where(y) == where(x));
}

TEST_CASE("a write to one of two arrays that share a buffer is not seen by the other") {
    k::array<float> x = counted(4);
    k::array<float> y = x;
    y += 1.0f;
    CHECK_SAME(x.to_host(), floats{0, 1, 2, 3});
    CHECK_SAME(y.to_host(), floats{1, 2, 3, 4});
    y = x;
    x(k::range(0, 2)) = 9.0f;
    CHECK_SAME(x.to_host(), floats{9, 9, 2, 3});
    CHECK_SAME(y.to_host(), floats{0, 1, 2, 3});
}

TEST_CASE("x = x * x + x reuses the buffer: the same pointer, no allocation") {
    k::array<float> x = counted(1000);
    const void* const before = where(x);
    x = x * x + x;
    CHECK(where(x) == before);
    CHECK(x.to_host()[10] == 110.0f);
    x = x * 0.0f + 1.0f;  // another expression type: warm it
    x = x * 0.0f + 1.0f;
    const std::int64_t allocations = tests::allocation_count();
    x = x * 0.0f + 1.0f;
    CHECK(tests::allocation_count() == allocations);
    CHECK(where(x) == before);
}

TEST_CASE("an assignment from others reuses the target's buffer when the shapes agree, and not when they do not") {
    const k::array<float> x = counted(100);
    k::array<float> y = k::zeros<float>({100});
    const void* const before = where(y);
    y = x + 1.0f;
    CHECK(where(y) == before);
    y = k::ones<float>({101});
    CHECK(y.size() == 101);
    CHECK_SAME(y.to_host(), floats(101, 1.0f));
    y = k::full<float>({4, 25}, 2.0f);
    CHECK(y.shape() == k::shape{4, 25});
}

TEST_CASE("x = x * x + x takes a new buffer while a copy holds the old one") {
    k::array<float> x = counted(5);
    const k::array<float> copy = x;
    x = x * x + x;
    CHECK(where(x) != where(copy));
    CHECK_SAME(copy.to_host(), floats{0, 1, 2, 3, 4});
    CHECK_SAME(x.to_host(), floats{0, 2, 6, 12, 20});
}

TEST_CASE("a stored slice of the array counts as an owner") {
    k::array<float> x = counted(5);
    const auto tail = x(k::range(1, 5));
    x = x * 10.0f;
    CHECK_SAME(tail.to_host(), floats{1, 2, 3, 4});
    CHECK_SAME(x.to_host(), floats{0, 10, 20, 30, 40});
}

TEST_CASE("an array assigned from its own slices reads them before it is overwritten") {
    k::array<float> x = counted(6);
    x = x(k::range(k::range::open, k::range::open, -1)) + 0.0f;
    CHECK_SAME(x.to_host(), floats{5, 4, 3, 2, 1, 0});
    x = x(k::range(1, 6)) - x(k::range(0, 5));
    CHECK_SAME(x.to_host(), floats{-1, -1, -1, -1, -1});
}

TEST_CASE("the same in place on unequal types and with several readings of the array") {
    k::array<double> x = k::from_host<double>({1, 2, 3}, {3});
    const k::array<std::int32_t> i = k::from_host<std::int32_t>({10, 20, 30}, {3});
    x = x * i + x / i - x % 2.0;
    CHECK_SAME(x.to_host(), {1.0 * 10 + 1.0 / 10 - 1, 2.0 * 20 + 2.0 / 20, 3.0 * 30 + 3.0 / 30 - 1});
}

TEST_CASE("data() may be written through, and copies do not see it") {
    k::array<float> x = counted(3);
    const k::array<float> copy = x;
    float* const own = x.data();
    CHECK(static_cast<const void*>(own) != where(copy));
    CHECK(static_cast<const void*>(x.data()) == own);
    if (!k::current_device().is_cuda()) {
        own[1] = 50.0f;
        CHECK_SAME(x.to_host(), floats{0, 50, 2});
    }
    CHECK_SAME(copy.to_host(), floats{0, 1, 2});
}

TEST_CASE("data() of an array that an expression holds takes a buffer of its own") {
    k::array<float> x = counted(3);
    const auto e = x + 1.0f;
    k::wrap(x.data(), {3}) = k::full<float>({3}, 7.0f);
    k::synchronize();
    CHECK_SAME(x.to_host(), floats{7, 7, 7});
    CHECK_SAME(k::array<float>(e).to_host(), floats{1, 2, 3});
}

TEST_CASE("a moved-from array has no value, and may be assigned to") {
    k::array<float> x = counted(3);
    k::array<float> y = std::move(x);
    CHECK_FALSE(x.has_value());
    CHECK_THROWS_AS(static_cast<void>(x.to_host()), k::type_error);
    x = y + 1.0f;
    CHECK_SAME(x.to_host(), floats{1, 2, 3});
    y = std::move(x);
    CHECK_SAME(y.to_host(), floats{1, 2, 3});
}

TEST_CASE("assigning an array to itself changes nothing") {
    k::array<float> x = counted(3);
    k::array<float>& same = x;
    x = same;
    CHECK_SAME(x.to_host(), floats{0, 1, 2});
}

TEST_CASE("an assignment that throws leaves the target its value") {
    k::array<float> x = counted(3);
    const k::array<float> longer = counted(4);
    CHECK_THROWS_AS(x = x + longer, k::shape_error);
    CHECK_SAME(x.to_host(), floats{0, 1, 2});
    CHECK_THROWS_AS(x += longer, k::shape_error);
    CHECK_THROWS_AS(x(k::range(0, 2)) = longer, k::shape_error);
    CHECK_SAME(x.to_host(), floats{0, 1, 2});
}

TEST_CASE_TEMPLATE("what goes to the device comes back with the same bits", T, bool, std::uint8_t, std::int32_t,
                   std::int64_t, float, double) {
    const std::vector<T> values = tests::special_values<T>();
    const k::array<T> x = k::from_host<T>(values);
    CHECK_SAME(x.to_host(), values);
    CHECK_SAME(k::array<T>(k::array<T>(x)).to_host(), values);
    std::vector<std::uint8_t> memory(values.size() * sizeof(T));
    x.copy_to({reinterpret_cast<T*>(memory.data()), values.size()});
    for (std::size_t i = 0; i < values.size(); ++i) {
        T element;
        std::memcpy(&element, memory.data() + i * sizeof(T), sizeof(T));
        REQUIRE(tests::same_bits<T>(element, values[i]));
    }
}

TEST_CASE(
    "from_host takes whatever has its elements one after the other: spans, arrays, braces, with a shape or without") {
    const std::array<double, 4> four{1, 2, 3, 4};
    int three[] = {5, 6, 7};
    const auto is = [](const auto& x, const k::shape& extents, const auto& elements) {
        CHECK(x.shape() == extents);
        CHECK_SAME(x.to_host(), elements);
    };
    is(k::from_host(four), {4}, std::vector<double>{1, 2, 3, 4});
    is(k::from_host(four, {2, 2}), {2, 2}, std::vector<double>{1, 2, 3, 4});
    is(k::from_host(three), {3}, std::vector<int>{5, 6, 7});
    is(k::from_host(std::span<int>(three).subspan(1)), {2}, std::vector<int>{6, 7});
    is(k::from_host<int>(std::span<int>(three)), {3}, std::vector<int>{5, 6, 7});
    is(k::from_host<int>(three), {3}, std::vector<int>{5, 6, 7});
    is(k::from_host(std::span<const int>(three), {3, 1}), {3, 1}, std::vector<int>{5, 6, 7});
    is(k::from_host({1.5, 2.5}), {2}, std::vector<double>{1.5, 2.5});
    is(k::from_host<float>({1, 2, 3}), {3}, std::vector<float>{1, 2, 3});
    is(k::from_host(std::array<bool, 2>{true, false}), {2}, std::vector<bool>{true, false});
    is(k::from_host(std::vector<bool>{true, false}), {2}, std::vector<bool>{true, false});
    is(k::from_host(std::array<float, 0>{}), {0}, std::vector<float>{});
    CHECK_THROWS_WITH_AS(k::from_host(four, {3}), doctest::Contains("4 elements do not fill shape (3,)"),
                         k::shape_error);
}

TEST_CASE("a number assigned to an array fills it, and what shares its buffer keeps its values") {
    k::array<float> x = k::from_host<float>({1, 2, 3, 4}, {2, 2});
    const k::array<float> before = x;
    x = 3;
    CHECK(x.shape() == k::shape{2, 2});
    CHECK_SAME(x.to_host(), {3.0f, 3.0f, 3.0f, 3.0f});
    CHECK_SAME(before.to_host(), {1.0f, 2.0f, 3.0f, 4.0f});
    const float* const buffer = std::as_const(x).data();
    x = 0.5f;
    CHECK(std::as_const(x).data() == buffer);
    CHECK_SAME(x.to_host(), {0.5f, 0.5f, 0.5f, 0.5f});
    k::array<std::complex<float>> c = k::zeros<std::complex<float>>({2});
    c = std::complex<float>(1, 2);
    CHECK_SAME(c.to_host(), {std::complex<float>(1, 2), std::complex<float>(1, 2)});
    k::array<std::uint8_t> u = k::zeros<std::uint8_t>({2});
    CHECK_THROWS_AS(u = 256, k::type_error);
    k::array<float> none;
    CHECK_THROWS_AS(none = 1.0f, k::type_error);
    k::array<float> empty = k::zeros<float>({0});
    empty = 1.0f;
    CHECK(empty.size() == 0);
}

TEST_CASE("from_host has copied when it returns") {
    floats values = {1, 2, 3};
    const k::array<float> x = k::from_host<float>(values);
    values.assign(3, -1.0f);
    CHECK_SAME(x.to_host(), floats{1, 2, 3});
}
