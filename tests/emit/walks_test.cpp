// emit/source: which of the host's kernels are walks, which g++ compiles by few of its passes, and which it gives its widest vectors.
#include <support/rooms.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <complex>

namespace k = kiln;

namespace {

template <class E>
bool is_walk(const E& e) {
    const std::vector<k::emit::source> made = tests::first_stage_sources(k::plan::host_target, e);
    REQUIRE(made.size() == 1);
    return made.front().is_walk;
}

}  // namespace

TEST_CASE("elements one by one, rows from end to end and columns are walks; tiles and users' functions are none") {
    const k::array<float> x = k::ones<float>({640, 4096});
    CHECK(is_walk(x + x));
    CHECK(is_walk(k::exp(x(k::all, k::range(1, 600))) * 2));
    CHECK(is_walk(k::transpose(x) * 2));
    CHECK(is_walk(x / k::sum(x, k::axis(1), k::keep_dims)));
    CHECK(is_walk(x / k::sum(x, k::axis(0), k::keep_dims)));
    const k::array<float> points = k::ones<float>({64, 8});
    const auto apart = points(k::all, k::newaxis, k::all) - points(k::newaxis, k::all, k::all);
    CHECK_FALSE(is_walk(k::sum(apart * apart, k::axis(2))));
    const auto twice = k::function<float(float)>("twice", {"a"}, "return 2 * a;");
    CHECK_FALSE(is_walk(twice(x)));
    const std::vector<k::emit::source> on_cuda = tests::sources({}, x + x);
    CHECK_FALSE(on_cuda.front().is_walk);
}

TEST_CASE(
    "many steps of each element, functions of floats and columns are worth the widest vectors; few steps, rows and "
    "complex numbers are not") {
    const k::array<float> x = k::ones<float>({640, 4096});
    const auto in_widest_vectors = [](const auto& e) {
        const std::vector<k::emit::source> made = tests::first_stage_sources(k::plan::host_target, e);
        REQUIRE(made.size() == 1);
        return made.front().in_widest_vectors;
    };
    const auto many_steps = [](const auto& a) { return (((a + 1.5f) * a + 2.5f) / (a * a) - a) * (a + 3.5f); };
    CHECK(in_widest_vectors(many_steps(x)));
    CHECK(in_widest_vectors(k::sum(many_steps(x), k::axis(1))));
    CHECK(in_widest_vectors(x / k::sum(x, k::axis(0), k::keep_dims)));
    CHECK_FALSE(in_widest_vectors(x + x + x + x + x));
    CHECK_FALSE(in_widest_vectors(k::sum(x * x, k::axis(1))));
    CHECK_FALSE(in_widest_vectors(many_steps(x) / k::sum(x, k::axis(1), k::keep_dims)));
    CHECK_FALSE(in_widest_vectors(many_steps(k::ones<std::complex<float>>({640}))));
    const std::vector<k::emit::source> on_cuda = tests::sources({}, many_steps(x));
    CHECK_FALSE(on_cuda.front().in_widest_vectors);
}

TEST_CASE("bytes that are computed in vectors of float have plain loops; no others are known to have") {
    const auto has_plain_loops = [](const auto& e) {
        const std::vector<k::emit::source> made = tests::first_stage_sources(k::plan::host_target, e);
        REQUIRE(made.size() == 1);
        return made.front().has_plain_loops;
    };
    const k::array<std::uint8_t> a = k::ones<std::uint8_t>({100}), b = k::ones<std::uint8_t>({100});
    const auto blended = k::cast<float>(a) * 0.75f + k::cast<float>(b);
    CHECK(has_plain_loops(k::cast<std::uint8_t>(blended)));
    CHECK_FALSE(has_plain_loops(blended));
    CHECK_FALSE(has_plain_loops(a + b));
    const k::array<k::float16> half = k::ones<k::float16>({100});
    CHECK_FALSE(has_plain_loops(half * half + half));
    const k::array<float> x = k::ones<float>({640, 4096});
    const auto e = k::exp(x - k::max(x, k::axis(1), k::keep_dims));
    CHECK_FALSE(has_plain_loops(e / k::sum(e, k::axis(1), k::keep_dims)));
    CHECK_FALSE(tests::sources({}, k::cast<std::uint8_t>(blended)).front().has_plain_loops);
}
