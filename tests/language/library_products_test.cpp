// options.library: products by cuBLASLt or a BLAS where it is, else by kiln's own kernels. Small integers have exact sums in any order; of other
// numbers the error is bounded by the sum of the products' magnitudes.
#include "random_numbers.hpp"

#include <support/check.hpp>
#include <support/child.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace k = kiln;
using tests::random_numbers;

namespace {

constexpr k::options by_library{.library = true};

class ByLibrary {
public:
    template <class E>
    static bool is_made_by_library(const E& e) {
        const k::explanation plan = k::explain(e);
        for (const k::kernel_explanation& each : plan.kernels)
            if (each.origin == k::kernel_origin::library) return true;
        return false;
    }

    /// Whether there is a library here, for elements of such a type.
    template <class T = float>
    static bool is_there() {
        const k::scoped_options on(by_library);
        const k::array<float> a = k::ones<float>({4, 4});
        return is_made_by_library(k::matmul(a, a)) && (tests::device().is_cuda || sizeof(T) >= 4);
    }

    template <class T>
    static k::array<T> small(std::mt19937& random, const k::shape& of) {
        std::vector<T> out(static_cast<std::size_t>(of.size()));
        for (T& each : out) each = T(static_cast<float>(static_cast<int>(random() % 9) - 4));
        return k::from_host<T>(out, of);
    }

    /// The same, to the bit, as without the library: of small integers.
    template <class T, class Make>
    static void check_exact(Make make) {
        const std::vector<T> own = k::array<T>(make()).to_host();
        const k::scoped_options on(by_library);
        CHECK(is_made_by_library(make()) == is_there<T>());
        CHECK_SAME(k::array<T>(make()).to_host(), own);
        CHECK_SAME(k::array<T>(make()).to_host(), own);
    }

    template <class T>
    static void check_type() {
        CAPTURE(static_cast<int>(k::type_of<T>));
        std::mt19937 random(11);
        const k::array<T> a = small<T>(random, {65, 48});
        const k::array<T> b = small<T>(random, {48, 33});
        const k::array<T> at = small<T>(random, {48, 65});
        const k::array<T> bt = small<T>(random, {33, 48});
        const k::array<T> as = small<T>(random, {3, 65, 48});
        const k::array<T> bs = small<T>(random, {3, 48, 33});
        check_exact<T>([&] { return k::matmul(a, b); });
        check_exact<T>([&] { return k::matmul(k::transpose(at), b); });
        check_exact<T>([&] { return k::matmul(a, k::transpose(bt)); });
        check_exact<T>([&] { return k::matmul(k::transpose(at), k::transpose(bt)); });
        check_exact<T>([&] { return k::matmul(as, bs); });
        check_exact<T>([&] { return k::matmul(a, bs); });
        check_exact<T>([&] { return k::matmul(as, b); });
        check_exact<T>([&] { return k::matmul(a, k::transpose(bt)) * T(2) + a(0, 0); });
        // Addresses that are multiples of an element's size alone.
        check_exact<T>([&] { return k::matmul(a(k::all, k::range(1, 48)), b(k::range(1, 48), k::all)); });
        check_exact<T>(
            [&] { return k::matmul(a(k::range(1, 65), k::range(0, 47)), b(k::range(0, 47), k::range(1, 33))); });
    }
};

}  // namespace

TEST_CASE("with options.library products of integers are what they are without it") {
    ByLibrary::check_type<float>();
    ByLibrary::check_type<double>();
    ByLibrary::check_type<std::complex<float>>();
    ByLibrary::check_type<std::complex<double>>();
    ByLibrary::check_type<k::float16>();
    ByLibrary::check_type<k::bfloat16>();
}

TEST_CASE("with options.library products of floats are as exact as sums in float are") {
    const std::int64_t rows = 129;
    const std::int64_t terms = 1000;
    const std::int64_t columns = 67;
    std::mt19937 random(12);
    const std::vector<float> a = random_numbers<float>(random, {rows, terms}).to_host();
    const std::vector<float> b = random_numbers<float>(random, {terms, columns}).to_host();
    const k::scoped_options on(by_library);
    const std::vector<float> got =
        k::array<float>(k::matmul(k::from_host<float>(a, {rows, terms}), k::from_host<float>(b, {terms, columns})))
            .to_host();
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
            double sum = 0;
            double size = 0;
            for (std::int64_t l = 0; l < terms; ++l) {
                const double product = static_cast<double>(a[static_cast<std::size_t>(i * terms + l)]) *
                                       static_cast<double>(b[static_cast<std::size_t>(l * columns + j)]);
                sum += product;
                size += std::fabs(product);
            }
            const auto here = static_cast<double>(got[static_cast<std::size_t>(i * columns + j)]);
            wrong += !(std::fabs(here - sum) <= static_cast<double>(terms) * 0x1p-24 * size);
        }
    CHECK(wrong == 0);
}

TEST_CASE("with options.library NaN and infinity come through, and what reads the product is evaluated after it") {
    std::mt19937 random(13);
    std::vector<float> numbers = random_numbers<float>(random, {32, 32}).to_host();
    numbers[5] = std::numeric_limits<float>::quiet_NaN();
    numbers[40] = std::numeric_limits<float>::infinity();
    const k::array<float> a = k::from_host<float>(numbers, {32, 32});
    const k::array<float> ones = k::ones<float>({32, 32});
    const k::scoped_options on(by_library);
    const std::vector<float> got = k::array<float>(k::matmul(a, ones) * 2.0f + 1.0f).to_host();
    CHECK(std::isnan(got[0]));
    CHECK(got[32] == std::numeric_limits<float>::infinity());
    CHECK(std::isfinite(got[64]));
}

TEST_CASE("with options.library a fused function and a recorded loop multiply by it, too") {
    std::mt19937 random(14);
    const k::array<float> a = ByLibrary::small<float>(random, {40, 40});
    const auto step = [](const auto& x, const auto& y) { return k::matmul(x, y) - k::matmul(y, x); };
    const std::vector<float> own = k::array<float>(step(a, k::array<float>(k::transpose(a)))).to_host();
    const auto fused = k::fuse(step);
    const k::array<float> other = k::transpose(a);
    CHECK_SAME(k::array<float>(fused(a, other)).to_host(), own);
    {
        const k::scoped_options on(by_library);
        CHECK_SAME(k::array<float>(fused(a, other)).to_host(), own);
        k::array<float> state = k::ones<float>({40, 40});
        k::array<float> expected = k::ones<float>({40, 40});
        k::graph loop({&state}, [&] { state = k::matmul(a, state) * 0.0625f; });
        for (int i = 0; i < 4; ++i) {
            loop();
            expected = k::matmul(a, expected) * 0.0625f;
        }
        CHECK_SAME(state.to_host(), expected.to_host());
    }
    CHECK_SAME(k::array<float>(fused(a, other)).to_host(), own);
}

namespace {

const std::string says_who_multiplies = "child: multiplies on the CPU with options.library, and tells who does";

}  // namespace

TEST_CASE(
    "KILN_BLAS names the library that multiplies on the CPU, or none; what cannot be loaded is told, and done "
    "without") {
    const tests::temporary_folder folder;
    const std::string nothing = folder.path() + "/libblas.so";
    const std::string cache = folder.path() + "/cache";
    const auto run = [&](const char* blas) {
        return tests::run_child(says_who_multiplies, {{"KILN_DEVICE", "cpu"},
                                                      {"KILN_CPU", "interpret"},
                                                      {"KILN_CACHE_DIR", cache.c_str()},
                                                      {"KILN_BLAS", blas}});
    };
    const tests::child_result without = run("0");
    CAPTURE(without.output);
    CHECK(without.exit_status == 0);
    CHECK(without.output.find("library: 0") != std::string::npos);
    const tests::child_result wrong = run(nothing.c_str());
    CAPTURE(wrong.output);
    CHECK(wrong.exit_status == 0);
    CHECK(wrong.output.find("library: 0") != std::string::npos);
    CHECK(wrong.output.find("KILN_BLAS: " + nothing + " is not loaded") != std::string::npos);
    const tests::child_result found = run(nullptr);
    CAPTURE(found.output);
    CHECK(found.exit_status == 0);
    if (found.output.find("library: 1") == std::string::npos) MESSAGE("not tried: there is no BLAS here");
}

TEST_CASE("child: multiplies on the CPU with options.library, and tells who does" * doctest::skip()) {
    const k::scoped_options on(by_library);
    const k::array<float> a = k::from_host<float>({1, 2, 3, 4}, {2, 2});
    CHECK(k::array<float>(k::matmul(a, a)).to_host() == std::vector<float>{7, 10, 15, 22});
    std::printf("library: %d\n", ByLibrary::is_made_by_library(k::matmul(a, a)) ? 1 : 0);
}
