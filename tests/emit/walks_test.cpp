// emit/source: which of the host's kernels g++ compiles by few of its passes, and which it gives its widest vectors.
#include <support/rooms.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <complex>

namespace k = kiln;

namespace {

using k::plan::loop_kind;

template <class E>
loop_kind loops_of(const E& e) {
    const std::vector<k::emit::source> made = tests::first_stage_sources(k::plan::host_target, e);
    REQUIRE(made.size() == 1);
    return made.front().loops;
}

template <class X>
auto softmax(const X& x) {
    const auto e = k::exp(x - k::max(x, k::axis(1), k::keep_dims));
    return e / k::sum(e, k::axis(1), k::keep_dims);
}

}  // namespace

TEST_CASE(
    "elements one by one, rows from end to end and columns are walks; tiles are none, nor is anything of CUDA's") {
    const k::array<int> x = k::ones<int>({640, 4096});
    CHECK(loops_of(x + x) == loop_kind::walk);
    CHECK(loops_of(k::transpose(x) * 2) == loop_kind::walk);
    CHECK(loops_of(x - k::sum(x, k::axis(1), k::keep_dims)) == loop_kind::walk);
    const k::array<float> y = k::ones<float>({640, 4096});
    CHECK(loops_of(y / k::sum(y, k::axis(0), k::keep_dims)) == loop_kind::walk);
    const k::array<float> points = k::ones<float>({64, 8});
    const auto apart = points(k::all, k::newaxis, k::all) - points(k::newaxis, k::all, k::all);
    CHECK(loops_of(k::sum(apart * apart, k::axis(2))) == loop_kind::any);
    const std::vector<k::emit::source> on_cuda = tests::sources({}, x + x);
    CHECK(on_cuda.front().loops == loop_kind::any);
}

TEST_CASE("a walk that divides integers is known to, unless the divisor is, or others of its loops have vectors") {
    const k::array<int> x = k::ones<int>({640, 4096}), y = k::ones<int>({640, 4096});
    CHECK(loops_of(x / y) == loop_kind::dividing);
    CHECK(loops_of(x % 7 + y) == loop_kind::dividing);
    CHECK(loops_of(k::floor_mod(x, y)) == loop_kind::dividing);
    CHECK(loops_of(x / k::constant<7>) == loop_kind::walk);
    CHECK(loops_of(x / x) == loop_kind::walk);
    CHECK(loops_of(k::cast<float>(x) / 3.0f) == loop_kind::walk);
    CHECK(loops_of(x / y - k::sum(x, k::axis(1), k::keep_dims)) == loop_kind::walk);
}

TEST_CASE("elements that are all floats, or whose functions take most of the time, have loops of floats") {
    const k::array<float> x = k::ones<float>({640, 4096});
    const k::array<double> wide = k::ones<double>({640, 4096});
    CHECK(loops_of(x + x) == loop_kind::float_walk);
    CHECK(loops_of(wide / 3.0 + wide) == loop_kind::float_walk);
    CHECK(loops_of(k::cast<double>(x) * wide) == loop_kind::float_walk);
    CHECK(loops_of(k::where(x > 1.0f && x < 2.0f, x, -x)) == loop_kind::float_walk);
    CHECK(loops_of(k::transpose(x) * 2.0f) == loop_kind::float_walk);
    CHECK(loops_of(x - k::shift(x, {1, 1}, k::boundary::wrap)) == loop_kind::walk);
    CHECK(loops_of(k::exp(x - k::shift(x, {1, 1}, k::boundary::wrap))) == loop_kind::float_walk);
    CHECK(loops_of(x > 1.0f) == loop_kind::walk);
    CHECK(loops_of(k::cast<std::uint8_t>(x)) == loop_kind::walk);
    CHECK(loops_of(k::ones<std::complex<float>>({640}) * 2.0f) == loop_kind::walk);
    CHECK(loops_of(k::random::uniform<float>({640}, 7) * x(0, k::range(0, 640))) == loop_kind::walk);
    CHECK(loops_of(k::sum(x * x, k::axis(1))) == loop_kind::walk);
    // A position is compared: of few other steps that takes as long as they do.
    const auto by_position = k::where(k::index(0) >= k::index(1), x, 0.0f);
    CHECK(loops_of(by_position) == loop_kind::walk);
    CHECK(loops_of(k::exp(by_position)) == loop_kind::float_walk);
    const k::array<int> whole = k::ones<int>({640, 4096});
    CHECK(loops_of(k::exp(k::where(whole / 3 > 1, x, 0.0f))) == loop_kind::walk);
}

TEST_CASE("short rows are walks, but blocks of wide elements want all passes") {
    const k::array<float> column = k::ones<float>({100, 1}), row = k::ones<float>({5}), x = k::ones<float>({100, 5});
    CHECK(loops_of(column * row) == loop_kind::float_walk);
    CHECK(loops_of(k::exp(column * row)) == loop_kind::float_walk);
    CHECK(loops_of(row * k::shift(x, {1, 0}, k::boundary::clamp)) == loop_kind::float_walk);
    CHECK(loops_of(k::cast<int>(column) * k::cast<int>(row)) == loop_kind::walk);
    const k::array<double> wide_column = k::ones<double>({100, 1}), wide_row = k::ones<double>({5});
    CHECK(loops_of(wide_column * wide_row) == loop_kind::any);
    CHECK(loops_of(k::ones<double>({100, 5})(k::all, k::all) * wide_row) == loop_kind::float_walk);
}

TEST_CASE("persistent rows of floats are known to be, of 16 bits as well as of more") {
    const k::array<float> x = k::ones<float>({640, 4096});
    CHECK(loops_of(softmax(x)) == loop_kind::wide_float_rows);
    CHECK(loops_of(softmax(k::ones<double>({640, 4096}))) == loop_kind::wide_float_rows);
    CHECK(loops_of(softmax(k::ones<k::float16>({640, 4096}))) == loop_kind::float_rows);
    CHECK(loops_of(softmax(k::cast<float>(k::ones<k::bfloat16>({640, 4096})))) == loop_kind::float_rows);
    CHECK(loops_of(x * k::cast<float>(k::argmax(x, k::axis(1), k::keep_dims))) == loop_kind::walk);
}

TEST_CASE("a user's function is part of a walk where it neither loops nor branches") {
    const k::array<float> x = k::ones<float>({640, 4096});
    const auto of = [&x](const char* body) { return loops_of(k::function<float(float)>("users", {"a"}, body)(x)); };
    CHECK(of("return 2 * a;") == loop_kind::walk);
    CHECK(of("const float b = a * a; return b * b;") == loop_kind::walk);
    CHECK(of("return a > 0 ? a : 0;") == loop_kind::any);
    CHECK(of("return (a > 0 && a < 1) * a;") == loop_kind::any);
    CHECK(of("if (a > 0) a *= 2; return a;") == loop_kind::any);
    CHECK(of("for (int i = 0; i < 3; ++i) a *= a; return a;") == loop_kind::any);
    CHECK(of("while (a > 1) a /= 2; return a;") == loop_kind::any);
}

TEST_CASE(
    "many steps of each element, functions of floats and columns are worth the widest vectors; few steps, rows and "
    "complex numbers are not") {
    const k::array<float> x = k::ones<float>({640, 4096});
    using k::plan::loop_vectors;
    const auto vectors = [](const auto& e) {
        const std::vector<k::emit::source> made = tests::first_stage_sources(k::plan::host_target, e);
        REQUIRE(made.size() == 1);
        return made.front().vectors;
    };
    const auto many_steps = [](const auto& a) { return (((a + 1.5f) * a + 2.5f) / (a * a) - a) * (a + 3.5f); };
    CHECK(vectors(many_steps(x)) == loop_vectors::widest_scheduled);
    CHECK(vectors(k::sum(many_steps(x), k::axis(1))) == loop_vectors::widest_scheduled);
    CHECK(vectors(k::exp(x) * 2) == loop_vectors::widest);
    CHECK(vectors(k::exp(x) / k::sum(k::exp(x), k::axis(1), k::keep_dims)) == loop_vectors::widest);
    CHECK(vectors(x / k::sum(x, k::axis(0), k::keep_dims)) == loop_vectors::widest_scheduled);
    CHECK(vectors(k::exp(k::ones<double>({640})) * 2) == loop_vectors::usual);
    const k::array<std::uint8_t> bytes = k::ones<std::uint8_t>({640});
    CHECK(vectors(k::cast<std::uint8_t>(k::exp(k::cast<float>(bytes)))) == loop_vectors::usual);
    CHECK(vectors(x + x + x + x + x) == loop_vectors::usual);
    CHECK(vectors(k::sum(x * x, k::axis(1))) == loop_vectors::usual);
    CHECK(vectors(many_steps(x) / k::sum(x, k::axis(1), k::keep_dims)) == loop_vectors::usual);
    CHECK(vectors(many_steps(k::ones<std::complex<float>>({640}))) == loop_vectors::usual);
    const k::array<int> whole = k::ones<int>({640});
    CHECK(vectors((((whole + 1) * whole + 2) / (whole * whole) - whole) * (whole + 3) ^ whole) == loop_vectors::usual);
    const std::vector<k::emit::source> on_cuda = tests::sources({}, many_steps(x));
    CHECK(on_cuda.front().vectors == loop_vectors::usual);
}

TEST_CASE("bytes that are computed in vectors of float name their vectors; no others are known to") {
    const k::array<std::uint8_t> a = k::ones<std::uint8_t>({100}), b = k::ones<std::uint8_t>({100});
    const auto blended = k::cast<float>(a) * 0.75f + k::cast<float>(b);
    CHECK(loops_of(k::cast<std::uint8_t>(blended)) == loop_kind::named_vectors);
    CHECK(loops_of(blended) == loop_kind::walk);
    CHECK(loops_of(a + b) == loop_kind::walk);
    const k::array<k::float16> half = k::ones<k::float16>({100});
    CHECK(loops_of(half * half + half) == loop_kind::walk);
    CHECK(tests::sources({}, k::cast<std::uint8_t>(blended)).front().loops == loop_kind::any);
}
