// long long and unsigned long long: other names of int64 and uint64, as elements and as numbers.
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <type_traits>

namespace k = kiln;

TEST_CASE("long long is int64, unsigned long long uint64, and long stays what it was") {
    CHECK(k::type_of<long long> == k::element_type::int64);
    CHECK(k::type_of<unsigned long long> == k::element_type::uint64);
    CHECK(k::type_of<std::int64_t> == k::element_type::int64);
    CHECK(k::type_of<std::uint64_t> == k::element_type::uint64);
    static_assert(std::is_same_v<k::cpp_type<k::element_type::int64>, std::int64_t>);
}

TEST_CASE("array<long long> goes to the host as vector<long long>") {
    const long long large = 9'007'199'254'740'993;  // no double
    const k::array<long long> x = k::from_host<long long>({1, -2, large});
    const std::vector<long long> host = x.to_host();
    CHECK(host == std::vector<long long>{1, -2, large});
    const long long last = x(2).item();
    CHECK(last == large);
    static_assert(std::is_same_v<decltype(x(2).item()), long long>);
}

TEST_CASE("array<long long> in expressions, casts, reductions, with numbers, beside array<int64_t>") {
    k::array<long long> x = k::from_host<long long>({1, -2, 3});
    const k::array<std::int64_t> y = x * 2LL + 1;
    CHECK(y.to_host() == std::vector<std::int64_t>{3, -3, 7});
    x += y;
    CHECK(x.to_host() == std::vector<long long>{4, -5, 10});
    x = y;
    CHECK(x.to_host() == std::vector<long long>{3, -3, 7});
    x(k::range(0, 2)) = 5LL;
    CHECK(x.to_host() == std::vector<long long>{5, 5, 7});
    CHECK(k::eval(x).to_host() == std::vector<long long>{5, 5, 7});
    CHECK(k::array<long long>(k::sum(x)).item() == 17);
    auto [sum, largest] = k::eval(k::sum(x), k::max(x));
    CHECK(sum.item() == 17);
    CHECK(largest.item() == 7);
    CHECK(k::array<long long>(k::cast<long long>(k::from_host<float>({1.5f, -2.5f}))).to_host() ==
          std::vector<long long>{1, -2});
    CHECK(k::array<float>(k::cast<float>(x)).to_host() == std::vector<float>{5, 5, 7});
    CHECK(k::array<long long>(k::arange<long long>(3)).to_host() == std::vector<long long>{0, 1, 2});
    const k::expr<long long> e = x + 1;
    CHECK(k::array<long long>(e).to_host() == std::vector<long long>{6, 6, 8});
    const auto twice = k::fuse([](auto a, auto b) { return a * b; });
    CHECK(twice(x, 2LL).to_host() == std::vector<std::int64_t>{10, 10, 14});
    CHECK(k::array<float>(k::take(k::from_host<float>({1, 2, 3}), k::from_host<long long>({2, -3}))).to_host() ==
          std::vector<float>{3, 1});
}

TEST_CASE("positions that int64 cannot hold are past the end for take") {
    const k::array<std::uint64_t> at = k::from_host<std::uint64_t>({1, std::uint64_t{1} << 63, ~std::uint64_t{2}, 9});
    const k::array<float> x = k::from_host<float>({1, 2, 3, 4, 5});
    CHECK(k::array<float>(k::take(x, at)).to_host() == std::vector<float>{2, 5, 5, 5});
    CHECK(k::array<float>(k::take(k::reshape(x, {5, 1}) + 1.0f, at + 0u, k::axis(0))).to_host() ==
          std::vector<float>{3, 6, 6, 6});
}

TEST_CASE("unsigned long long wraps as uint64, numbers that it cannot hold throw") {
    const k::array<unsigned long long> x = k::from_host<unsigned long long>({0, 1});
    CHECK(k::array<unsigned long long>(x - 1ULL).to_host() == std::vector<unsigned long long>{~0ULL, 0});
    CHECK_THROWS_AS(x + -1LL, k::type_error);
    CHECK(k::sum(x).item() == 1);
    long long memory[2] = {};
    k::wrap(memory, {2}) = k::cast<long long>(x) + 3;
    k::synchronize();
    CHECK(memory[1] == 4);
}
