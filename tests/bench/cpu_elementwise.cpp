// Element-wise programs on the CPU: compiled kernels against hand-written loops on the same threads of a pool like kiln's.
// Contiguous arrays, broadcasting, a transposed operand, a stencil.
#include "hand_written.hpp"
#include "support.hpp"

#include <launch/thread_pool.hpp>

#include <kiln/kiln.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

/// Exact in a float.
k::array<float> floats(std::int64_t elements, int seed) {
    return k::cast<float>((k::arange<std::int64_t>(elements) + std::int64_t{seed}) % 9973);
}

class cpu_rows {
public:
    cpu_rows(report& out, int rounds) : out_(out), rounds_(rounds) {}

    /// `kiln` computes into y; `by_hand` its rows or elements [begin, end) of `count` into the memory it is given.
    template <class Kiln, class ByHand>
    void add(const std::string& what, k::array<float>& y, Kiln kiln, std::int64_t count, std::int64_t grain,
             ByHand by_hand) {
        std::vector<float> other(static_cast<std::size_t>(y.size()));
        std::vector<contender> contenders(2);
        contenders[0].measure = [&] {
            return milliseconds([&] {
                threads_.parallel_for(count, grain,
                                      [&](std::int64_t begin, std::int64_t end) { by_hand(other.data(), begin, end); });
            });
        };
        contenders[1].measure = [&] {
            return milliseconds([&] {
                kiln();
                y.wait();
            });
        };
        take_turns(contenders, rounds_);
        out_.add({.what = what + ", by hand", .value = summarize(contenders[0].values), .unit = "ms"});
        out_.add({.what = what,
                  .value = summarize(contenders[1].values),
                  .unit = "ms",
                  .compared = ratio(contenders[1], contenders[0]),
                  .compared_with = "x by hand",
                  // As fast: two loops that are the same differ by so much from run to run.
                  .must_be = limit{limit::side::at_most, 1.05, limit::subject::ratio}});
        if (y.to_host() == other) return;
        out_.note("WRONG RESULT: " + what + ": its figures mean nothing");
        right_ = false;
    }

    [[nodiscard]] bool right() const noexcept { return right_; }

private:
    template <class Work>
    static double milliseconds(Work work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }

    report& out_;
    int rounds_;
    bool right_ = true;
    k::launch::thread_pool threads_{k::launch::usable_thread_count()};
};

void measure(cpu_rows& rows, std::int64_t elements, std::int64_t edge) {
    {
        const k::array<float> a = floats(elements, 0);
        const k::array<float> b = floats(elements, 3);
        k::array<float> y = a * 0.0f;
        rows.add(
            "x + y", y, [&] { y = a + b; }, elements, 4096,
            [from_a = a.data(), from_b = b.data()](float* to, std::int64_t begin, std::int64_t end) {
                sum_of_two(to, from_a, from_b, begin, end);
            });
    }
    const k::array<float> m = k::reshape(floats(edge * edge, 0), {edge, edge});
    const k::array<float> row = k::reshape(floats(edge, 3), {1, edge});
    const k::array<float> column = k::reshape(floats(edge, 5), {edge, 1});
    k::array<float> y = m * 0.0f;
    const float* const from = m.data();
    rows.add(
        "row + column + matrix", y, [&] { y = row + column + m; }, edge, 1,
        [=, of_row = row.data(), of_column = column.data()](float* to, std::int64_t begin, std::int64_t end) {
            row_column_matrix(to, of_row, of_column, from, edge, begin, end);
        });
    rows.add(
        "m + transpose(m)", y, [&] { y = m + k::transpose(m); }, edge, 1,
        [=](float* to, std::int64_t begin, std::int64_t end) { plus_transposed(to, from, edge, begin, end); });
    rows.add(
        "5-point stencil", y,
        [&] {
            using k::boundary::clamp;
            y = k::shift(m, {1, 0}, clamp) + k::shift(m, {-1, 0}, clamp) + k::shift(m, {0, 1}, clamp) +
                k::shift(m, {0, -1}, clamp) - 4.0f * m;
        },
        edge, 1,
        [=](float* to, std::int64_t begin, std::int64_t end) { five_point_stencil(to, from, edge, begin, end); });
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    ::setenv("KILN_DEVICE", "cpu", 1);
    ::setenv("KILN_CPU", "compile", 1);
    const std::int64_t elements = given.number("--elements", 33'554'432);
    const std::int64_t edge = given.number("--edge", 4096);
    report out("cpu_elementwise", fmt::format("{}; {} floats, matrices of {} x {}", processor(), elements, edge, edge),
               given);
    if (!k::current_device().compiles) {
        out.note("not measured: there is no host compiler");
        return out.finish();
    }
    cpu_rows rows(out, static_cast<int>(given.number("--rounds", 11)));
    measure(rows, elements, edge);
    const int status = out.finish();
    return rows.right() ? status : 1;
} catch (const std::exception& trouble) {
    return kiln::bench::fail("cpu_elementwise", trouble);
}
