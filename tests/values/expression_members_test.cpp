// What every expression can be asked: shape, rank, size, item, to_host, and a part of it by ().
#include <support/check.hpp>

#include <kiln/kiln.hpp>

namespace k = kiln;

namespace {

const std::vector<float> six = {1, 2, 3, 4, 5, 6};

template <class E>
void check_as_array(const E& e) {
    const k::array<k::value_t<E>> a = e;
    CHECK(e.shape() == a.shape());
    CHECK(e.rank() == a.rank());
    CHECK(e.size() == a.size());
    CHECK(e.to_host() == a.to_host());
    if (e.size() == 1) CHECK(e.item() == a.item());
    else CHECK_THROWS_AS((void)e.item(), k::shape_error);
    if (e.rank() == 2) {
        CHECK(k::array<k::value_t<E>>(e(0)).to_host() == k::array<k::value_t<E>>(a(0)).to_host());
        CHECK(e(k::all, k::range(0, 1)).to_host() == a(k::all, k::range(0, 1)).to_host());
        CHECK(e(k::newaxis).shape() == k::shape{1, a.shape()[0], a.shape()[1]});
        CHECK_THROWS_AS(e(5), k::shape_error);
    }
}

}  // namespace

TEST_CASE("expressions of every kind say their shape and elements, and have slices") {
    const k::array<float> m = k::from_host<float>(six, {2, 3});
    check_as_array(m + 1);
    check_as_array(m * m - k::exp(m));
    check_as_array(k::where(m > 2.0f, m, 0.0f));
    check_as_array(k::cast<std::int32_t>(m));
    check_as_array(k::transpose(m));
    check_as_array(k::take(m, k::from_host<int>({1, 0}), k::axis(0)));
    check_as_array(k::full<double>({2, 2}, 0.5));
    check_as_array(k::arange<int>(4));
    check_as_array(k::eye<float>(3));
    check_as_array(k::random::uniform<float>({2, 3}, 7));
    check_as_array(k::expr<float>(m * 2));
    check_as_array(k::label("doubled", m * 2));
    check_as_array(k::sum(m));
    check_as_array(k::sum(m, k::axis(1)));
    check_as_array(k::max(m, k::axis(1), k::keep_dims));
    check_as_array(k::sum(m) + 1);
    check_as_array(k::cumsum(m, k::axis(1)));
    check_as_array(m(k::range(0, 1)));
    check_as_array(k::isclose(m, m));
}

TEST_CASE("a number that is asked for once: k::sum(x * x).item()") {
    const k::array<float> x = k::from_host(six);
    CHECK(k::sum(x * x).item() == 91);
    CHECK((x(3) * 2).item() == 8);
    CHECK(k::all(x > 0.0f).item());
}

TEST_CASE("asking a shape launches nothing") {
    const k::array<float> x = k::from_host(six);
    const k::counters before = k::counters::now();
    CHECK((x + x).size() == 6);
    CHECK(k::sum(x, k::keep_dims).rank() == 1);
    CHECK((k::counters::now() - before).launches == 0);
    CHECK_THROWS_AS((void)(x + k::zeros<float>({4})).shape(), k::shape_error);
}

TEST_CASE("a slice of a slice is a target where the slice is one, and others that share the buffer keep their values") {
    k::array<float> m = k::from_host<float>(six, {2, 3});
    m(1)(k::range(0, 2)) = 0.0f;
    CHECK(m.to_host() == std::vector<float>{1, 2, 3, 0, 0, 6});
    const k::array<float> before = m;
    m(k::all, k::range(1, 3))(0)(1) += 10;
    CHECK(m.to_host() == std::vector<float>{1, 2, 13, 0, 0, 6});
    CHECK(before.to_host() == std::vector<float>{1, 2, 3, 0, 0, 6});
    const k::counters start = k::counters::now();
    m(1)(0) = 9.0f;
    CHECK((k::counters::now() - start).launches == 1);  // nobody shares m: no copy
    const auto stored = m(1);
    CHECK(stored(0).item() == 9);
}
