// Contractions on a GPU: products of matrices of 16-bit floats and of floats, and counts of the bits that rows have in common, in
// microseconds, against what was promised of an H200.
#include "gpu.hpp"
#include "support.hpp"

#include <kiln/kiln.hpp>

#include <functional>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

template <class T>
k::array<T> numbers(const k::shape& of, std::uint64_t seed) {
    return k::cast<T>(k::random::uniform<float>(of, seed) - 0.5f);
}

/// Of so many calls together.
summary time(const gpu_stream& stream, int rounds, int calls, const std::function<void()>& once) {
    gpu_stopwatch watch;
    std::vector<double> values;
    for (int round = 0; round <= rounds; ++round) {
        watch.start(stream);
        for (int i = 0; i < calls; ++i) once();
        const double us = watch.stop(stream) / calls;
        if (round > 0) values.push_back(us);
    }
    return summarize(values);
}

struct product_row {
    k::shape a, b;
    double at_most_us = 0;  // 0: nothing was promised
    bool is_turned = false;
};

template <class T>
void add_product(report& out, const gpu_stream& stream, int rounds, const char* type, const product_row& of) {
    const k::array<T> a = numbers<T>(of.a, 1);
    const k::array<T> b = numbers<T>(of.b, 2);
    const k::array<T> turned = k::transpose(b);
    k::array<T> c;
    const double operations = 2.0 * static_cast<double>(of.a.size()) * static_cast<double>(of.b[of.b.rank() - 1]);
    const int calls = operations > 1e11 ? 2 : 10;
    const summary took = time(stream, rounds, calls, [&] {
        if (of.is_turned) c = k::matmul(a, k::transpose(turned));
        else c = k::matmul(a, b);
    });
    figure row{k::text::format("matmul of {} and {}, {}{}", k::to_string(of.a), k::to_string(of.b), type,
                               of.is_turned ? ", the second transposed" : ""),
               took, "us"};
    if (of.at_most_us > 0) row.must_be = limit{limit::side::at_most, of.at_most_us};
    row.remark = k::text::format("{:.1f} TFLOP/s", operations / took.median * 1e-6);
    out.add(std::move(row));
}

/// A layer of a network: one kernel. `of`: rows, terms, columns.
template <class T>
void add_layer(report& out, const gpu_stream& stream, int rounds, const char* type, std::int64_t rows,
               std::int64_t terms, std::int64_t columns) {
    const k::array<T> a = numbers<T>({rows, terms}, 1);
    const k::array<T> b = numbers<T>({terms, columns}, 2);
    const k::array<T> bias = numbers<T>({columns}, 3);
    const k::array<T> scale = numbers<T>({rows, 1}, 4);
    k::array<T> c;
    const double operations = 2.0 * static_cast<double>(rows) * static_cast<double>(terms * columns);
    const summary took = time(stream, rounds, 10, [&] { c = k::max(k::matmul(a, b) + bias, T(0.0f)) * scale; });
    figure row{k::text::format("max(matmul + bias, 0) * scale, {} x {} x {}, {}", rows, terms, columns, type), took,
               "us"};
    row.remark = k::text::format("{:.1f} TFLOP/s", operations / took.median * 1e-6);
    out.add(std::move(row));
}

/// The roots are made by the kernel that adds up the squares.
void add_distances(report& out, const gpu_stream& stream, int rounds, std::int64_t features) {
    const k::array<float> x = numbers<float>({8192, features}, 1);
    const k::array<float> y = numbers<float>({10000, features}, 2);
    k::array<float> distances;
    const summary took = time(stream, rounds, 10,
                              [&] { distances = k::sqrt(k::sum(k::square(x(k::all, k::newaxis) - y), k::axis(2))); });
    figure row{k::text::format("distances of 8192 from 10000 points of {} features", features), took, "us"};
    row.remark = k::text::format("{:.0f} GB/s stored", 8192.0 * 10000 * sizeof(float) / took.median * 1e-3);
    out.add(std::move(row));
}

void add_common_bits(report& out, const gpu_stream& stream, int rounds, std::int64_t rows, std::int64_t words,
                     double at_most_us) {
    const k::array<std::uint32_t> bits =
        k::cast<std::uint32_t>(k::random::integers<std::int64_t>({rows, words}, 0, std::int64_t{1} << 32, /*seed=*/3));
    k::array<std::int32_t> counts;
    figure row{k::text::format("popcount(a & b) of all pairs of {} rows of {} bits", rows, 32 * words),
               time(stream, rounds, 10,
                    [&] {
                        counts = k::cast<std::int32_t>(
                            k::sum(k::popcount(bits(k::all, k::newaxis) & bits(k::newaxis)), k::axis(2)));
                    }),
               "us"};
    row.must_be = limit{limit::side::at_most, at_most_us};
    out.add(std::move(row));
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    report out("gpu_contractions", gpu_name(), given);
    if (!gpu_is_there()) {
        out.note("not measured: no GPU here");
        return out.finish();
    }
    const int rounds = static_cast<int>(given.number("--rounds", 7));
    const gpu_stream stream;
    add_product<k::float16>(out, stream, rounds, "float16", {{1024, 1024}, {1024, 1024}});
    add_product<k::float16>(out, stream, rounds, "float16", {{2048, 2048}, {2048, 2048}});
    add_product<k::float16>(out, stream, rounds, "float16", {{4096, 4096}, {4096, 4096}, 293});
    add_product<k::float16>(out, stream, rounds, "float16", {{4096, 4096}, {4096, 4096}, 0, true});
    add_product<k::float16>(out, stream, rounds, "float16", {{4095, 4095}, {4095, 4095}});
    add_product<k::float16>(out, stream, rounds, "float16", {{4097, 4096}, {4096, 4001}});
    add_product<k::float16>(out, stream, rounds, "float16", {{1023, 1023}, {1023, 1023}});
    // A tile each: 19 and 31 us on an H100, by large tiles 105 and 175 with copies of their rows; stored in pairs where rows begin anywhere 73.
    add_product<k::float16>(out, stream, rounds, "float16", {{8209, 32, 16}, {8209, 16, 32}, 28});
    add_product<k::float16>(out, stream, rounds, "float16", {{8209, 33, 17}, {8209, 17, 35}, 40});
    add_layer<k::float16>(out, stream, rounds, "float16", 4096, 4096, 4096);
    add_layer<k::float16>(out, stream, rounds, "float16", 1024, 1024, 1024);
    add_layer<k::float16>(out, stream, rounds, "float16", 16384, 1024, 1024);
    add_product<k::float16>(out, stream, rounds, "float16", {{8192, 8192}, {8192, 8192}});
    add_product<k::float16>(out, stream, rounds, "float16", {{4096, 4096}, {4096, 512}});
    add_product<k::float16>(out, stream, rounds, "float16", {{32, 512, 512}, {512, 512}});
    add_product<k::bfloat16>(out, stream, rounds, "bfloat16", {{4096, 4096}, {4096, 4096}});
    add_product<float>(out, stream, rounds, "float", {{1024, 1024}, {1024, 1024}});
    add_product<float>(out, stream, rounds, "float", {{4096, 4096}, {4096, 4096}});
    add_layer<float>(out, stream, rounds, "float", 1024, 1024, 1024);
    for (const std::int64_t features : {3, 16, 64}) add_distances(out, stream, rounds, features);
    {
        const k::scoped_options contracted({.fma = true});
        add_product<float>(out, stream, rounds, "float, fma", {{1024, 1024}, {1024, 1024}});
        add_product<float>(out, stream, rounds, "float, fma", {{4096, 4096}, {4096, 4096}});
    }
    {
        const k::scoped_options by_library({.library = true});
        add_product<float>(out, stream, rounds, "float, library", {{1024, 1024}, {1024, 1024}});
        add_product<float>(out, stream, rounds, "float, library", {{4096, 4096}, {4096, 4096}});
        add_product<k::float16>(out, stream, rounds, "float16, library", {{4096, 4096}, {4096, 4096}});
    }
    add_common_bits(out, stream, rounds, 6000, 250, 115);
    add_common_bits(out, stream, rounds, 6001, 250, 135);
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("gpu_contractions", trouble);
}
