// How near explain()'s predictions are to what a profile measures, and how often advise() names the device that wins. With
// --page FILE, the page of a profile of all kinds of kernels, as the manual shows it.
#include "support.hpp"

#include <kiln/kiln.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

/// Reads more than the caches hold, so that what is measured next comes from memory, as where arrays take turns.
void empty_caches() {
    static const k::array<float> more(k::zeros<float>({k::current_device().is_cuda() ? 1 << 26 : 1 << 24}));
    static_cast<void>(k::max(more).item());
}

/// The kernels of one evaluation together: predicted, and the median of what was measured.
struct both {
    double predicted_ns = 0;
    double measured_ns = 0;
};

template <class Evaluate, class Explain>
both compare(Evaluate evaluate, Explain explain) {
    constexpr int rounds = 9;
    evaluate();
    both out;
    for (const k::kernel_explanation& each : explain().kernels) out.predicted_ns += each.predicted.ns;
    std::vector<double> measured;
    for (int i = 0; i < rounds; ++i) {
        empty_caches();
        const k::profile seen(k::profile_scope::this_thread);
        evaluate();
        double ns = 0;
        for (const k::profile_event& each : seen.events())
            if (each.what == k::profiled::kernel) ns += static_cast<double>(each.run_ns);
        measured.push_back(ns);
    }
    std::sort(measured.begin(), measured.end());
    out.measured_ns = measured[measured.size() / 2];
    return out;
}

class predictions {
public:
    explicit predictions(report& into) : out_(into) {}

    template <class Evaluate, class Explain>
    void add(const std::string& name, Evaluate evaluate, Explain explain) {
        const both seen = compare(evaluate, explain);
        const double ratio = seen.predicted_ns / seen.measured_ns;
        errors_.push_back(std::abs(ratio - 1));
        const double us = seen.measured_ns * 1e-3;
        out_.add({name, {us, us, us}, "us", summary{ratio, ratio, ratio}, "of it predicted"});
    }
    void finish() {
        const summary all = summarize(errors_);
        out_.add({"the median error of predictions",
                  {all.median, all.median, all.median},
                  "",
                  {},
                  {},
                  limit{limit::side::at_most, 0.10}});
        out_.add({"the largest", {all.high, all.high, all.high}, "", {}, {}, limit{limit::side::at_most, 0.25}});
    }

private:
    report& out_;
    std::vector<double> errors_;
};

template <class T>
k::array<T> filled(std::int64_t count, T value) {
    return k::array<T>(k::full<T>({count}, value));
}

/// Not all the same: a division of 0, what a row of equals less its mean is, takes a GPU several times as long as another.
template <class T>
k::array<T> spread(const k::shape& extents, T low, T high) {
    return k::array<T>(k::random::uniform<T>(extents, 7) * (high - low) + low);
}

void predict_chains(predictions& out, std::int64_t count) {
    const std::string size = k::text::format(", {} M elements", count >> 20);
    const auto x = spread<float>({count}, 1.0f, 2.0f);
    const auto y = spread<float>({count}, 0.25f, 0.75f);
    auto z = filled<float>(count, 0.0f);
    const auto d = spread<double>({count / 2}, 1.0, 2.0);
    auto e = filled<double>(count / 2, 0.0);
    const auto n = filled<std::int32_t>(count, 3);
    auto m = filled<std::int32_t>(count, 0);
#define KILN_CHAIN(name, to, ...) \
    out.add(                      \
        name + size, [&] { to = __VA_ARGS__; }, [&] { return k::explain(__VA_ARGS__); })
    KILN_CHAIN("x + x + x + x + x", z, x + x + x + x + x);
    KILN_CHAIN("x * 2 + y", z, x * 2.0f + y);
    KILN_CHAIN("sqrt(x * x + y * y)", z, k::sqrt(x * x + y * y));
    KILN_CHAIN("where(x > y, x, y) / y", z, k::where(x > y, x, y) / y);
    KILN_CHAIN("exp(-x * x)", z, k::exp(-x * x));
    KILN_CHAIN("sigmoid(x) * y", z, k::sigmoid(x) * y);
    KILN_CHAIN("gelu(x)", z, k::gelu(x));
    KILN_CHAIN("sin(x) * cos(y)", z, k::sin(x) * k::cos(y));
    KILN_CHAIN("a polynomial of degree 8", z,
               ((((((((x * 0.1f + 0.2f) * x + 0.3f) * x + 0.4f) * x + 0.5f) * x + 0.6f) * x + 0.7f) * x + 0.8f) * x));
    KILN_CHAIN("Adam's step", z, x - 0.001f * (0.9f * x + 0.1f * y) / (k::sqrt(0.999f * x + 0.001f * y * y) + 1e-8f));
    KILN_CHAIN("doubles: d * d + d", e, d * d + d);
    KILN_CHAIN("doubles: exp(d)", e, k::exp(d));
    KILN_CHAIN("integers: (n ^ 5) + n * 3", m, (n ^ 5) + n * 3);
    KILN_CHAIN("fill", z, k::full<float>({count}, 2.0f) + 0.0f);
#undef KILN_CHAIN
}

template <class E>
void predict_new(predictions& out, const std::string& name, const E& e) {
    out.add(
        name, [&] { const k::array<k::value_t<E>> made(e); }, [&] { return k::explain(e); });
}

void predict_rows(predictions& out, std::int64_t rows, std::int64_t columns) {
    const std::string size = k::text::format(", {} x {}", rows, columns);
    const k::array<float> m = spread<float>({rows, columns}, 0.0f, 1.0f);
    const auto last = k::axis(1);
    predict_new(out, "softmax" + size,
                k::exp(m - k::max(m, last, k::keep_dims)) /
                    k::sum(k::exp(m - k::max(m, last, k::keep_dims)), last, k::keep_dims));
    predict_new(out, "layer norm" + size,
                (m - k::mean(m, last, k::keep_dims)) / k::sqrt(k::var(m, last, k::keep_dims) + 1e-5f));
    predict_new(out, "sums of rows" + size, k::sum(m * m, last));
    predict_new(out, "largest of rows" + size, k::max(m, last));
    predict_new(out, "sums of columns" + size, k::sum(m, k::axis(0)));
    predict_new(out, "less the mean" + size, m - k::mean(m, last, k::keep_dims));
}

void predict_totals(predictions& out, std::int64_t count) {
    const std::string size = k::text::format(", {} M elements", count >> 20);
    const auto x = spread<float>({count}, 1.0f, 2.0f);
    const auto y = spread<float>({count}, 0.25f, 0.75f);
    predict_new(out, "sum" + size, k::sum(x));
    predict_new(out, "a dot product" + size, k::sum(x * y));
    predict_new(out, "a distance" + size, k::sqrt(k::sum((x - y) * (x - y))));
    predict_new(out, "max" + size, k::max(x));
    predict_new(out, "mean of squares" + size, k::mean(x * x));
    predict_new(out, "cross entropy" + size, k::sum(-y * k::log(x)));
}

// --- advice

double median_us(const std::function<void()>& work) {
    std::vector<double> us;
    for (int i = 0; i < 6; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        if (i > 0)  // the first finds its kernel
            us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
    }
    return summarize(us).median;
}

k::expr<float> with_functions(const k::expr<float>& x, int count) {
    k::expr<float> e = x;
    for (int i = 0; i < count; ++i) e = k::exp(-e);
    return e + 1.0f;
}

/// Says of cells whether advise() names the winner.
class advice_grid {
public:
    explicit advice_grid(report& into) : out_(into) {}

    /// `evaluate` does on the thread's device what `says` is about.
    void add(const std::string& what, const k::advice& says, const std::function<void()>& evaluate) {
        const auto on = [&](const k::device& which) {
            const k::scoped_device here(which);
            return median_us(evaluate);
        };
        const double cpu_us = on(k::cpu);
        const double gpu_us = on(k::devices()[1]);
        const bool is_right = says.gpu_wins == (gpu_us < cpu_us);
        // Where both take about as long, either is right.
        const bool is_tie = std::abs(std::log(gpu_us / cpu_us)) < std::log(1.1);
        right_ += is_right || is_tie;
        ++cells_;
        const double ratio = cpu_us / gpu_us;
        const double predicted = says.cpu_ns / says.gpu_ns();
        out_.add({what + ": CPU / GPU",
                  {ratio, ratio, ratio},
                  "x",
                  summary{predicted, predicted, predicted},
                  "x predicted",
                  {},
                  k::text::format("{}: {:.0f} of {:.0f} us predicted, {:.0f} of {:.0f}",
                                  is_right ? "right"
                                  : is_tie ? "a tie"
                                           : "WRONG",
                                  says.cpu_ns / 1e3, cpu_us, says.gpu_ns() / 1e3, gpu_us)});
    }
    void finish() {
        const double share = static_cast<double>(right_) / cells_;
        out_.add({"cells in which advise() names the winner",
                  {share, share, share},
                  "",
                  {},
                  {},
                  limit{limit::side::at_least, 0.9}});
    }

private:
    report& out_;
    int right_ = 0;
    int cells_ = 0;
};

void advise_grid(report& out) {
    advice_grid cells(out);
    for (const std::int64_t count : {1 << 10, 1 << 13, 1 << 16, 1 << 19, 1 << 22, 1 << 25}) {
        const std::vector<float> data(static_cast<std::size_t>(count), 0.5f);
        std::vector<float> result(data.size());
        // Page-locked where the thread's device is the GPU, which it is here.
        const k::host_array<float> streamed(data, {count});
        k::host_array<float> streamed_result({count});
        for (const int functions : {0, 2, 8, 32, 128}) {
            const std::string size = k::text::format("{} floats, {} functions", count, functions);
            const k::expr<float> e = with_functions(k::wrap(data.data(), {count}), functions);
            cells.add(size + ", pageable", k::advise(e), [&] { k::array<float>(e).copy_to(result); });
            const k::expr<float> of_streamed = with_functions(k::expr<float>(streamed), functions);
            cells.add(size + ", streamed", k::advise(of_streamed), [&] { streamed_result = of_streamed; });
        }
    }
    cells.finish();
}

// --- a profile to look at

void write_page(const std::string& path) {
    constexpr std::int64_t edge = 4096;
    const k::array<float> m(k::full<float>({edge, edge}, 0.5f));
    const auto x = filled<float>(edge * edge, 1.5f);
    auto y = filled<float>(edge * edge, 0.5f);
    const auto last = k::axis(1);
    const k::profile seen;
    for (int i = 0; i < 10; ++i) {
        y = k::label("five x", x + x + x + x + x);
        const k::array<float> softmax(
            k::label("softmax", k::exp(m - k::max(m, last, k::keep_dims)) /
                                    k::sum(k::exp(m - k::max(m, last, k::keep_dims)), last, k::keep_dims)));
        const k::array<float> waves(k::label("waves", k::sin(x) * k::exp(-y)));
        const k::array<double> wide(k::label("doubles", k::exp(k::cast<double>(x)) / 3.0));
        const k::array<float> sums(k::label("sums of rows", k::sum(m * m, last)));
        const k::array<float> running(k::label("running sums", k::cumsum(m, last)));
        const std::vector<float> back = sums.to_host();
    }
    k::synchronize();
    seen.write_html(path);
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    const k::device here = k::current_device();
    const k::device_rates rates = k::measure(here);
    report out("prediction", k::text::format("{}; {}", rates.device, processor()), given);
    std::fputs((k::to_string(rates) + "\n").c_str(), stdout);
    predictions seen(out);
    for (const std::int64_t elements :
         given.has("--quick") ? std::vector<std::int64_t>{1 << 22} : std::vector<std::int64_t>{1 << 23, 1 << 26}) {
        predict_chains(seen, elements);
        predict_totals(seen, elements);
        predict_rows(seen, elements >> 10, 1 << 10);
        predict_rows(seen, elements >> 13, 1 << 13);
    }
    seen.finish();
    if (here.is_cuda()) advise_grid(out);
    if (const std::string page = given.text("--page", ""); !page.empty()) write_page(page);
    if (!here.is_cuda()) out.note("advice is not measured: there is no GPU here");
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("prediction", trouble);
}
