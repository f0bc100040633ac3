// Softmax and a layer's norm over the rows of a matrix: programs whose every element needs its whole row, twice.
//
//     softmax [rows [columns]]
//
// Written as the formulas are. On a GPU each is one kernel: a row stays in registers from the first reduction over it to what
// is stored, and is read once. Beside it, the same as one kernel for each operator: what fusing saves.
#include "measure.hpp"

#include <cmath>
#include <cstdint>

namespace k = kiln;

namespace {

k::expr<float> softmax(const k::array<float>& m) {
    const auto e = k::exp(m - k::max(m, k::axis(1), k::keep_dims));
    return e / k::sum(e, k::axis(1), k::keep_dims);
}

k::expr<float> layer_norm(const k::array<float>& m, const k::array<float>& scale, const k::array<float>& offset) {
    const auto centred = m - k::mean(m, k::axis(1), k::keep_dims);
    const auto variance = k::mean(k::square(centred), k::axis(1), k::keep_dims);
    return centred * k::rsqrt(variance + 1e-5f) * scale + offset;
}

template <class Make>
void show(const char* name, std::int64_t elements, Make make) {
    k::array<float> result;
    const k::counters before = k::counters::now();
    const double first_ms = milliseconds([&] { result = make(); });
    const k::counters cost = k::counters::now() - before;
    const double ms = median_milliseconds([&] { result = make(); });
    double apart_ms = 0;
    {
        const k::scoped_options apart({.fuse = false});
        apart_ms = median_milliseconds([&] { result = make(); });
    }
    const double bytes = 8.0 * static_cast<double>(elements);
    fmt::print(
        "{:<12}{} kernels; first {:.1f} ms ({} compiled), then {:.3f} ms, {:.0f} GB/s; one kernel per operator {:.3f} "
        "ms\n",
        name, cost.launches, first_ms, cost.compiles, ms, bytes / ms * 1e-6, apart_ms);
}

void run(std::int64_t rows, std::int64_t columns) {
    fmt::print("{} rows of {} floats on {}\n\n", rows, columns, device_text());
    const k::array<float> m = k::random::normal<float>({rows, columns}, 7);
    const k::array<float> scale = k::linspace<float>(0.5f, 1.5f, columns);
    const k::array<float> offset = k::linspace<float>(-1.0f, 1.0f, columns);
    show("softmax", m.size(), [&] { return softmax(m); });
    show("layer norm", m.size(), [&] { return layer_norm(m, scale, offset); });
    if (k::current_device().is_cuda() && columns <= 8192)
        check(k::explain(softmax(m)).kernels.size() == 1, "softmax is one kernel");

    const std::vector<float> in = m.to_host();
    const std::vector<float> out = k::array<float>(softmax(m)).to_host();
    const std::vector<float> normed = k::array<float>(layer_norm(m, scale, offset)).to_host();
    const std::vector<float> by = scale.to_host();
    const std::vector<float> plus = offset.to_host();
    double worst = 0;
    double worst_norm = 0;
    for (std::int64_t row = 0; row < std::min<std::int64_t>(rows, 100); ++row) {
        const auto at = [&](std::int64_t i) { return static_cast<std::size_t>(row * columns + i); };
        double largest = in[at(0)];
        double total = 0;
        double mean = 0;
        double squares = 0;
        for (std::int64_t i = 0; i < columns; ++i) largest = std::max(largest, static_cast<double>(in[at(i)]));
        for (std::int64_t i = 0; i < columns; ++i) total += std::exp(in[at(i)] - largest), mean += in[at(i)];
        mean /= static_cast<double>(columns);
        for (std::int64_t i = 0; i < columns; ++i) squares += (in[at(i)] - mean) * (in[at(i)] - mean);
        const double by_deviation = 1 / std::sqrt(squares / static_cast<double>(columns) + 1e-5);
        for (std::int64_t i = 0; i < columns; ++i) {
            const double expected = std::exp(in[at(i)] - largest) / total;
            worst = std::max(worst, std::fabs(out[at(i)] - expected) / expected);
            const auto column = static_cast<std::size_t>(i);
            worst_norm = std::max(
                worst_norm, std::fabs(normed[at(i)] - ((in[at(i)] - mean) * by_deviation * by[column] + plus[column])));
        }
    }
    check(worst < 1e-5, "softmax of 100 rows, against double");
    check(worst_norm < 1e-4, "the layer's norm of them");
}

}  // namespace

int main(int argc, char** argv) try {
    const bool on_gpu = k::current_device().is_cuda();
    run(argc > 1 ? std::atoll(argv[1]) : on_gpu ? 8192 : 1024, argc > 2 ? std::atoll(argv[2]) : on_gpu ? 8192 : 1024);
    return 0;
} catch (const std::exception& trouble) {
    fmt::print(stderr, "softmax: {}\n", trouble.what());
    return 1;
}
