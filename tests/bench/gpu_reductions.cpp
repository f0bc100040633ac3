// Reductions on a GPU: sums fused with what feeds them, over all, rows and columns of every shape, several of one array,
// 16-bit floats, rows that are normalised, cumulative sums. Each against a copy on the device of as many bytes as it must read and
// write, in turns with it. A copy reads and writes, which is slower than reading alone: hence limits below 1.
#include "gpu_rows.hpp"

#include <cmath>

namespace {

namespace k = kiln;
using namespace kiln::bench;

/// Exact in a float, and so are sums of a few thousand.
k::array<float> floats(std::int64_t elements, int seed) {
    return k::cast<float>((k::arange<std::int64_t>(elements) + std::int64_t{seed}) % 13);
}

template <class Expression>
void add(gpu_rows& rows, const std::string& what, double bytes, double at_most, Expression expression) {
    using R = k::value_t<decltype(expression())>;
    k::array<R> results[2];
    rows.add({.what = what,
              .bytes = bytes,
              .at_most = at_most,
              .once = [&](int call) { results[call % 2] = expression(); },
              .plan = k::explain(expression())});
}

void add_sums(gpu_rows& rows, std::int64_t elements) {
    const double bytes = static_cast<double>(elements) * sizeof(float);
    const k::array<float> x = floats(elements, 0);
    const k::array<float> y = floats(elements, 5);
    add(rows, "sum((x - y)^2)", 2 * bytes, 0.905, [&] { return k::sum((x - y) * (x - y)); });
    add(rows, "sum(x)", bytes, 1.05, [&] { return k::sum(x); });
    add(rows, "max(x)", bytes, 1.05, [&] { return k::max(x); });
    const auto most = k::reduction<float>("most", -INFINITY, "a", "b", "return a < b ? b : a;");
    add(rows, "the largest, as a user's reduction", bytes, 1.05, [&] { return most(x); });
    add(rows, "argmax(x)", bytes, 1.05, [&] { return k::argmax(x); });
    k::array<float> low;
    k::array<float> high;
    k::array<float> all;
    rows.add({.what = "min(x), max(x), sum(x) in one pass",
              .bytes = bytes,
              .at_most = 1.05,
              .once = [&](int) { std::tie(low, high, all) = k::eval(k::min(x), k::max(x), k::sum(x)); },
              .plan = k::explain(k::min(x), k::max(x), k::sum(x))});
    const k::array<k::float16> h = k::cast<k::float16>(x);
    add(rows, "sum of float16", bytes / 2, 1.05, [&] { return k::sum(h); });
    add(rows, "sum of floats as doubles", bytes, 1.05, [&] { return k::sum(k::cast<double>(x)); });
    const k::array<double> d = k::cast<double>(x);
    add(rows, "sum of doubles", 2 * bytes, 1.05, [&] { return k::sum(d); });
    add(rows, "norm of doubles", 2 * bytes, 1.05, [&] { return k::norm(d); });
}

void add_matrix(gpu_rows& rows, std::int64_t edge) {
    const double plane = static_cast<double>(edge * edge) * sizeof(float);
    const k::array<float> a = k::reshape(floats(edge * edge, 0), {edge, edge});
    const k::array<float> b = k::reshape(floats(edge * edge, 7), {edge, edge});
    add(rows, "sum(a * b, axis(1))", 2 * plane, 0.913, [&] { return k::sum(a * b, k::axis(1)); });
    add(rows, "sum(a * b, axis(0))", 2 * plane, 0.944, [&] { return k::sum(a * b, k::axis(0)); });
    add(rows, "softmax over rows", 2 * plane, 1.052, [&] {
        const auto q = k::exp(a - k::max(a, k::axis(1), k::keep_dims));
        return q / k::sum(q, k::axis(1), k::keep_dims);
    });
}

/// Against a copy: an operand read twice is three passes over memory in place of two.
void add_scans(gpu_rows& rows, std::int64_t elements, std::int64_t edge) {
    const k::array<float> x = floats(elements, 0);
    add(rows, "cumsum(x)", 2.0 * static_cast<double>(elements) * sizeof(float), 1.65, [&] { return k::cumsum(x); });
    const k::array<float> a = k::reshape(floats(edge * edge, 0), {edge, edge});
    for (const int axis : {1, 0})
        add(rows, k::text::format("cumsum(a, axis({}))", axis), 2.0 * static_cast<double>(edge * edge) * sizeof(float),
            axis == 1 ? 1.2 : 1.65, [&] { return k::cumsum(a, k::axis(axis)); });
}

void add_shapes(gpu_rows& rows, std::int64_t scale) {
    for (const k::shape& extents :
         {k::shape{100 * scale, 3}, k::shape{3, 100 * scale}, k::shape{1000, scale / 1000, 100}}) {
        const k::array<float> x = k::reshape(floats(extents.size(), 0), extents);
        for (int axis = 0; axis < extents.rank(); ++axis) {
            const double bytes = static_cast<double>(extents.size() + extents.size() / extents[axis]) * sizeof(float);
            add(rows, k::text::format("sum of {} over axis {}", k::to_string(extents), axis), bytes, 1.15,
                [&] { return k::sum(x, k::axis(axis)); });
        }
    }
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    report out("gpu_reductions", gpu_name(), given);
    if (!gpu_is_there()) {
        out.note("not measured: no GPU here");
        return out.finish();
    }
    const std::int64_t elements = given.number("--elements", std::int64_t{1} << 26);
    const std::int64_t edge = given.number("--edge", 8192);
    const std::int64_t scale = given.number("--scale", 1'000'000);
    const gpu_stream stream;
    gpu_rows rows(out, stream, 1.7e9, static_cast<int>(given.number("--rounds", 15)));
    add_sums(rows, elements);
    add_matrix(rows, edge);
    add_shapes(rows, scale);
    add_scans(rows, elements, edge);
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("gpu_reductions", trouble);
}
