// Columns, and rows that columns are made of, on the CPU: each beside what of it has to be done anyway, by kiln too. A softmax over a
// middle axis takes an exponential of each element; the gradient of a logistic regression reads its rows once for their products.
#include "support.hpp"

#include <kiln/kiln.hpp>

#include <chrono>
#include <complex>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

void add(report& out, int rounds, const std::string& what, const std::string& part, std::optional<double> at_most,
         const std::function<void()>& whole, const std::function<void()>& needed) {
    std::vector<contender> contenders(2);
    const auto timed = [](const std::function<void()>& run) {
        return [run] {
            const auto start = std::chrono::steady_clock::now();
            run();
            k::synchronize();
            return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        };
    };
    contenders[0].measure = timed(needed);
    contenders[1].measure = timed(whole);
    take_turns(contenders, rounds);
    out.add({.what = part, .value = summarize(contenders[0].values), .unit = "ms"});
    out.add({.what = what,
             .value = summarize(contenders[1].values),
             .unit = "ms",
             .compared = ratio(contenders[1], contenders[0]),
             .compared_with = "x " + part,
             .must_be =
                 at_most ? std::optional(limit{limit::side::at_most, *at_most, limit::subject::ratio}) : std::nullopt});
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    ::setenv("KILN_DEVICE", "cpu", 1);
    ::setenv("KILN_CPU", "compile", 1);
    const std::int64_t edge = given.number("--edge", 1024);
    const int rounds = static_cast<int>(given.number("--rounds", 15));
    report out("cpu_columns", k::text::format("{}; 4 x {} x {}", processor(), edge, edge), given);
    if (!k::current_device().describe().compiles) {
        out.note("not measured: there is no host compiler");
        return out.finish();
    }
    using k::axis, k::keep_dims;
    const k::array<float> x = k::random::normal<float>({4, edge, edge}, 1);
    k::array<float> y = k::zeros<float>({4, edge, edge});
    add(
        out, rounds, "softmax over a middle axis", "exp", 2.5,
        [&] {
            const auto e = k::exp(x - k::max(x, axis(1), keep_dims));
            y = e / k::sum(e, axis(1), keep_dims);
        },
        [&] { y = k::exp(x); });
    const std::int64_t samples = 4 * edge * edge / 32;
    const k::array<float> features = k::random::uniform<float>({samples, 32}, 2);
    const k::array<float> weights = k::random::uniform<float>({32}, 3);
    const k::array<float> label = k::random::uniform<float>({samples}, 4);
    k::array<float> gradient = k::zeros<float>({32});
    k::array<float> products = k::zeros<float>({samples});
    add(
        out, rounds, "gradient of a logistic regression", "products of its rows", 1.9,
        [&] {
            const auto guess = k::sigmoid(k::sum(features * weights, axis(1), keep_dims));
            gradient = k::mean((guess - label(k::all, k::newaxis)) * features, axis(0));
        },
        [&] { products = k::sum(features * weights, axis(1)); });
    const std::int64_t half = 2 * edge * edge;
    using complex = std::complex<float>;
    const k::array<float> re = k::random::uniform<float>({half}, 5);
    const k::array<float> im = k::random::uniform<float>({half}, 6);
    const k::array<complex> z = k::cast<complex>(re) + complex(0, 1) * k::cast<complex>(im);
    const k::array<complex> w = k::cast<complex>(im) + complex(0, 1) * k::cast<complex>(re);
    k::array<complex> product = k::zeros<complex>({half});
    add(
        out, rounds, "complex product where z is small", "complex product", {},  // 1.4; of g++ 13, which branches, 7
        [&] { product = k::where(k::square(k::real(z)) + k::square(k::imag(z)) < 0.5f, z * w, z); },
        [&] { product = z * w; });
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("cpu_columns", trouble);
}
