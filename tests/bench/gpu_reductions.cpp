// Reductions on a GPU: sums fused with what feeds them, over all, rows and columns of every shape, several of one array,
// 16-bit floats, rows that are normalised, cumulative sums, sorts. Each against a copy on the device of as many bytes as it must read and
// write, in turns with it. Reading alone is faster than a copy, by 7% on an H200 and 2% on an H100: two sums are held against the best
// of some dozens of kernels written by hand, whatever the card.
#include "gpu_rows.hpp"
#include "hand_written_sums.hpp"

#include <cmath>
#include <deque>
#include <tuple>

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

/// Kernels written by hand, and what they have been given.
struct hand_written_sums {
    std::deque<gpu_kernel> kernels;
    std::deque<std::vector<const void*>> memory;
    std::deque<std::vector<void*>> parameters;
    std::vector<by_hand> all;

    /// `grid`: blocks, and blocks along the second axis.
    void add(gpu_rows& rows, const sum_variant& how, const std::string& source, std::pair<int, int> grid,
             std::vector<const void*> pointers, std::vector<std::uint32_t*> numbers) {
        const gpu_kernel& kernel = kernels.emplace_back(sum_name, source);
        std::vector<const void*>& held = memory.emplace_back(std::move(pointers));
        std::vector<void*>& given = parameters.emplace_back();
        for (const void*& each : held) given.push_back(&each);
        given.insert(given.end(), numbers.begin(), numbers.end());
        const CUstream stream = rows.stream().handle();
        all.push_back({how.text(),
                       [&kernel, &given, stream, grid, how](int) {
                           kernel.launch(stream, grid.first, how.threads, given.data(), grid.second);
                       },
                       kernel.registers()});
    }
};

/// Times the best kernel by hand: an H100 took 1.017 and 1.011, an H200 0.997 and 1.000.
constexpr double read_alone = 1.03;

void add_distance(gpu_rows& rows, const k::array<float>& x, const k::array<float>& y) {
    k::array<float> sum = k::zeros<float>({}), parts = k::zeros<float>({16384});
    k::array<std::uint32_t> counter = k::zeros<std::uint32_t>({1 + 16384 / 64});
    auto count = static_cast<std::uint32_t>(x.size());
    hand_written_sums written;
    for (const sum_variant& each : distance_variants())
        written.add(rows, each, distance_source(each), {each.blocks, 1},
                    {sum.data(), x.data(), y.data(), parts.data(), counter.data()}, {&count});
    // The measure must do the same work, each of them.
    const float expected = k::array<float>(k::sum((x - y) * (x - y))).item();
    for (const by_hand& each : written.all) {
        each.once(0);
        rows.check(
            "sum((x - y)^2) by hand, " + each.what, sum, [&](std::int64_t) { return expected; },
            [](float got, float wanted) { return std::abs(got - wanted) <= 1e-5f * wanted; });
    }
    k::array<float> results[2];
    rows.add({.what = "sum((x - y)^2)",
              .bytes = 2.0 * static_cast<double>(x.size()) * sizeof(float),
              .at_most = read_alone,
              .against = gpu_program::measure::hand_written,
              .once = [&](int call) { results[call % 2] = k::sum((x - y) * (x - y)); },
              .plan = k::explain(k::sum((x - y) * (x - y))),
              .hand_written = written.all});
}

void add_columns(gpu_rows& rows, const k::array<float>& a, const k::array<float>& b) {
    auto height = static_cast<std::uint32_t>(a.shape()[0]), width = static_cast<std::uint32_t>(a.shape()[1]);
    k::array<float> sums = k::zeros<float>({width}), parts = k::zeros<float>({64, width});
    const int groups = static_cast<int>(width / columns_of_block);
    k::array<std::uint32_t> counters = k::zeros<std::uint32_t>({groups + 1});
    hand_written_sums written;
    for (const sum_variant& each : column_variants())
        if (groups > 0)
            written.add(rows, each, column_source(each), {groups, each.blocks},
                        {sums.data(), a.data(), b.data(), parts.data(), counters.data()}, {&height, &width});
    const std::vector<float> expected = k::array<float>(k::sum(a * b, k::axis(0))).to_host();
    for (const by_hand& each : written.all) {
        each.once(0);
        rows.check("sum(a * b, axis(0)) by hand, " + each.what, sums,
                   [&](std::int64_t i) { return expected[static_cast<std::size_t>(i)]; });
    }
    k::array<float> results[2];
    rows.add({.what = "sum(a * b, axis(0))",
              .bytes = 2.0 * static_cast<double>(a.size()) * sizeof(float),
              .at_most = read_alone,
              .against = gpu_program::measure::hand_written,
              .once = [&](int call) { results[call % 2] = k::sum(a * b, k::axis(0)); },
              .plan = k::explain(k::sum(a * b, k::axis(0))),
              .hand_written = written.all});
}

void add_sums(gpu_rows& rows, std::int64_t elements) {
    const double bytes = static_cast<double>(elements) * sizeof(float);
    const k::array<float> x = floats(elements, 0);
    add_distance(rows, x, floats(elements, 5));
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
    // By fewer threads than sums of such rows have: by as many, an H100 took 2.27 and 2.01 of a copy.
    const k::array<k::float16> odd_halves =
        k::reshape(h(k::range(0, elements / 4099 * 4099)), {elements / 4099, std::int64_t{4099}});
    add(rows, "argmax of rows of 4099 float16", static_cast<double>(odd_halves.size()) * sizeof(k::float16), 1.2,
        [&] { return k::argmax(odd_halves, k::axis(1)); });
    const k::array<std::uint8_t> pixels = k::cast<std::uint8_t>(
        k::reshape(x(k::range(0, elements / 4096 * 4096)), {elements / 4096, std::int64_t{4096}}));
    add(rows, "argmax of rows of 4096 bytes", static_cast<double>(pixels.size()), 1.35,
        [&] { return k::argmax(pixels, k::axis(1)); });
    add(rows, "sum of floats as doubles", bytes, 1.05, [&] { return k::sum(k::cast<double>(x)); });
    const k::array<double> d = k::cast<double>(x);
    add(rows, "sum of doubles", 2 * bytes, 1.05, [&] { return k::sum(d); });
    add(rows, "norm of doubles", 2 * bytes, 1.05, [&] { return k::norm(d); });
    // Every sector is read for a third of it. An H100 took twice as long where each lane had four neighbours in turn.
    const k::array<double> third = k::cast<double>(floats((elements + 2) / 3, 5));
    add(rows, "dot of every third double with others backwards", 2 * bytes * 4 / 3, 1.1,
        [&] { return k::dot(d(k::range(k::range::open, k::range::open, 3)), k::flip(third)); });
}

/// Read once, with sums in double. By hand a total is 1.0 of a copy of as many bytes; an addition in float is 0.96.
void add_statistics(gpu_rows& rows, std::int64_t elements, std::int64_t edge) {
    const double bytes = static_cast<double>(elements) * sizeof(float);
    const k::array<float> x = floats(elements, 0);
    add(rows, "var(x)", bytes, 1.06, [&] { return k::var(x); });
    add(rows, "stddev(x)", bytes, 1.06, [&] { return k::stddev(x); });
    const k::array<float> m = k::reshape(floats(edge * edge, 0), {edge, edge});
    const double plane = static_cast<double>(edge * edge) * sizeof(float);
    for (const int axis : {0, 1})
        add(rows, k::text::format("mean and var, axis({})", axis), plane, 1.15,
            [&, over = k::axis(axis)] { return k::mean(m, over) + k::var(m, over); });
    // Read once, where a cluster's blocks have two splits of each column (132 us on an H200 in two kernels, 72 in one).
    const k::array<double> doubles = k::cast<double>(k::reshape(floats(edge * (edge / 2), 0), {edge, edge / 2}));
    add(rows, "stddev of doubles, axis(0)", static_cast<double>(doubles.size()) * sizeof(double), 1.2,
        [&] { return k::stddev(doubles, k::axis(0)); });
    add(rows, "logsumexp(x)", bytes, 1.15, [&] { return k::logsumexp(x); });
    // As many rows as no cluster's threads have the same number of.
    const k::array<double> odd_rows = k::cast<double>(k::reshape(floats(4099 * 4096, 0), {4099, 4096})) + 0.5;
    add(rows, "columns of (4099, 4096) doubles / norm", 2.0 * static_cast<double>(odd_rows.size()) * sizeof(double),
        1.65, [&] { return odd_rows / k::sqrt(k::sum(odd_rows * odd_rows, k::axis(0))); });
    add(rows, "logsumexp, axis(0)", plane, 1.15, [&] { return k::logsumexp(m, k::axis(0)); });
    // Rows that begin between sectors, and one row less than a cluster's threads have elements: z-scores took an H100 1.9 and 1.65 of a copy.
    const k::array<float> between = k::reshape(floats(8192 * 4099, 0), {8192, 4099});
    const k::array<float> less = k::reshape(floats(8191 * 4096, 0), {8191, 4096});
    // A few elements more than a thread's of a column, or than a block's threads had room for: 1.85 and 2.2 of a copy (H200).
    const k::array<float> past = k::reshape(floats(2053 * 16411, 0), {2053, 16411});
    const k::array<float> taller = k::reshape(floats(1031 * 65537, 0), {1031, 65537});
    for (const k::array<float>* const each : {&between, &less, &past, &taller}) {
        const k::array<float>& columns = *each;
        const double both = 2.0 * static_cast<double>(columns.size()) * sizeof(float);
        const auto over = k::axis(0);
        const std::string of = k::text::format("columns of ({}, {})", columns.shape()[0], columns.shape()[1]);
        add(rows, "z-scores of " + of, both, 1.8,
            [&] { return (columns - k::mean(columns, over, k::keep_dims)) / k::stddev(columns, over, k::keep_dims); });
        add(rows, "var of " + of, both / 2, 1.5, [&] { return k::var(columns, over); });
    }
    // So tall that they are read again: in one kernel it took 2.49 of a copy (H200).
    const k::array<float> tallest = k::reshape(floats(1700 * 65537, 0), {1700, 65537});
    add(rows, "softmax of columns of (1700, 65537)", 2.0 * static_cast<double>(tallest.size()) * sizeof(float), 2.0,
        [&] {
            const auto e = k::exp(tallest - k::max(tallest, k::axis(0), k::keep_dims));
            return e / k::sum(e, k::axis(0), k::keep_dims);
        });
    const k::array<float> few = k::reshape(floats(1000000 * 32, 0), {1000000, 32});
    add(rows, "var of columns of (1000000, 32)", static_cast<double>(few.size()) * sizeof(float), 1.6,
        [&] { return k::var(few, k::axis(0)); });
    const k::array<k::float16> halves =
        k::cast<k::float16>(k::reshape(floats(elements / 2, 0), {elements / (1 << 21), 1024, 1024}));
    add(rows, "z-scores over the middle axis, float16", 2.0 * static_cast<double>(halves.size()) * sizeof(k::float16),
        1.65, [&] {
            const auto over = k::axis(1);
            return (halves - k::mean(halves, over, k::keep_dims)) / k::stddev(halves, over, k::keep_dims);
        });
    // Rows that are of whole vectors, and rows that are not.
    const k::array<float> narrow = k::reshape(floats(elements / 1023 * 1023, 0), {elements / 1023, 1023});
    for (const k::array<float>& each : {m, narrow})
        add(rows, k::text::format("layer norm of rows of {}", each.shape()[1]),
            2.0 * static_cast<double>(each.size()) * sizeof(float), 1.3, [&] {
                const auto over = k::axis(1);
                return (each - k::mean(each, over, k::keep_dims)) / k::sqrt(k::var(each, over, k::keep_dims) + 1e-5f);
            });
    // 16-bit floats that are computed in float32, which no thread keeps: layer norm of the longer rows took 1.19 and 1.28 of a copy, of an H100.
    // Rows of odd length begin anywhere: of 5003 a softmax took 2.2 of a copy, of 1021 1.7.
    for (const std::int64_t length : {1024, 8192, 16384, 5003, 1021}) {
        const k::array<k::bfloat16> odd =
            k::cast<k::bfloat16>(k::reshape(floats(elements / length * length, 0), {elements / length, length}));
        const k::array<k::bfloat16> scale = k::cast<k::bfloat16>(floats(length, 3));
        const auto in = k::cast<float>(odd);
        const auto centred = in - k::mean(in, k::axis(1), k::keep_dims);
        const auto normed = [](const auto& of) {
            return of * k::rsqrt(k::mean(of * of, k::axis(1), k::keep_dims) + 1e-5f);
        };
        const double both_ways = 2.0 * static_cast<double>(odd.size()) * sizeof(k::bfloat16);
        const double at_most = length % 4 == 0 ? 1.05 : 1.5;
        add(rows, k::text::format("rms norm of rows of {} bfloat16", length), both_ways, at_most,
            [&] { return k::cast<k::bfloat16>(normed(in) * k::cast<float>(scale)); });
        add(rows, k::text::format("layer norm of rows of {} bfloat16", length), both_ways, at_most,
            [&] { return k::cast<k::bfloat16>(normed(centred) * k::cast<float>(scale) + k::cast<float>(scale)); });
        add(rows, k::text::format("softmax of rows of {} bfloat16", length), both_ways, at_most + 0.1, [&] {
            const auto e = k::exp(in - k::max(in, k::axis(1), k::keep_dims));
            return k::cast<k::bfloat16>(e / k::sum(e, k::axis(1), k::keep_dims));
        });
    }
    // Many of them share blocks, whose rows move together: of 257 a softmax took 2.1 of a copy by vectors that rows share.
    const std::int64_t rows_of_257 = elements / 257;
    const k::array<k::float16> narrow_halves =
        k::cast<k::float16>(k::reshape(floats(rows_of_257 * 257, 0), {rows_of_257, 257}));
    add(rows, "softmax of rows of 257 float16", 2.0 * static_cast<double>(narrow_halves.size()) * sizeof(k::float16),
        1.6, [&] {
            const auto in = k::cast<float>(narrow_halves);
            const auto e = k::exp(in - k::max(in, k::axis(1), k::keep_dims));
            return k::cast<k::float16>(e / k::sum(e, k::axis(1), k::keep_dims));
        });
    // Rows a little longer than a power of two: of 257 floats 1.5 of a copy where threads had room for twice as many.
    const std::int64_t short_rows = elements / 257;
    const k::array<float> longer = k::reshape(floats(short_rows * 257, 0), {short_rows, 257});
    add(rows, "softmax of rows of 257", 2.0 * static_cast<double>(longer.size()) * sizeof(float), 1.1, [&] {
        const auto e = k::exp(longer - k::max(longer, k::axis(1), k::keep_dims));
        return e / k::sum(e, k::axis(1), k::keep_dims);
    });
    const std::int64_t images = std::max<std::int64_t>(elements / (19 * 513 * 511), 1);
    const k::array<float> classes = k::reshape(floats(images * 19 * 513 * 511, 0), {images, 19, 513, 511});
    add(rows, "1 / sum(exp(x - max(x))) over 19 of (19, 513, 511)", static_cast<double>(classes.size()) * sizeof(float),
        1.15, [&] { return 1.0f / k::sum(k::exp(classes - k::max(classes, k::axis(1), k::keep_dims)), k::axis(1)); });
    // Rows of a table that stays in the caches, found by ids.
    const k::array<float> table = k::reshape(floats(30'000 * 768, 5), {30'000, 768});
    const std::int64_t ids = elements / 2048;
    const k::array<std::int64_t> which = k::arange<std::int64_t>(ids) * 7919 % 30'000;
    add(rows, "layer norm of rows of 768 that ids find", 2.0 * static_cast<double>(ids * 768) * sizeof(float), 1.3,
        [&] {
            const auto over = k::axis(1);
            const auto found = k::take(table, which, k::axis(0));
            return (found - k::mean(found, over, k::keep_dims)) / k::sqrt(k::var(found, over, k::keep_dims) + 1e-5f);
        });
}

/// Bound by arithmetic, not by bytes: 2 n^3 operations are 64 us of an H200's for n = 1024; by hand, without contraction to FMA, 87. `times`: as long as a copy of the three matrices.
void add_product(gpu_rows& rows, std::int64_t edge, double times) {
    const k::array<float> a = k::reshape(floats(edge * edge, 0), {edge, edge});
    const k::array<float> b = k::reshape(floats(edge * edge, 3), {edge, edge});
    const double bytes = 3.0 * static_cast<double>(edge * edge) * sizeof(float);
    const auto left = a(k::all, k::all, k::newaxis);
    add(rows, k::text::format("{0} x {0} times as many", edge), bytes, times,
        [&] { return k::sum(left * b, k::axis(1)); });
    add(rows, k::text::format("{0} x {0} times transposed", edge), bytes, times,
        [&] { return k::sum(left * k::transpose(b), k::axis(1)); });
}

/// All pairs: what bodies do to each other. `bytes` are those whose copy takes about as long.
void add_bodies(gpu_rows& rows, std::int64_t count, double bytes) {
    const k::array<float> at = floats(count, 0);
    const k::array<float> mass = floats(count, 3) + 1.0f;
    const auto apart = at - at(k::all, k::newaxis);
    const auto distance = apart * apart + 0.01f;
    add(rows, "forces of 16384 bodies on a line", bytes, 1.5,
        [&] { return k::sum(mass / (distance * k::sqrt(distance)) * apart, k::axis(1)); });

    // Limits are microseconds of an H200, whose copy of these bytes takes 256.
    const k::array<float> x = at * 0.01f;
    const k::array<float> y = floats(count, 1) * 0.01f;
    const k::array<float> z = floats(count, 2) * 0.01f;
    const auto dx = x - x(k::all, k::newaxis);
    const auto dy = y - y(k::all, k::newaxis);
    const auto dz = z - z(k::all, k::newaxis);
    const auto square = dx * dx + dy * dy + dz * dz + 0.01f;
    const auto accelerations = [&](const char* name, double at_most, const auto& pull) {
        add(rows, name, bytes, at_most / 256, [&] {
            return k::sum(pull * dx, k::axis(1)) + k::sum(pull * dy, k::axis(1)) + k::sum(pull * dz, k::axis(1));
        });
    };
    const auto cube = [](const auto& of) { return of * of * of; };
    const k::array<float> some = k::where(mass < 3.0f, 0.0f, mass);
    const auto inverse = k::reciprocal(k::sqrt(square));
    const auto known = k::assume<false>(square, 0.01, 1e4);
    accelerations("accelerations of 16384 bodies", 275, mass * cube(inverse));
    accelerations("accelerations, many masses 0", 275, some * cube(inverse));
    accelerations("accelerations, range assumed", 255, mass * cube(k::reciprocal(k::sqrt(known))));
    accelerations("accelerations by rsqrt", 210, mass * cube(k::rsqrt(square)));
    accelerations("accelerations by 1.0f / sqrt", 300, mass * cube(1.0f / k::sqrt(square)));
    accelerations("accelerations by quotients", 300, mass / (square * k::sqrt(square)));
    accelerations("accelerations by quotients, many masses 0", 300, some / (square * k::sqrt(square)));
    const k::scoped_options allowed({.fast_math = true});
    accelerations("accelerations, fast_math", 150, mass * cube(inverse));
}

/// Rows of few elements, and rows that many values share: distances of points, forces of bodies, colours. `at_most`: as long as
/// copies of what is read and written, of what arithmetic bounds so many times as long.
void add_points(gpu_rows& rows, std::int64_t scale) {
    const std::int64_t points = 8192;
    const auto table = [](std::int64_t count, std::int64_t of_each, int seed) {
        return k::array<float>(k::reshape(floats(count * of_each, seed), {count, of_each}));
    };
    const k::array<float> a = table(points, 16, 0);
    const k::array<float> b = table(points, 16, 5);
    const double values = static_cast<double>(points * points) * sizeof(float);
    add(rows, "squared distances of 16 coordinates", values, 3.2,
        [&] { return k::sum(k::square(a(k::all, k::newaxis) - b), k::axis(2)); });
    const k::array<float> many = table(scale, 8, 0);
    const k::array<float> centres = table(64, 8, 5);
    // Arithmetic: 67 to 70 us on an H100, by hand 62 to 67 on an H200, 0.8 and 1.1 of their copies. With an array between it was 6.4.
    add(rows, "the nearest of 64 centres", 64.0 * static_cast<double>(scale) * sizeof(float), 1.15,
        [&] { return k::argmin(k::sum(k::square(many(k::all, k::newaxis) - centres), k::axis(2)), k::axis(1)); });
    // A density: exp of distances that no array has: of 4 and 5 features 33 and 38 us on an H100, 156 with an array of them.
    for (const std::int64_t features : {4, 5}) {
        const k::array<float> of_point = table(points, features, 0), around = table(points / 2, features, 5);
        add(rows, k::text::format("density of {} features", features), values / 2, 0.95, [&] {
            const auto distance = k::sum(k::square(of_point(k::all, k::newaxis) - around), k::axis(2));
            return k::mean(k::exp(distance * -0.5f), k::axis(1));
        });
    }
    add_bodies(rows, 2 * points, 4.0 * values);
    const std::int64_t pixels = 32 * scale;
    const k::array<std::uint8_t> image = k::cast<std::uint8_t>(table(pixels, 3, 0));
    const k::array<float> weights = floats(3, 1) * 0.125f;
    const auto gray = k::sum(k::cast<float>(image) * weights, k::axis(1));
    add(rows, "gray of colours", 7.0 * static_cast<double>(pixels), 1.15, [&] { return gray; });
    add(rows, "gray of colours, in bytes", 4.0 * static_cast<double>(pixels), 1.25,
        [&] { return k::cast<std::uint8_t>(k::rint(gray)); });
    const k::array<float> vectors = table(16 * scale, 3, 1);
    add(rows, "unit vectors", 24.0 * static_cast<double>(16 * scale), 1.3,
        [&] { return vectors / k::sqrt(k::sum(vectors * vectors, k::axis(1), k::keep_dims)); });
}

/// Neighbouring rows, which begin anywhere.
void add_trapezoids(gpu_rows& rows) {
    constexpr std::int64_t count = 8209, columns = 4099;
    const k::array<float> f = k::reshape(floats(count * columns, 0), {count, columns});
    const k::array<float> t = floats(count, 5);
    add(rows, "sum((f[1:] + f[:-1]) * dt), axis(0)", static_cast<double>(f.size()) * sizeof(float), 1.6, [&] {
        return k::sum((f(k::range(1, count)) + f(k::range(0, count - 1))) * (0.5f * k::diff(t))(k::all, k::newaxis),
                      k::axis(0));
    });
}

void add_matrix(gpu_rows& rows, std::int64_t edge) {
    const double plane = static_cast<double>(edge * edge) * sizeof(float);
    const k::array<float> a = k::reshape(floats(edge * edge, 0), {edge, edge});
    const k::array<float> b = k::reshape(floats(edge * edge, 7), {edge, edge});
    const k::array<float> odd = k::reshape(floats(127 * 523773, 0), {127, 523773});
    add(rows, "sum of 127 rows of 523773", static_cast<double>(odd.size()) * sizeof(float), 1.1,
        [&] { return k::sum(odd, k::axis(1)); });
    add(rows, "sum(a * b, axis(1))", 2 * plane, 1, [&] { return k::sum(a * b, k::axis(1)); });
    add_columns(rows, a, b);
    add_trapezoids(rows);
    add_product(rows, 1024, 30);
    add(rows, "softmax over rows", 2 * plane, 1.052, [&] {
        const auto q = k::exp(a - k::max(a, k::axis(1), k::keep_dims));
        return q / k::sum(q, k::axis(1), k::keep_dims);
    });
}

/// Columns that stay on chip: by hand softmax of (64, 1024, 1024) takes an H200 138 us and z-scores of 8192 x 8192 160, in another order
/// of their sums; a copy takes 128.
void add_normalised_columns(gpu_rows& rows, std::int64_t elements) {
    const auto softmax = [&](const std::string& what, const k::shape& of, int axis, double at_most) {
        const k::array<float> x = k::reshape(floats(of.size(), 0), of);
        add(rows, "softmax of " + what, 2.0 * static_cast<double>(of.size()) * sizeof(float), at_most, [&] {
            const auto e = k::exp(x - k::max(x, k::axis(axis), k::keep_dims));
            return e / k::sum(e, k::axis(axis), k::keep_dims);
        });
    };
    const auto scores = [&](const std::string& what, const k::shape& of, int axis, double at_most) {
        const k::array<float> x = k::reshape(floats(of.size(), 0), of);
        add(rows, "z-scores of " + what, 2.0 * static_cast<double>(of.size()) * sizeof(float), at_most, [&] {
            const auto centred = x - k::mean(x, k::axis(axis), k::keep_dims);
            return centred / (k::sqrt(k::mean(k::square(centred), k::axis(axis), k::keep_dims)) + 1e-6f);
        });
    };
    const std::int64_t inner = 1024;
    softmax("(64, 1024, 1024) over 1", {elements / (1024 * inner), 1024, inner}, 1, 1.13);
    softmax("(64, 512, 2048) over 1", {elements / (1024 * inner), 512, 2 * inner}, 1, 1.76);
    softmax("(64, 1021, 1023) over 1", {elements / (1024 * inner), 1021, 1023}, 1, 2.13);
    softmax("(16, 4096, 1024) over 1", {elements / (4096 * inner), 4096, inner}, 1, 1.98);
    scores("columns of 1024", {1024, elements / 1024}, 0, 1.52);
    scores("columns of 4096", {4096, elements / 4096}, 0, 1.68);
    scores("columns of 8192", {8192, elements / 8192}, 0, 1.31);
    scores("(32, 256, 8192) over 1", {elements / (256 * 8192), 256, 8192}, 1, 1.63);
}

/// Rows longer than a block's registers.
void add_long_rows(gpu_rows& rows, std::int64_t elements) {
    for (const std::int64_t extent : {12000, 32000, 65536, 100000}) {
        const std::int64_t count = elements / extent;
        const double bytes = static_cast<double>(count * extent) * sizeof(float);
        const k::array<float> x = k::reshape(floats(count * extent, 0), {count, extent});
        const auto largest = k::max(x, k::axis(1), k::keep_dims);
        add(rows, k::text::format("softmax over rows of {}", extent), 2 * bytes, extent > 32768 ? 1.6 : 1.1, [&] {
            const auto q = k::exp(x - largest);
            return q / k::sum(q, k::axis(1), k::keep_dims);
        });
        const k::array<std::int64_t> label = k::arange<std::int64_t>(count) % extent;
        add(rows, k::text::format("cross-entropy of rows of {}", extent), bytes, extent == 32000 ? 1.09 : 2.0, [&] {
            const auto shifted = x - largest;
            const auto of_label = k::sum(
                k::where(k::arange<std::int64_t>(extent) == label(k::all, k::newaxis), shifted, 0.0f), k::axis(1));
            return k::log(k::sum(k::exp(shifted), k::axis(1))) - of_label;
        });
        add(rows, k::text::format("logsumexp of rows of {}", extent), bytes, extent == 32000 ? 1.01 : 2.0,
            [&] { return k::logsumexp(x, k::axis(1)); });
    }
}

/// Against a copy: one pass reads and writes as much.
void add_scans(gpu_rows& rows, std::int64_t elements, std::int64_t edge) {
    const k::array<float> x = floats(elements, 0);
    add(rows, "cumsum(x)", 2.0 * static_cast<double>(elements) * sizeof(float), 1.25, [&] { return k::cumsum(x); });
    const k::array<float> a = k::reshape(floats(edge * edge, 0), {edge, edge});
    for (const int axis : {1, 0})
        add(rows, k::text::format("cumsum(a, axis({}))", axis), 2.0 * static_cast<double>(edge * edge) * sizeof(float),
            axis == 1 ? 1.2 : 1.25, [&] { return k::cumsum(a, k::axis(axis)); });
    // What is made of a scan in its kernel takes what its bytes take, and no more than the scan alone: the same limits.
    const k::array<float> b = floats(edge, 0);
    for (const int axis : {1, 0})
        add(rows, k::text::format("cumsum(a, axis({})) * 2 + b", axis),
            (2.0 * static_cast<double>(edge * edge) + static_cast<double>(edge)) * sizeof(float),
            axis == 1 ? 1.2 : 1.25, [&] { return k::cumsum(a, k::axis(axis)) * 2.0f + b; });
    add(rows, "exp(cumsum(a, axis(1))) * a", 3.0 * static_cast<double>(edge * edge) * sizeof(float), 1.2,
        [&] { return k::exp(k::cumsum(a, k::axis(1))) * a; });
    // Rows that begin anywhere.
    const k::array<float> odd = k::reshape(floats(1013 * 65537, 0), {1013, 65537});
    add(rows, "cumsum of (1013, 65537), axis(0)", 2.0 * static_cast<double>(odd.size()) * sizeof(float), 1.2,
        [&] { return k::cumsum(odd, k::axis(0)); });
    // The same, of not enough columns for a thread each (an H200 takes 1.35 copies); read and written backwards as they lie.
    const k::array<float> narrow = k::reshape(floats(4099 * 8191, 0), {4099, 8191});
    add(rows, "cumsum of (4099, 8191), axis(0)", 2.0 * static_cast<double>(narrow.size()) * sizeof(float), 1.45,
        [&] { return k::cumsum(narrow, k::axis(0)); });
    // Of more rows than keep a GPU busy in parts of one for each of its threads: by hand 1.30 (plan/scan.cpp), where rows are whole sectors 1.10.
    for (const auto& [count, length, at_most] : {std::tuple{20011, 4099, 1.35}, {20011, 4096, 1.2}}) {
        const k::array<float> some = k::reshape(floats(std::int64_t{count} * length, 0), {count, length});
        add(rows, k::text::format("cumsum of ({}, {}), axis(0)", count, length),
            2.0 * static_cast<double>(some.size()) * sizeof(float), at_most,
            [some] { return k::cumsum(some, k::axis(0)); });
    }
    // Of few columns, wherever rows begin (an H200 took 4.0 copies of (10000019, 9) by panels of a lane for each column, 1.70 by blocks that
    // end with their panel).
    for (const auto& [count, length] :
         {std::pair{33554435, 2}, {10000019, 9}, {10000000, 8}, {2000003, 31}, {1000003, 63}}) {
        const k::array<float> some = k::reshape(floats(std::int64_t{count} * length, 0), {count, length});
        add(rows, k::text::format("cumsum of ({}, {}), axis(0)", count, length),
            2.0 * static_cast<double>(some.size()) * sizeof(float), 1.3,
            [some] { return k::cumsum(some, k::axis(0)); });
        if (length != 9) continue;
        add(rows, k::text::format("x * cumsum of ({}, {}), axis(0)", count, length),
            3.0 * static_cast<double>(some.size()) * sizeof(float), 1.3,
            [some] { return some * k::cumsum(some, k::axis(0)); });
    }
    const k::array<float> paths_back = k::reshape(floats(32771 * 1023, 0), {32771, 1023});
    add(rows, "flip(cumsum(flip(rows of 1023)))", 2.0 * static_cast<double>(paths_back.size()) * sizeof(float), 1.15,
        [&] { return k::flip(k::cumsum(k::flip(paths_back, k::axis(1)), k::axis(1)), k::axis(1)); });
    // Rows that end just past a warp's round, a warp, a block, a block's walk.
    for (const auto& [count, length, at_most] : {std::tuple{262144, 257, 1.15},
                                                 {65536, 1025, 1.15},
                                                 {20011, 3001, 1.1},
                                                 {6001, 10007, 1.15},
                                                 {501, 131071, 1.3},
                                                 {101, 600011, 1.3}}) {
        const k::array<float> some = k::reshape(floats(std::int64_t{count} * length, 0), {count, length});
        add(rows, k::text::format("cumsum of ({}, {}), axis(1)", count, length),
            2.0 * static_cast<double>(some.size()) * sizeof(float), at_most,
            [some] { return k::cumsum(some, k::axis(1)); });
    }
    // Cast as they are read, and as they are written.
    const k::array<std::int16_t> counts =
        k::cast<std::int16_t>(k::reshape(floats(33 * 511 * 1021, 0), {33, 511, 1021}));
    add(rows, "cumsum of (33, 511, 1021) int16, axis(1)", 10.0 * static_cast<double>(counts.size()), 1.75,
        [&] { return k::cumsum(counts, k::axis(1)); });
    const k::array<k::float16> halves = k::cast<k::float16>(a);
    for (const int axis : {1, 0})
        add(rows, k::text::format("float16(cumsum(halves, axis({})))", axis), 4.0 * static_cast<double>(halves.size()),
            axis == 1 ? 1.15 : 1.5, [&] { return k::cast<k::float16>(k::cumsum(halves, k::axis(axis))); });
    const std::int64_t side = edge / 8;
    const k::array<float> cube = k::reshape(floats(64 * side * side, 0), {64, side, side});
    add(rows, "cumsum(cube, axis(1))", 2.0 * static_cast<double>(cube.size()) * sizeof(float), 1.25,
        [&] { return k::cumsum(cube, k::axis(1)); });
    const k::array<float> long_rows = k::reshape(floats(elements / 100000 * 100000, 0), {elements / 100000, 100000});
    add(rows, "cumsum of rows of 100000", 2.0 * static_cast<double>(long_rows.size()) * sizeof(float), 1.25,
        [&] { return k::cumsum(long_rows, k::axis(1)); });
    const std::int64_t half = elements / 2;
    const k::array<std::int64_t> wide = k::cast<std::int64_t>(k::reshape(floats(half, 0), {2, half / 2}));
    add(rows, "cumsum of long rows of int64", 2.0 * static_cast<double>(half) * sizeof(std::int64_t), 1.25,
        [&] { return k::cumsum(wide, k::axis(1)); });
    // Paths that are never stored, against a copy of as many bytes as they would have.
    const k::shape paths{elements / 256, 64};
    add(rows, "Asian option: normals, cumsum, exp, mean, max, mean",
        2.0 * static_cast<double>(paths.size()) * sizeof(float), 1.32, [=] {
            const auto log_price = k::cumsum(k::random::normal<float>(paths, 7) * 0.025f + 0.0005f, k::axis(1));
            return k::mean(k::max(k::mean(100.0f * k::exp(log_price), k::axis(1)) - 100.0f, 0.0f));
        });
    const k::array<float> rows_of_64 = k::reshape(floats(elements, 0), {elements / 64, 64});
    add(rows, "max(cumsum(rows of 64))", static_cast<double>(elements + elements / 64) * sizeof(float), 1.1,
        [&] { return k::max(k::cumsum(rows_of_64, k::axis(1)), k::axis(1)); });
}

/// Against a copy of as many bytes as there are; a copy also writes them, so that a read of all takes about half of it.
void add_segments(gpu_rows& rows, std::int64_t elements) {
    const auto bytes = static_cast<double>(elements);
    const k::array<float> x = floats(elements, 0);
    const k::array<std::uint32_t> noise = k::random::bits<std::uint32_t>({elements}, 7);
    add(rows, "cummax(x)", 2.0 * bytes * sizeof(float), 1.25, [&] { return k::cummax(x); });
    const auto sum = k::reduction<float>(0, "a", "b", "return a + b;");
    add(rows, "scan(a + b, x)", 2.0 * bytes * sizeof(float), 1.25, [&] { return k::scan(sum, x); });
    const k::array<std::uint8_t> image = k::cast<std::uint8_t>(noise % 256u);
    const k::array<std::uint8_t> flat = k::full<std::uint8_t>({elements}, std::uint8_t{9});
    add(rows, "histogram(bytes, 256)", bytes, 1.3, [&] { return k::histogram(image, 256); });
    add(rows, "histogram(equal bytes, 256)", bytes, 3.9, [&] { return k::histogram(flat, 256); });
    add(rows, "histogram(floats, 100, 0, 13)", bytes * sizeof(float), 1.3, [&] { return k::histogram(x, 100, 0, 13); });
    for (const std::int64_t segments : {std::int64_t{1000}, std::int64_t{1'000'000}}) {
        const auto count = static_cast<std::uint32_t>(segments);
        const k::array<int> random = k::cast<int>(noise % count);
        const k::array<int> sorted = k::cast<int>(k::arange<std::int64_t>(elements) * segments / elements);
        const double at_most = segments > 1000 ? 30 : 3;
        const auto named = [&](const char* what) { return k::text::format("{}, {} segments", what, segments); };
        add(rows, named("histogram(ids)"), bytes * 4, at_most, [&] { return k::histogram(random, segments); });
        add(rows, named("segment_sum(x, random)"), bytes * 8, at_most,
            [&] { return k::segment_sum(x, random, segments); });
        add(rows, named("segment_sum(x, sorted)"), bytes * 8, at_most,
            [&] { return k::segment_sum(x, sorted, segments); });
        add(rows, named("segment_max(x, random)"), bytes * 8, at_most,
            [&] { return k::segment_max(x, random, segments); });
        const k::scoped_options allowed({.fast_math = true});
        if (segments > 1000)
            add(rows, named("segment_sum(x, random), fast_math"), bytes * 8, 8,
                [&] { return k::segment_sum(x, random, segments); });
    }
    // Rows of 3, each value of which is combined in memory.
    const std::int64_t triples = elements / 16;
    const k::array<float> points = k::reshape(x(k::range(0, triples * 3)), {triples, 3});
    const k::array<int> of_points = k::cast<int>(noise(k::range(0, triples)) % 100'000u);
    add(rows, "segment_sum(rows of 3, random), 100000 segments", static_cast<double>(triples) * 16, 8.5,
        [&] { return k::segment_sum(points, of_points, 100'000); });
    // Rows of 64: their values are read once from memory, and once more from a cache.
    const std::int64_t many = elements / 64;
    const k::array<float> table = k::reshape(x(k::range(0, many * 64)), {many, 64});
    for (const std::int64_t segments : {16, 1000, 4000, 100'000}) {
        const k::array<int> random = k::cast<int>(noise(k::range(0, many)) % static_cast<std::uint32_t>(segments));
        const k::array<int> sorted = k::cast<int>(k::arange<std::int64_t>(many) * segments / many);
        const auto named = [&](const char* what) { return k::text::format("{}, {} segments", what, segments); };
        add(rows, named("segment_sum(rows of 64, random)"), bytes * 4, segments == 4000 ? 2.3 : 3.3,
            [&] { return k::segment_sum(table, random, segments); });
        add(rows, named("segment_sum(rows of 64, sorted)"), bytes * 4, 3.3,
            [&] { return k::segment_sum(table, sorted, segments); });
        add(rows, named("segment_max(rows of 64, random)"), bytes * 4, 3.3,
            [&] { return k::segment_max(table, random, segments); });
        const k::scoped_options allowed({.fast_math = true});
        if (segments == 100'000)
            add(rows, named("segment_sum(rows of 64, random), fast_math"), bytes * 4, 2.6,
                [&] { return k::segment_sum(table, random, segments); });
    }
}

/// Numbers without an order, which a cast keeps apart in each type.
k::array<float> unordered(std::int64_t count) {
    return k::cast<float>(k::arange<std::int64_t>(count) * std::int64_t{1'000'000'007} % std::int64_t{16'777'213});
}

/// Against a copy of as many elements; four passes over floats, and one that counts, can be no less than four times that.
void add_sorts(gpu_rows& rows, std::int64_t elements) {
    const k::array<float> x = unordered(elements / 1024 * 1024);
    const double bytes = 2.0 * static_cast<double>(x.size()) * sizeof(float);
    add(rows, "sort(x)", bytes, 15, [&] { return k::sort(x); });
    add(rows, "argsort(x)", bytes, 25, [&] { return k::argsort(x); });
    add(rows, "median(x)", bytes, 15, [&] { return k::median(x); });
    const k::array<float> m = k::reshape(x, {x.size() / 1024, 1024});
    add(rows, "sort of rows of 1024", bytes, 8, [&] { return k::sort(m); });
    const k::array<float> ranked = k::reshape(floats(elements / 101 * 101, 0), {elements / 101, 101});
    add(rows, "sort of rows of 101", bytes, 4, [&] { return k::sort(ranked); });
    const k::array<float> short_rows = k::reshape(x, {x.size() / 32, 32});
    add(rows, "sort of rows of 32", bytes, 2.2, [&] { return k::sort(short_rows); });
    add(rows, "argsort of rows of 32", bytes * 3 / 2, 2.5, [&] { return k::argsort(short_rows); });
    add(rows, "median of rows of 501", bytes / 2, 8,
        [m = k::reshape(floats(elements / 501 * 501, 0), {elements / 501, 501})] { return k::median(m, k::axis(1)); });
    add(rows, "the 10 largest of x", bytes / 2, 3, [&] { return k::topk(x, 10).values; });
    add(rows, "the 10 largest of rows of 1024", bytes / 2, 3, [&] { return k::topk(m, 10).indices; });
    const k::array<float> long_rows = k::reshape(x, {32, x.size() / 32});
    add(rows, "the 100 largest of 32 rows", bytes / 2, 5, [&] { return k::topk(long_rows, 100).indices; });
    const k::array<std::uint8_t> small = k::cast<std::uint8_t>(x);
    add(rows, "sort of uint8", bytes / 4, 12, [&] { return k::sort(small); });
}

/// Rows of a table that the second cache holds, seven for each sum: as many bytes as are looked up.
void add_bags(gpu_rows& rows) {
    constexpr std::int64_t bags = 65536, ids_of_bag = 7, table_rows = 50021, columns = 128;
    const auto numbers = k::arange<std::int64_t>(table_rows * columns) % std::int64_t{1009};
    const k::array<k::float16> table = k::cast<k::float16>(k::reshape(numbers, {table_rows, columns}));
    const auto spread = k::arange<std::int64_t>(bags * ids_of_bag) * std::int64_t{7919} % table_rows;
    const k::array<std::int64_t> ids = k::reshape(spread, {bags, ids_of_bag});
    const double bytes = static_cast<double>(bags * (ids_of_bag * (8 + 2 * columns) + 2 * columns));
    add(rows, "sum of 7 rows of 128 float16, by ids", bytes, 0.8,
        [&] { return k::sum(k::take(table, ids, k::axis(0)), k::axis(1)); });
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

/// Many rows by few columns: two arrays of memory, and one of a few elements.
void add_narrow_products(gpu_rows& rows, std::int64_t elements) {
    for (const auto& [terms, columns, at_most] : {std::tuple<std::int64_t, std::int64_t, double>{3, 3, 2.2},
                                                  {4, 4, 1.3},
                                                  {16, 3, 1.5},
                                                  {16, 16, 1.5},
                                                  {32, 32, 2.2},
                                                  {64, 16, 1.7}}) {
        const std::int64_t count = elements / std::max(terms, columns);
        const k::array<float> x = k::reshape(floats(count * terms, 0), {count, terms});
        const k::array<float> w = k::reshape(floats(terms * columns, 0), {terms, columns});
        add(rows, k::text::format("matmul of ({}, {}) and ({}, {})", count, terms, terms, columns),
            static_cast<double>(count * (terms + columns)) * sizeof(float), at_most, [&] { return k::matmul(x, w); });
    }
}

/// Rows of few columns, each read once, against a copy of as many bytes: of 32 an H200 takes 1.1 and 1.8 of it.
void add_few_columns(gpu_rows& rows, std::int64_t elements) {
    for (const std::int64_t columns : {16, 32, 64}) {
        const std::int64_t count = elements / columns;
        const double bytes = static_cast<double>(count * (columns + 1)) * sizeof(float);
        const k::array<float> x = k::reshape(floats(count * columns, 0), {count, columns});
        const k::array<float> label = floats(count, 1);
        const k::array<float> weights = floats(columns, 2);
        const auto named = [&](const char* what) { return k::text::format("{} of rows of {}", what, columns); };
        add(rows, named("sum over axis 0"), bytes, 1.25, [&] { return k::sum(x, k::axis(0)); });
        add(rows, named("gradient of a logistic regression"), bytes, 1.95, [&] {
            const auto guess = k::sigmoid(k::sum(x * weights, k::axis(1), k::keep_dims));
            return k::mean((guess - label(k::all, k::newaxis)) * x, k::axis(0));
        });
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
    add_statistics(rows, elements, edge);
    add_normalised_columns(rows, elements);
    add_long_rows(rows, 2 * elements);
    add_shapes(rows, scale);
    add_narrow_products(rows, elements);
    add_few_columns(rows, elements);
    add_points(rows, scale);
    add_scans(rows, elements, edge);
    add_segments(rows, elements);
    add_sorts(rows, elements);
    add_bags(rows);
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("gpu_reductions", trouble);
}
