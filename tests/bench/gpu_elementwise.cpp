// Element-wise programs on a GPU: contiguous arrays, mixed widths, broadcasting, a transposed operand, views and a
// stencil. Each against a copy on the device of as many bytes as it must read and write, in turns with it; where the
// caches hold the operands, against kernels written by hand.
#include "gpu_contiguous.hpp"
#include "gpu_rows.hpp"
#include "hand_written_gpu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

namespace {

namespace k = kiln;
using namespace kiln::bench;

constexpr double mebi = 1024.0 * 1024.0;

/// Exact in a float.
k::array<float> floats(std::int64_t elements, int seed) {
    return k::cast<float>((k::arange<std::int64_t>(elements) + std::int64_t{seed}) % 9973);
}
float float_at(std::int64_t i, int seed) { return static_cast<float>((i + seed) % 9973); }

void add_mixed(gpu_rows& rows, std::int64_t elements) {
    const auto count = static_cast<double>(elements);
    {
        k::array<std::uint8_t> u = k::cast<std::uint8_t>(k::arange<std::int64_t>(elements) % 251);
        k::array<float> y[2] = {k::zeros<float>({elements}), k::zeros<float>({elements})};
        rows.add({.what = "uint8 to float, x 0.5",
                  .bytes = 5 * count,
                  .at_most = 1.05,
                  .once = [&](int call) { y[call % 2] = k::cast<float>(u) * 0.5f; },
                  .plan = k::explain(k::cast<float>(u) * 0.5f)});
        rows.check("uint8 to float", y[0], [](std::int64_t i) { return static_cast<float>(i % 251) * 0.5f; });
    }
    {
        k::array<float> x = floats(elements, 0);
        k::array<double> y[2] = {k::zeros<double>({elements}), k::zeros<double>({elements})};
        rows.add({.what = "float to double, x 0.5",
                  .bytes = 12 * count,
                  .at_most = 1.05,
                  .once = [&](int call) { y[call % 2] = k::cast<double>(x) * 0.5; },
                  .plan = k::explain(k::cast<double>(x) * 0.5)});
        rows.check("float to double", y[0], [](std::int64_t i) { return double{float_at(i, 0)} * 0.5; });
    }
}

constexpr std::int64_t table_rows = 4000;
constexpr std::int64_t table_columns = 5;
constexpr std::int64_t table_size = table_rows * table_columns;

k::array<double> doubles(const k::shape& extents, int seed) {
    return k::cast<double>((k::reshape(k::arange<std::int64_t>(extents.size()), extents) + std::int64_t{seed}) % 1009);
}
double double_at(std::int64_t i, int seed) { return static_cast<double>((i + seed) % 1009); }

double product_at(std::int64_t i) { return double_at(i % table_size, 1) * double_at(i, 2); }

void add_large_table(gpu_rows& rows, std::int64_t layers) {
    const k::array<double> table = doubles({table_rows, table_columns}, 1);
    const k::array<double> x = doubles({layers, table_rows, table_columns}, 2);
    k::array<double> y[2] = {x * 0.0, x * 0.0};
    const std::string what = k::text::format("(4000,5) x ({},4000,5) doubles", layers);
    rows.add({.what = what,
              .bytes = 8.0 * static_cast<double>(2 * x.size() + table.size()),
              .at_most = 1.02,
              .once = [&](int call) { y[call % 2] = table * x; },
              .plan = k::explain(table * x)});
    rows.check(what, y[0], product_at);
}

/// Where the L2 cache holds all operands a copy by the copy engine says little: kernels written by hand, then.
void add_small_table(gpu_rows& rows, std::int64_t layers) {
    const k::array<double> table = doubles({table_rows, table_columns}, 1);
    const k::array<double> x = doubles({layers, table_rows, table_columns}, 2);
    k::array<double> y = x * 0.0;
    k::array<double> other = x * 1.0;
    double* to = other.data();
    const double* from = x.data();
    const double* table_at = table.data();
    std::vector<by_hand> candidates;
    std::deque<gpu_kernel> kernels;
    for (const table_variant& each : table_variants()) {
        if (layers % each.layers_per_thread != 0) continue;
        const gpu_kernel& kernel = kernels.emplace_back(table_product_name, table_product_source(each));
        const std::int64_t blocks = table_product_blocks(each, table_size, layers);
        const auto grid_rows = static_cast<int>(each.flat ? 1 : layers / each.layers_per_thread);
        auto count = static_cast<unsigned>(each.flat ? table_size * layers : table_size);
        candidates.push_back({.what = each.text(),
                              .once =
                                  [&, blocks, grid_rows, count](int) mutable {
                                      void* parameters[] = {&to, &from, &table_at, &count};
                                      kernel.launch(rows.stream().handle(), blocks, table_threads, parameters,
                                                    grid_rows);
                                  },
                              .registers = kernel.registers()});
    }
    const std::string what = k::text::format("({},4000,5) x (4000,5) doubles, in the L2", layers);
    rows.add({.what = what,
              .bytes = 8.0 * static_cast<double>(2 * x.size() + table.size()),
              .at_most = 1.05,
              .against = gpu_program::measure::hand_written,
              .once = [&](int) { y = x * table; },
              .plan = k::explain(x * table),
              .hand_written = candidates,
              .group = 40});
    rows.check(what, y, product_at);
    // The measure must do the same work, each of them.
    for (const by_hand& each : candidates) {
        other = x * 0.0;
        to = other.data();
        each.once(0);
        rows.check("by hand: " + each.what, other, product_at);
    }
}

void add_matrix(gpu_rows& rows, std::int64_t edge) {
    const std::int64_t elements = edge * edge;
    const double plane = static_cast<double>(elements) * sizeof(float);
    const k::array<float> m = k::reshape(floats(elements, 0), {edge, edge});
    const k::array<float> row = k::reshape(floats(edge, 3), {1, edge});
    const k::array<float> column = k::reshape(floats(edge, 5), {edge, 1});
    k::array<float> y[2] = {m * 0.0f, m * 0.0f};
    const auto at = [edge](std::int64_t i, std::int64_t j) { return float_at(i * edge + j, 0); };
    const auto add = [&](const std::string& what, double planes, double at_most, auto expression, auto expected) {
        rows.add({.what = what,
                  .bytes = planes * plane,
                  .at_most = at_most,
                  .once = [&](int call) { y[call % 2] = expression(); },
                  .plan = k::explain(expression())});
        rows.check(what, y[0], [&](std::int64_t i) { return expected(i / edge, i % edge); });
    };

    add(
        "row + column + matrix, floats", 2, 1.05, [&] { return row + column + m; },
        [&](std::int64_t i, std::int64_t j) { return float_at(j, 3) + float_at(i, 5) + at(i, j); });
    // 3 planes: m is read as it is and transposed, and the sum is written.
    add(
        "m + transpose(m), floats: 3 planes", 3, 1.03, [&] { return m + k::transpose(m); },
        [&](std::int64_t i, std::int64_t j) { return at(i, j) + at(j, i); });
    // m is read once: what neighbours share comes from the caches.
    add(
        "5-point stencil, floats: 2 planes", 2, 1.10,
        [&] {
            using k::boundary::clamp;
            return k::shift(m, {1, 0}, clamp) + k::shift(m, {-1, 0}, clamp) + k::shift(m, {0, 1}, clamp) +
                   k::shift(m, {0, -1}, clamp) - 4.0f * m;
        },
        [&](std::int64_t i, std::int64_t j) {
            const std::int64_t end = edge - 1;
            return at(std::max<std::int64_t>(i - 1, 0), j) + at(std::min(i + 1, end), j) +
                   at(i, std::max<std::int64_t>(j - 1, 0)) + at(i, std::min(j + 1, end)) - 4.0f * at(i, j);
        });
}

using neighbours = std::make_integer_sequence<std::int64_t, 16>;

template <std::int64_t... From>
auto sum_of_neighbours(const k::array<float>& x, std::int64_t count, std::integer_sequence<std::int64_t, From...>) {
    return (... + x(k::range(From, From + count)));
}

void add_views(gpu_rows& rows, std::int64_t elements) {
    const double line = static_cast<double>(elements) * sizeof(float);
    const k::array<float> x = floats(2 * elements, 0);
    const k::array<float> half = floats(elements, 0);
    k::array<float> y[2] = {half * 0.0f, half * 0.0f};
    const auto add = [&](const std::string& what, double bytes, auto expression, auto expected) {
        rows.add({.what = what,
                  .bytes = bytes,
                  .at_most = 1.10,
                  .once = [&](int call) { y[call % 2] = expression(); },
                  .plan = k::explain(expression())});
        rows.check(what, y[0], expected);
    };

    // Every sector of x is read for one half of what it holds.
    add(
        "every second + 1, floats: 12 bytes each", 3 * line, [&] { return x(k::range(0, 2 * elements, 2)) + 1.0f; },
        [](std::int64_t i) { return float_at(2 * i, 0) + 1.0f; });
    add(
        "flip + 1, floats", 2 * line, [&] { return k::flip(half) + 1.0f; },
        [&](std::int64_t i) { return float_at(elements - 1 - i, 0) + 1.0f; });
    add(
        "shifted by one, clamped, + 1, floats", 2 * line,
        [&] { return k::shift(half, {1}, k::boundary::clamp) + 1.0f; },
        [](std::int64_t i) { return float_at(std::max<std::int64_t>(i - 1, 0), 0) + 1.0f; });
    add(
        "mean of 16 neighbours, floats", 2 * line,
        [&] { return sum_of_neighbours(x, elements, neighbours{}) * 0.0625f; },
        [](std::int64_t i) {
            float sum = float_at(i, 0);
            for (std::int64_t j = 1; j < 16; ++j) sum += float_at(i + j, 0);
            return sum * 0.0625f;
        });
}

/// Rotary embeddings: halves of rows of 64, which lie side by side again. On an H100 as parts 45 us (80 element by element), as halves
/// turned around 28 (250), of 8 x 1023 x 32 rows.
void add_rotated(gpu_rows& rows, std::int64_t elements) {
    constexpr std::int64_t half = 32, heads = 32;
    const std::int64_t steps = elements / (2 * half * heads);
    const std::int64_t count = steps * heads * 2 * half;
    const k::array<k::bfloat16> x = k::reshape(k::cast<k::bfloat16>(floats(count, 0)), {steps, heads, 2 * half});
    const k::array<float> cosines = k::reshape(floats(steps * half, 3), {steps, half});
    const k::array<float> sines = k::reshape(floats(steps * half, 5), {steps, half});
    const auto part = [&](std::int64_t from) { return k::cast<float>(x(k::all, k::all, k::range(from, from + half))); };
    const auto c = cosines(k::all, k::newaxis), s = sines(k::all, k::newaxis);
    const auto parts =
        k::cast<k::bfloat16>(k::concatenate(k::axis(2), part(0) * c - part(half) * s, part(half) * c + part(0) * s));
    const auto halves = k::reshape(x, {steps, heads, 2, half});
    const auto turned = k::cast<float>(k::flip(halves, k::axis(2))) * k::where(k::index(2) == 0, -1.0f, 1.0f);
    const auto of_halves =
        k::reshape(k::cast<k::bfloat16>(k::cast<float>(halves) * cosines(k::all, k::newaxis, k::newaxis) +
                                        turned * sines(k::all, k::newaxis, k::newaxis)),
                   {steps, heads, 2 * half});
    k::array<k::bfloat16> y[2];
    const auto add = [&](const std::string& what, double at_most, const auto& e) {
        rows.add({.what = what,
                  .bytes = 4 * static_cast<double>(count),
                  .at_most = at_most,
                  .once = [&](int call) { y[call % 2] = e; },
                  .plan = k::explain(e)});
    };
    add("rotated halves of rows of 64 bfloat16, as parts", 1.95, parts);
    add("rotated halves of rows of 64 bfloat16, as halves turned around", 1.35, of_halves);
}

/// A gate of a model, of halves of rows whose length no vector divides: an H100 took 1.07 of a copy (1.5 where each element waited for the
/// one before it).
void add_gate(gpu_rows& rows, std::int64_t elements) {
    constexpr std::int64_t half = 5501;
    const std::int64_t count = elements / (2 * half);
    const k::array<k::bfloat16> m = k::reshape(k::cast<k::bfloat16>(floats(count * 2 * half, 0)), {count, 2 * half});
    const auto gate = k::cast<float>(m(k::all, k::range(0, half)));
    const auto e = k::cast<k::bfloat16>(gate * k::sigmoid(gate) * k::cast<float>(m(k::all, k::range(half, 2 * half))));
    k::array<k::bfloat16> y[2];
    rows.add({.what = "x sigmoid(x) y, halves of rows of 11002 bfloat16",
              .bytes = 6 * static_cast<double>(count * half),
              .at_most = 1.6,
              .once = [&](int call) { y[call % 2] = e; },
              .plan = k::explain(e)});
    const k::array<k::bfloat16> x = k::cast<k::bfloat16>(floats(elements, 0));
    const auto swish = x * k::sigmoid(x);
    rows.add({.what = "x * sigmoid(x) of bfloat16",
              .bytes = 4 * static_cast<double>(elements),
              .at_most = 1.15,
              .once = [&](int call) { y[call % 2] = swish; },
              .plan = k::explain(swish)});
}

/// Elements of a byte or two that lie anywhere: rows of odd length, colours that become planes, halves of bytes that become pairs. In microseconds
/// on an H100 of 49M, 49M, 38M bytes, 33M bytes and 21M halves: 94 (132 element by element), 87 (214), 50 (75), 61 (140) and 31 (61).
void add_narrow(gpu_rows& rows, std::int64_t elements) {
    using byte = std::uint8_t;
    constexpr std::int64_t width = 6007;
    const auto bytes_of_shape = [](const k::shape& shape) {
        return k::array<byte>(k::reshape(k::cast<byte>(floats(shape.size(), 0)), shape));
    };
    const auto add = [&]<class E>(const std::string& what, double bytes, double at_most, const E& e) {
        const auto y = std::make_shared<std::array<k::array<k::value_t<E>>, 2>>();
        rows.add({.what = what,
                  .bytes = bytes,
                  .at_most = at_most,
                  .once = [y, e](int call) { (*y)[static_cast<std::size_t>(call % 2)] = e; },
                  .plan = k::explain(e)});
    };
    const std::int64_t height = elements * 3 / 4 / width;
    const k::array<byte> x = bytes_of_shape({height, width});
    const auto in_row = [&](std::int64_t i) { return x(k::all, k::range(i, width - 6 + i)); };
    const auto in_column = [&](std::int64_t i) { return x(k::range(i, height - 6 + i)); };
    const auto largest = [](const auto& of) {
        return k::max(k::max(k::max(of(0), of(1)), k::max(of(2), of(3))), k::max(k::max(of(4), of(5)), of(6)));
    };
    const auto picture = static_cast<double>(height * width);
    add("largest of 7 neighbours along rows of 6007 bytes", 2 * picture, 3.3, largest(in_row));
    add("largest of 7 rows of 6007 bytes", 2 * picture, 3.1, largest(in_column));

    const std::int64_t pictures = std::max<std::int64_t>(elements / 2'100'000, 1);
    const k::array<byte> colours = bytes_of_shape({pictures, 513, 769, 3});
    const k::array<float> mean = floats(3, 1) * 0.1f, spread = floats(3, 1) * 0.2f + 1.0f;
    add("colours of 513 x 769 pixels to planes of float16, normalised", 3.0 * static_cast<double>(colours.size()), 1.5,
        k::permute(k::cast<k::float16>((k::cast<float>(colours) / 255.0f - mean) / spread), {0, 3, 1, 2}));

    const std::int64_t packed_rows = elements / 8192;
    const k::array<byte> packed = bytes_of_shape({packed_rows, 4096});
    const k::array<k::bfloat16> scales =
        k::reshape(k::cast<k::bfloat16>(floats(packed_rows * 128, 3)), {packed_rows, 128});
    const auto low = k::cast<float>(packed & byte(15)) - 8.0f;
    const auto high = k::cast<float>(packed >> byte(4)) - 8.0f;
    const auto groups = k::reshape(k::stack(k::axis(2), low, high), {packed_rows, 128, 64});
    add("halves of bytes to bfloat16, by scales of 64", 5.0 * static_cast<double>(packed.size()), 1.25,
        k::reshape(k::cast<k::bfloat16>(groups * k::cast<float>(scales(k::all, k::all, k::newaxis))),
                   {packed_rows, 8192}));

    const std::int64_t of_planes = std::max<std::int64_t>(elements / 3 / (96 * 3363), 1);
    const k::array<k::float16> planes =
        k::reshape(k::cast<k::float16>(floats(of_planes * 96 * 3363, 5)), {of_planes, 96, 3363});
    const k::array<float> of_groups = k::reshape(floats(of_planes * 12, 7), {of_planes, 12, 1});
    const auto centred = k::cast<float>(k::reshape(planes, {of_planes, 12, 8 * 3363})) - of_groups;
    add("rows of 3363 float16 by what eight of them share", 4.0 * static_cast<double>(planes.size()), 1.4,
        k::cast<k::float16>(k::reshape(centred / k::sqrt(of_groups + 1.0f), {of_planes, 96, 3363})));
}

/// What is stacked, turned and taken apart. In microseconds on an H100: planes made of 25M floats in three planes 79 (907 where each view was read
/// by itself), pairs of 34M float16 turned 52 (237), 45M float16 from channels to squares of two by two 73 (280), the curl of 17M floats 93.
void add_rearranged(gpu_rows& rows, std::int64_t elements) {
    const auto add = [&]<class E>(const std::string& what, double bytes, double at_most, const E& e) {
        const auto y = std::make_shared<std::array<k::array<k::value_t<E>>, 2>>();
        rows.add({.what = what,
                  .bytes = bytes,
                  .at_most = at_most,
                  .once = [y, e](int call) { (*y)[static_cast<std::size_t>(call % 2)] = e; },
                  .plan = k::explain(e)});
    };
    const std::int64_t height = std::max<std::int64_t>(elements * 3 / 8 / 3847, 1);
    const k::array<float> colours = k::reshape(floats(3 * height * 3847, 0), {3, height, 3847});
    const auto r = colours(0), g = colours(1), b = colours(2);
    const auto high = k::max(r, k::max(g, b));
    const auto apart = high - k::min(r, k::min(g, b));
    add("three planes of what three others have in common, floats", 8.0 * static_cast<double>(colours.size()), 1.35,
        k::stack(k::axis(0), k::where(high == r, g - b, r - b) * 60.0f, k::where(high == 0.0f, 0.0f, apart / high),
                 high));

    const std::int64_t length = std::max<std::int64_t>(elements / 2 / 4096, 1);
    const k::array<k::float16> pairs = k::reshape(k::cast<k::float16>(floats(length * 4096, 1)), {length, 32, 128});
    const k::array<float> angles = k::reshape(floats(length * 64, 2) * 1e-4f, {length, 1, 64});
    const auto even = k::cast<float>(pairs(k::all, k::all, k::range(0, 128, 2)));
    const auto odd = k::cast<float>(pairs(k::all, k::all, k::range(1, 128, 2)));
    add("neighbours turned in their planes, float16", 4.0 * static_cast<double>(pairs.size()), 1.4,
        k::reshape(k::cast<k::float16>(k::stack(k::axis(3), even * angles - odd, odd * angles + even)),
                   {length, 32, 128}));

    const std::int64_t maps = std::max<std::int64_t>(elements * 2 / 3 / (4 * 101 * 103), 1);
    const k::array<k::float16> channels =
        k::reshape(k::cast<k::float16>(floats(maps * 4 * 101 * 103, 3)), {maps, 2, 2, 101, 103});
    add("channels to squares of two by two, float16", 4.0 * static_cast<double>(channels.size()), 1.5,
        k::reshape(k::transpose(channels, {0, 3, 1, 4, 2}), {maps, 202, 206}));
}

/// 27 points of doubles as a user writes them, with four weights: an H100 takes 126 us of 257 x 251 x 263 (198 where each was loaded).
void add_points(gpu_rows& rows, std::int64_t elements) {
    const std::int64_t depth = std::max<std::int64_t>(elements / 4 / (251 * 263), 3);
    const k::array<double> x = k::reshape(k::cast<double>(floats(depth * 251 * 263, 0)), {depth, 251, 263});
    std::array<std::optional<k::expr<double>>, 4> of_distance;
    for (int i = 0; i < 27; ++i) {
        const int a = i / 9, b = i / 3 % 3, c = i % 3;
        const auto at = x(k::range(a, depth - 2 + a), k::range(b, 249 + b), k::range(c, 261 + c));
        auto& sum = of_distance[static_cast<std::size_t>((a != 1) + (b != 1) + (c != 1))];
        if (sum) sum = *sum + at;
        else sum = at;
    }
    const k::expr<double> e =
        *of_distance[0] * 0.4 + *of_distance[1] * 0.06 + *of_distance[2] * 0.015 + *of_distance[3] * 0.0075;
    const auto y = std::make_shared<std::array<k::array<double>, 2>>();
    rows.add({.what = "27 points of doubles, 263 a row",
              .bytes = 16.0 * static_cast<double>(x.size()),
              .at_most = 1.6,
              .once = [y, e](int call) { (*y)[static_cast<std::size_t>(call % 2)] = e; },
              .plan = k::explain(e)});
}

/// Random numbers, which are only written; the CPU draws the same bits.
void add_random(gpu_rows& rows, std::int64_t elements) {
    const auto add = [&]<class E>(const std::string& what, double at_most, const E& drawn) {
        using T = k::value_t<E>;
        k::array<T> y[2] = {k::array<T>(drawn), k::array<T>(drawn)};
        rows.add({.what = what,
                  .bytes = static_cast<double>(elements) * sizeof(T),
                  .at_most = at_most,
                  .once = [&](int call) { y[call % 2] = drawn; },
                  .plan = k::explain(drawn)});
        std::int64_t begin = 0;
        std::vector<T> part;  // the CPU's elements from `begin` on
        rows.check(what, y[0], [&](std::int64_t i) {
            if (i < begin || i >= begin + static_cast<std::int64_t>(part.size())) {
                const k::scoped_device here(k::cpu);
                begin = i;
                part = k::array<T>(k::slice(drawn, k::range(i, std::min(i + 20'000, elements)))).to_host();
            }
            return part[static_cast<std::size_t>(i - begin)];
        });
    };
    add("uniform, floats: written only", 1.10, k::random::uniform<float>({elements}, 7));
    add("uniform, doubles: written only", 1.10, k::random::uniform<double>({elements}, 7));
    add("normal, floats: written only", 1.80, k::random::normal<float>({elements}, 7));
    add("normal, float16: written only", 3.00, k::random::normal<k::float16>({elements}, 7));
    add("normal, doubles: written only", 9.00, k::random::normal<double>({elements}, 7));
    add("integers up to 1000, int32: written only", 2.00, k::random::integers<std::int32_t>({elements}, 0, 1000, 7));
    const k::array<std::uint64_t> seed = k::full<std::uint64_t>({}, std::uint64_t{7});
    add("normal of an array's seed, floats: written only", 1.80, k::random::normal<float>({elements}, seed));
}

/// Seven points of a grid whose rows are short and begin anywhere: they share blocks.
void add_grid(gpu_rows& rows) {
    const std::int64_t planes = 511, lines = 255, columns = 257;
    const std::int64_t count = (planes + 2) * (lines + 2) * (columns + 2);
    const k::array<float> x = k::reshape(floats(count, 0), {planes + 2, lines + 2, columns + 2});
    k::array<float> y[2] = {k::zeros<float>({planes, lines, columns}), k::zeros<float>({planes, lines, columns})};
    const auto seven = [](const auto& of) {
        return 0.4f * of(1, 1, 1) +
               0.1f * (of(0, 1, 1) + of(2, 1, 1) + of(1, 0, 1) + of(1, 2, 1) + of(1, 1, 0) + of(1, 1, 2));
    };
    const auto at = [&](std::int64_t h, std::int64_t i, std::int64_t j) {
        return x(k::range(h, h + planes), k::range(i, i + lines), k::range(j, j + columns));
    };
    const std::string what = "7-point stencil of (513, 257, 259) floats";
    rows.add({.what = what,
              .bytes = static_cast<double>(count + planes * lines * columns) * sizeof(float),
              .at_most = 1.25,
              .once = [&, at, seven](int call) { y[call % 2] = seven(at); },
              .plan = k::explain(seven(at))});
    rows.check(what, y[0], [&](std::int64_t i) {
        const std::int64_t column = i % columns, line = i / columns % lines, plane = i / columns / lines;
        return seven([&](std::int64_t h, std::int64_t l, std::int64_t c) {
            return float_at(((plane + h) * (lines + 2) + line + l) * (columns + 2) + column + c, 0);
        });
    });
}

/// Filters of slices, whose rows have nothing in common with vectors.
void add_filters(gpu_rows& rows, std::int64_t edge) {
    const double planes = 2 * static_cast<double>(edge * edge) * sizeof(float);
    const std::int64_t pitch = edge + 3;
    const k::array<float> x = k::reshape(floats(pitch * pitch, 0), {pitch, pitch});
    const auto at = [&](std::int64_t i, std::int64_t j) { return x(k::range(i, i + edge), k::range(j, j + edge)); };
    k::array<float> y[2] = {k::zeros<float>({edge, edge}), k::zeros<float>({edge, edge})};
    const auto add = [&](const std::string& what, auto expression, auto expected) {
        rows.add({.what = what,
                  .bytes = planes,
                  .at_most = 1.25,
                  .once = [&](int call) { y[call % 2] = expression(); },
                  .plan = k::explain(expression())});
        rows.check(what, y[0], [&](std::int64_t i) {
            return expected([from = i / edge * pitch + i % edge, pitch](std::int64_t row, std::int64_t column) {
                return float_at(from + row * pitch + column, 0);
            });
        });
    };
    const auto box = [](const auto& of) {
        return of(0, 0) + of(0, 1) + of(0, 2) + of(0, 3) + of(1, 0) + of(1, 1) + of(1, 2) + of(1, 3) + of(2, 0) +
               of(2, 1) + of(2, 2) + of(2, 3) + of(3, 0) + of(3, 1) + of(3, 2) + of(3, 3);
    };
    const auto across = [](const auto& of) {
        return (of(0, 2) + 2.0f * of(1, 2) + of(2, 2)) - (of(0, 0) + 2.0f * of(1, 0) + of(2, 0));
    };
    const auto down = [](const auto& of) {
        return (of(2, 0) + 2.0f * of(2, 1) + of(2, 2)) - (of(0, 0) + 2.0f * of(0, 1) + of(0, 2));
    };
    add(
        "sums of 4 x 4 slices, floats: 2 planes", [&] { return box(at); }, box);
    add(
        "Sobel's magnitude of slices, floats: 2 planes",
        [&] { return k::sqrt(across(at) * across(at) + down(at) * down(at)); },
        [&](const auto& of) { return std::sqrt(across(of) * across(of) + down(of) * down(of)); });
    const auto heat = [](const auto& of) {
        return of(1, 1) + 0.2f * (of(0, 1) + of(2, 1) + of(1, 0) + of(1, 2) - 4.0f * of(1, 1));
    };
    add(
        "5-point stencil of slices, floats: 2 planes", [&] { return heat(at); }, heat);
    add_grid(rows);
}

/// Filters by shifts, with zeros outside: in a function, since the host takes longer to write 49 shifts than a GPU to compute them.
void add_shifts(gpu_rows& rows, std::int64_t edge) {
    const k::array<float> x = k::reshape(floats(edge * edge, 0), {edge, edge});
    k::array<float> y[2] = {k::zeros<float>({edge, edge}), k::zeros<float>({edge, edge})};
    for (const std::int64_t reach : {1, 3}) {
        const auto mean = k::fuse([reach](const k::expr<float>& of) {
            const auto side = static_cast<float>(2 * reach + 1);
            k::expr<float> sum = k::shift(of, {-reach, -reach});
            for (std::int64_t i = -reach; i <= reach; ++i)
                for (std::int64_t j = i == -reach ? 1 - reach : -reach; j <= reach; ++j)
                    sum = k::expr<float>(sum + k::shift(of, {i, j}));
            return k::expr<float>(sum * (1.0f / (side * side)));
        });
        rows.add({.what = k::text::format("mean of {0} x {0} neighbours by shifts, floats: 2 planes", 2 * reach + 1),
                  .bytes = 2 * static_cast<double>(edge * edge) * sizeof(float),
                  .at_most = reach == 1 ? 1.3 : 2.2,
                  .once = [&y, &x, mean](int call) { y[call % 2] = mean(x); },
                  .plan = k::explain(mean(x))});
    }
}

/// A picture of twice the size, of whose pixels each is between four: where they are is a formula of its row and its column.
void add_resized(gpu_rows& rows, std::int64_t edge) {
    const std::int64_t from = edge / 2;
    const k::array<float> picture = k::reshape(floats(from * from, 0), {from, from});
    k::array<float> y[2] = {k::zeros<float>({edge, edge}), k::zeros<float>({edge, edge})};
    const auto last = static_cast<float>(from - 1);
    const auto expression = [&, last] {
        const auto place = k::max(k::min((k::arange<float>(edge) + 0.5f) * 0.5f - 0.5f, last), 0.0f);
        const auto first = k::cast<int>(k::floor(place));
        const auto next = k::min(first + 1, static_cast<int>(from - 1));
        const auto right = place - k::floor(place);
        const auto down = k::reshape(place - k::floor(place), {edge, 1});
        const auto at = [&](const auto& row, const auto& column) {
            return k::take(k::take(picture, row, k::axis(0)), column, k::axis(1));
        };
        return (at(first, first) * (1.0f - right) + at(first, next) * right) * (1.0f - down) +
               (at(next, first) * (1.0f - right) + at(next, next) * right) * down;
    };
    const std::string what = "bilinear, twice the size, floats: 1.25 planes";
    rows.add({.what = what,
              .bytes = 1.25 * static_cast<double>(edge * edge) * sizeof(float),
              .at_most = 2.4,
              .once = [&](int call) { y[call % 2] = expression(); },
              .plan = k::explain(expression())});
    rows.check(what, y[0], [&](std::int64_t i) {
        const auto place = [&](std::int64_t of) {
            return std::max(std::min((static_cast<float>(of) + 0.5f) * 0.5f - 0.5f, last), 0.0f);
        };
        const float row = place(i / edge), column = place(i % edge);
        const auto upper = static_cast<std::int64_t>(row), left = static_cast<std::int64_t>(column);
        const std::int64_t lower = std::min(upper + 1, from - 1), beside = std::min(left + 1, from - 1);
        const float right = column - std::floor(column), down = row - std::floor(row);
        const auto at = [&](std::int64_t r, std::int64_t c) { return float_at(r * from + c, 0); };
        return (at(upper, left) * (1.0f - right) + at(upper, beside) * right) * (1.0f - down) +
               (at(lower, left) * (1.0f - right) + at(lower, beside) * right) * down;
    });
}

/// Kernels compiled when programs run again on other sizes, with other scalars.
std::int64_t recompilations() {
    const auto evaluate_all = [](std::int64_t edge, float scalar) {
        const std::int64_t elements = edge * edge;
        const k::array<float> x = floats(elements, 0);
        const k::array<float> m = k::reshape(x, {edge, edge});
        const k::array<float> row = k::reshape(floats(edge, 1), {1, edge});
        const k::array<float> y = x * scalar + x;
        const k::array<float> broadcast = m * row + scalar;
        const k::array<float> transposed = m + k::transpose(m) * scalar;
        const k::array<float> second = x(k::range(0, elements, 2)) + scalar;
        const k::array<float> shifted = k::shift(m, {1, 0}, k::boundary::clamp) * scalar;
        k::synchronize();
    };
    evaluate_all(1024, 0.5f);
    const std::int64_t before = k::counters::now().compiles;
    evaluate_all(4096, 0.5f);
    evaluate_all(1024, 0.25f);
    return k::counters::now().compiles - before;
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    if (!gpu_is_there()) {
        k::bench::print(stdout, "gpu_elementwise: not measured, kiln runs on the CPU here\n");
        return 0;
    }
    const std::int64_t elements = given.number("--elements", 67'108'864);
    const std::int64_t edge = given.number("--edge", 8192);
    const std::int64_t layers = given.number("--layers", 2500);
    report out("gpu_elementwise",
               k::text::format("{}; {} elements, matrices of {} x {} ({:.0f} MiB)", gpu_name(), elements, edge, edge,
                               static_cast<double>(edge * edge) * sizeof(float) / mebi),
               given);
    const gpu_stream stream;
    gpu_rows rows(out, stream, contiguous_bytes<double>(elements), static_cast<int>(given.number("--rounds", 15)));

    add_contiguous<bool>(rows, out, "bool", elements);
    add_contiguous<std::uint8_t>(rows, out, "uint8", elements);
    add_contiguous<std::int32_t>(rows, out, "int32", elements);
    add_contiguous<std::int64_t>(rows, out, "int64", elements);
    add_contiguous<float>(rows, out, "float32", elements);
    add_contiguous<double>(rows, out, "float64", elements);
    add_mixed(rows, elements);
    add_large_table(rows, layers);
    add_small_table(rows, std::min<std::int64_t>(layers, 100));
    add_matrix(rows, edge);
    add_views(rows, elements);
    add_gate(rows, elements);
    add_rotated(rows, elements);
    add_narrow(rows, elements);
    add_rearranged(rows, elements);
    add_points(rows, elements);
    add_filters(rows, edge);
    add_shifts(rows, edge);
    add_resized(rows, edge);
    add_random(rows, elements);
    rows.add_recompilations(recompilations());
    const bool right = rows.finish();
    const int status = out.finish();
    return right ? status : 1;
} catch (const std::exception& trouble) {
    return kiln::bench::fail("gpu_elementwise", trouble);
}
