// Reductions of rows and what is made of them, on the CPU: compiled kernels against hand-written loops on the same threads
// of a pool like kiln's. A softmax and a layer's norm, of long rows and of short ones; places of rows' largest, variances; distances
// of all pairs of points, products of matrices, gray of colours.
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

void measure_reduced(cpu_rows& rows, std::int64_t count, std::int64_t length) {
    const k::array<float> m = k::random::normal<float>({count, length}, 2);
    const std::string of = k::text::format(" of rows, {} x {}", count, length);
    k::array<std::int64_t> at = k::zeros<std::int64_t>({count});
    rows.add(
        "argmax" + of, at, [&] { at = k::argmax(m, k::axis(1)); }, count, 1,
        [=, from = m.data()](std::int64_t* to, std::int64_t begin, std::int64_t end) {
            largest_of_rows(to, from, length, begin, end);
        });
    k::array<float> y = k::zeros<float>({count});
    rows.add(
        "variance" + of, y, [&] { y = k::var(m, k::axis(1)); }, count, 1,
        [=, from = m.data()](float* to, std::int64_t begin, std::int64_t end) {
            variance_of_rows(to, from, length, begin, end);
        },
        {.relative = 1e-5});
}

void measure_pairs(cpu_rows& rows, std::int64_t points) {
    const k::array<float> a = k::random::normal<float>({points, 8}, 3), b = k::random::normal<float>({points, 8}, 4);
    k::array<float> y = k::zeros<float>({points, points});
    rows.add(
        k::text::format("squared distances, {} x {}", points, points), y,
        [&] {
            const auto apart = a(k::all, k::newaxis, k::all) - b(k::newaxis, k::all, k::all);
            y = k::sum(apart * apart, k::axis(2));
        },
        points, 1,
        [=, of_a = a.data(), of_b = b.data()](float* to, std::int64_t begin, std::int64_t end) {
            squared_distances(to, of_a, of_b, points, begin, end);
        },
        {.relative = 1e-5});
}

void measure_products(cpu_rows& rows, std::int64_t edge) {
    const k::array<float> a = k::random::normal<float>({edge, edge}, 5), b = k::random::normal<float>({edge, edge}, 6);
    k::array<float> y = k::zeros<float>({edge, edge});
    rows.add(
        k::text::format("product, {} x {}", edge, edge), y, [&] { y = k::matmul(a, b); }, edge, 1,
        [=, of_a = a.data(), of_b = b.data()](float* to, std::int64_t begin, std::int64_t end) {
            product_of_matrices(to, of_a, of_b, edge, begin, end);
        },
        {.relative = 1e-4, .absolute = 1e-3});  // of sums near 0
    const k::array<float> x = k::random::normal<float>({edge}, 7);
    k::array<float> z = k::zeros<float>({edge});
    rows.add(
        k::text::format("transposed times vector, {} x {}", edge, edge), z, [&] { z = k::matmul(k::transpose(a), x); },
        edge, 64,
        [=, of_a = a.data(), of_x = x.data()](float* to, std::int64_t begin, std::int64_t end) {
            transposed_times_vector(to, of_a, of_x, edge, begin, end);
        },
        {.relative = 1e-4, .absolute = 1e-3});
}

void measure_gray(cpu_rows& rows, std::int64_t pixels) {
    const k::array<std::uint8_t> rgb = k::reshape(k::cast<std::uint8_t>(k::arange<int>(3 * pixels) % 256), {pixels, 3});
    const k::array<float> weights = k::from_host<float>({0.299f, 0.587f, 0.114f}, {3});
    k::array<float> y = k::zeros<float>({pixels});
    rows.add(
        k::text::format("gray, {} pixels", pixels), y, [&] { y = k::sum(k::cast<float>(rgb) * weights, k::axis(1)); },
        pixels, 4096,
        [from = rgb.data(), by = weights.data()](float* to, std::int64_t begin, std::int64_t end) {
            gray(to, from, by, begin, end);
        },
        {.relative = 1e-5});
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
    measure_rows(rows, edge * edge / 32, 32);
    measure_reduced(rows, edge, edge);
    measure_pairs(rows, edge / 2);
    measure_products(rows, edge / 128 * 32);  // of whole tiles
    measure_gray(rows, edge * edge / 8);
    const int status = out.finish();
    return rows.right() ? status : 1;
} catch (const std::exception& trouble) {
    return kiln::bench::fail("cpu_reductions", trouble);
}
