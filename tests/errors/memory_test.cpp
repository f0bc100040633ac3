// Arrays without a value, pointers that lead nowhere, and more memory than there is.
#include <support/check.hpp>

#include <kiln/kiln.hpp>

namespace k = kiln;

TEST_CASE("reading an array without a value throws type_error wherever it is read, and assigning to it is fine") {
    k::array<float> x;
    k::array<float> y = k::ones<float>({3});
    CHECK_FALSE(x.has_value());
    CHECK_THROWS_AS(static_cast<void>(x + y), k::type_error);
    CHECK_THROWS_AS(static_cast<void>(y + x), k::type_error);
    CHECK_THROWS_AS(static_cast<void>(x.to_host()), k::type_error);
    CHECK_THROWS_AS(static_cast<void>(x.shape()), k::type_error);
    CHECK_THROWS_AS(static_cast<void>(x.item()), k::type_error);
    CHECK_THROWS_AS(static_cast<void>(x.data()), k::type_error);
    CHECK_THROWS_AS(static_cast<void>(x(k::range(0, 1))), k::type_error);
    CHECK_THROWS_AS(x.wait(), k::type_error);
    CHECK_THROWS_AS(x += 1.0f, k::type_error);
    CHECK_THROWS_WITH_AS(x = 1.0f, doctest::Contains("fills the shape that an array has"), k::type_error);
    CHECK_THROWS_AS(k::expr<float>{x}, k::type_error);
    CHECK_THROWS_AS(static_cast<void>(k::where(x, y, y)), k::type_error);
    x = y + 1.0f;
    CHECK_SAME(x.to_host(), {2, 2, 2});
    k::array<float> copy_of_nothing = k::array<float>();
    CHECK_FALSE(copy_of_nothing.has_value());
}

TEST_CASE("wrapping a null pointer to elements throws, and to none does not") {
    float* const nothing = nullptr;
    CHECK_THROWS_WITH_AS(k::wrap(nothing, {3}), doctest::Contains("null"), k::error);
    try {
        k::wrap(nothing, {3});
    } catch (const k::device_error&) {
        FAIL("a null pointer is no fault of a device's");
    } catch (const k::error&) {
    }
    CHECK_NOTHROW(k::wrap(nothing, {0}));
    CHECK(k::array<float>(k::wrap(nothing, {0, 3}) + 1.0f).size() == 0);
}

TEST_CASE("wrapping a pointer that is no multiple of the element's size throws: a GPU would fault on it") {
    alignas(16) std::byte memory[64] = {};
    CHECK_THROWS_AS(k::wrap(reinterpret_cast<float*>(memory + 1), {3}), k::error);
    CHECK_THROWS_AS(k::wrap(reinterpret_cast<double*>(memory + 4), {3}), k::error);
    CHECK_NOTHROW(k::wrap(reinterpret_cast<float*>(memory + 4), {3}));
    CHECK_NOTHROW(k::wrap(reinterpret_cast<std::uint8_t*>(memory + 1), {3}));
}

TEST_CASE("asking for more memory than any machine has throws out_of_memory, and says how much was asked for") {
    const auto absurd = std::int64_t{1} << 52;
    try {
        const k::array<float> x = k::zeros<float>({absurd});
        FAIL("no out_of_memory");
    } catch (const k::out_of_memory& trouble) {
        const std::string message = trouble.what();
        CHECK_MESSAGE(message.find(std::to_string(absurd * 4)) != std::string::npos, message);
    }
    CHECK_THROWS_AS(k::array<double>(k::zeros<double>({INT64_MAX})), k::out_of_memory);
    CHECK_THROWS_AS(k::array<double>(k::zeros<double>({absurd})), k::device_error);
}

TEST_CASE("after out_of_memory, everything still works, and the target keeps its value") {
    k::array<float> y = k::ones<float>({10});
    CHECK_THROWS_AS(y = k::zeros<float>({std::int64_t{1} << 52}), k::out_of_memory);
    CHECK_SAME(y.to_host(), std::vector<float>(10, 1.0f));
    const auto many = k::zeros<float>({std::int64_t{1} << 52});
    CHECK_THROWS_AS(k::eval(many, many), k::out_of_memory);
    y += 1.0f;
    CHECK_SAME(y.to_host(), std::vector<float>(10, 2.0f));
}
