// Element-wise programs on the CPU: compiled kernels against hand-written loops on the same threads of a pool like kiln's.
// Contiguous arrays of one type and of two, broadcasting, transposed operands, shifted ones.
#include "cpu_rows.hpp"
#include "hand_written.hpp"
#include "support.hpp"

#include <kiln/kiln.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

/// Exact in every type that has them.
template <class T>
k::array<T> values(std::int64_t elements, int seed) {
    return k::cast<T>((k::arange<std::int64_t>(elements) + std::int64_t{seed}) % 9973);
}

void measure_contiguous(cpu_rows& rows, std::int64_t elements) {
    const auto add_sum = [&]<class T>(const std::string& what, T) {
        const k::array<T> a = values<T>(elements, 0);
        const k::array<T> b = values<T>(elements, 3);
        k::array<T> y = k::zeros<T>({elements});
        rows.add(
            what, y, [&] { y = a + b; }, elements, 4096,
            [from_a = a.data(), from_b = b.data()](T* to, std::int64_t begin, std::int64_t end) {
                sum_of_two(to, from_a, from_b, begin, end);
            });
    };
    add_sum("x + y", float{});
    add_sum("x + y, double", double{});
    const k::array<std::int32_t> n = values<std::int32_t>(elements, 0);
    const k::array<double> x = values<double>(elements, 5);
    k::array<double> y = k::zeros<double>({elements});
    rows.add(
        "int32 * double", y, [&] { y = n * x; }, elements, 4096,
        [from_n = n.data(), from_x = x.data()](double* to, std::int64_t begin, std::int64_t end) {
            scaled(to, from_n, from_x, begin, end);
        });
}

/// By hand the table is there already.
void measure_bytes(cpu_rows& rows, std::int64_t elements) {
    const k::array<std::uint8_t> x = values<std::uint8_t>(elements, 0);
    k::array<std::uint8_t> y = k::zeros<std::uint8_t>({elements});
    std::vector<std::uint8_t> table;
    for (int i = 0; i < 256; ++i)
        table.push_back(static_cast<std::uint8_t>(std::rint(255 * std::pow(static_cast<float>(i) / 255, 0.4545f))));
    rows.add(
        "gamma correction of bytes", y,
        [&] { y = k::cast<std::uint8_t>(k::rint(255 * k::pow(k::cast<float>(x) / 255, 0.4545f))); }, elements, 4096,
        [table, from = x.data()](std::uint8_t* to, std::int64_t begin, std::int64_t end) {
            looked_up(to, from, table.data(), begin, end);
        },
        {.absolute = 1});
}

void measure_matrices(cpu_rows& rows, std::int64_t edge, const std::string& more) {
    const k::array<float> m = k::reshape(values<float>(edge * edge, 0), {edge, edge});
    const k::array<float> row = k::reshape(values<float>(edge, 3), {1, edge});
    const k::array<float> column = k::reshape(values<float>(edge, 5), {edge, 1});
    k::array<float> y = k::zeros<float>({edge, edge});
    const float* const from = m.data();
    rows.add(
        "row + column + matrix" + more, y, [&] { y = row + column + m; }, edge, 1,
        [=, of_row = row.data(), of_column = column.data()](float* to, std::int64_t begin, std::int64_t end) {
            row_column_matrix(to, of_row, of_column, from, edge, begin, end);
        });
    rows.add(
        "m + transpose(m)" + more, y, [&] { y = m + k::transpose(m); }, edge, 1,
        [=](float* to, std::int64_t begin, std::int64_t end) { plus_transposed(to, from, edge, begin, end); });
    rows.add(
        "5-point stencil" + more, y,
        [&] {
            using k::boundary::clamp;
            y = k::shift(m, {1, 0}, clamp) + k::shift(m, {-1, 0}, clamp) + k::shift(m, {0, 1}, clamp) +
                k::shift(m, {0, -1}, clamp) - 4.0f * m;
        },
        edge, 1,
        [=](float* to, std::int64_t begin, std::int64_t end) { five_point_stencil(to, from, edge, begin, end); });
    rows.add(
        "m + roll(m, 1)" + more, y, [&] { y = m + k::roll(m, 1, k::axis(1)); }, edge, 1,
        [=](float* to, std::int64_t begin, std::int64_t end) { plus_rolled(to, from, edge, begin, end); });
}

void measure_transposed_doubles(cpu_rows& rows, std::int64_t edge) {
    const k::array<double> m = k::reshape(values<double>(edge * edge, 0), {edge, edge});
    k::array<double> y = k::zeros<double>({edge, edge});
    rows.add(
        "m + transpose(m), double", y, [&] { y = m + k::transpose(m); }, edge, 1,
        [=, from = m.data()](double* to, std::int64_t begin, std::int64_t end) {
            plus_transposed(to, from, edge, begin, end);
        });
}

/// An image's colours, points of few coordinates: `columns` elements a row.
template <int columns>
void measure_short_rows(cpu_rows& rows, std::int64_t elements) {
    const std::int64_t count = elements / columns;
    const std::int64_t grain = 4096 / columns;
    const k::array<float> x = k::reshape(values<float>(count * columns, 0), {count, columns});
    const k::array<float> row = k::reshape(values<float>(columns, 3), {1, columns});
    const k::array<float> column = k::reshape(values<float>(count, 5), {count, 1});
    k::array<float> y = k::zeros<float>({count, columns});
    const std::string shape = k::text::format("(n, {})", columns);
    rows.add(
        k::text::format("{} * ({})", shape, columns), y, [&] { y = x * row; }, count, grain,
        [from = x.data(), of_row = row.data()](float* to, std::int64_t begin, std::int64_t end) {
            times_row<columns>(to, from, of_row, begin, end);
        });
    rows.add(
        shape + " * (n, 1)", y, [&] { y = x * column; }, count, grain,
        [from = x.data(), of_column = column.data()](float* to, std::int64_t begin, std::int64_t end) {
            times_column<columns>(to, from, of_column, begin, end);
        });
    rows.add(
        k::text::format("(n, 1) + (1, {})", columns), y, [&] { y = column + row; }, count, grain,
        [of_row = row.data(), of_column = column.data()](float* to, std::int64_t begin, std::int64_t end) {
            column_plus_row<columns>(to, of_column, of_row, begin, end);
        });
    rows.add(
        shape + " less the row before", y,
        [&] {
            y = x - k::shift(x, {1, 0}, k::boundary::clamp);
        },
        count, grain,
        [from = x.data()](float* to, std::int64_t begin, std::int64_t end) {
            steps_between<columns>(to, from, begin, end);
        });
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    ::setenv("KILN_DEVICE", "cpu", 1);
    ::setenv("KILN_CPU", "compile", 1);
    const std::int64_t elements = given.number("--elements", 33'554'432);
    const std::int64_t edge = given.number("--edge", 4096);
    report out("cpu_elementwise",
               k::text::format("{}; {} elements, matrices of {} x {}", processor(), elements, edge, edge), given);
    if (!k::current_device().describe().compiles) {
        out.note("not measured: there is no host compiler");
        return out.finish();
    }
    cpu_rows rows(out, static_cast<int>(given.number("--rounds", 11)));
    measure_bytes(rows, edge * edge);
    measure_contiguous(rows, elements);
    measure_short_rows<3>(rows, elements);
    measure_short_rows<5>(rows, elements);
    measure_matrices(rows, edge, "");
    measure_transposed_doubles(rows, edge);
    // Rows that begin between cache lines.
    measure_matrices(rows, edge - 3, k::text::format(", {}", edge - 3));
    const int status = out.finish();
    return rows.right() ? status : 1;
} catch (const std::exception& trouble) {
    return kiln::bench::fail("cpu_elementwise", trouble);
}
