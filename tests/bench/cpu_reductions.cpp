// Reductions of rows and what is made of them, on the CPU: compiled kernels against hand-written loops on the same threads
// of a pool like kiln's. A softmax and a layer's norm, of long rows and of short ones.
#include "cpu_rows.hpp"
#include "hand_written.hpp"
#include "support.hpp"

#include <kiln/kiln.hpp>

#include <cstdlib>
#include <string>

namespace {

namespace k = kiln;
using namespace kiln::bench;

void measure_rows(cpu_rows& rows, std::int64_t count, std::int64_t length) {
    const k::array<float> m = k::random::normal<float>({count, length}, 1);
    k::array<float> y = k::zeros<float>({count, length});
    const auto over = k::axis(1);
    const std::string of = k::text::format(", {} x {}", count, length);
    rows.add(
        "softmax" + of, y,
        [&] {
            const auto e = k::exp(m - k::max(m, over, k::keep_dims));
            y = e / k::sum(e, over, k::keep_dims);
        },
        count, 1,
        [=, from = m.data()](float* to, std::int64_t begin, std::int64_t end) {
            softmax_of_rows(to, from, length, begin, end);
        },
        {.relative = 1e-5});
    rows.add(
        "layer norm" + of, y,
        [&] {
            const auto centred = m - k::mean(m, over, k::keep_dims);
            y = centred / k::sqrt(k::mean(centred * centred, over, k::keep_dims) + 1e-5f);
        },
        count, 1,
        [=, from = m.data()](float* to, std::int64_t begin, std::int64_t end) {
            layer_norm_of_rows(to, from, length, begin, end);
        },
        {.relative = 1e-5, .absolute = 1e-5});  // next to the mean
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    ::setenv("KILN_DEVICE", "cpu", 1);
    ::setenv("KILN_CPU", "compile", 1);
    const std::int64_t edge = given.number("--edge", 4096);
    report out("cpu_reductions", k::text::format("{}; matrices of {} x {}", processor(), edge, edge), given);
    if (!k::current_device().describe().compiles) {
        out.note("not measured: there is no host compiler");
        return out.finish();
    }
    cpu_rows rows(out, static_cast<int>(given.number("--rounds", 11)));
    measure_rows(rows, edge, edge);
    measure_rows(rows, edge * edge / 1000, 1000);
    measure_rows(rows, edge * edge / 100, 100);
    measure_rows(rows, 1000, 100);
    const int status = out.finish();
    return rows.right() ? status : 1;
} catch (const std::exception& trouble) {
    return kiln::bench::fail("cpu_reductions", trouble);
}
