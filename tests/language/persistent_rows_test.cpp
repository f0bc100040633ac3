// Programs whose rows a kernel keeps between reductions: the same bits as one kernel for each reduction gives, and right
// by loops in double. Of every length at which threads divide a row otherwise, and past what fits.
#include <language/elementwise.hpp>
#include <language/unfused.hpp>
#include <support/device_under_test.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace k = kiln;

namespace {

/// In (-4, 4), with a few of what is not finite where `special`.
template <class T>
std::vector<T> numbers(std::int64_t count, unsigned seed, bool special = false) {
    std::mt19937 random(seed);
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i) {
        double value = static_cast<double>(random() % 100003) / 12500.4 - 4;
        if (special && random() % 97 == 0) {
            const double inf = std::numeric_limits<double>::infinity();
            const double choices[] = {inf, -inf, std::nan(""), -0.0, 5e-324};
            value = choices[random() % 5];
        }
        if constexpr (k::detail::small_float<T>) out.push_back(T(static_cast<float>(value)));
        else out.push_back(static_cast<T>(value));
    }
    return out;
}

/// The same bits as with a kernel for each reduction and each operation.
template <class T>
std::vector<T> checked(const std::function<k::expr<T>()>& make, std::int64_t most_launches = 0) {
    const tests::fused_elements<T> got = tests::same_unfused(make);
    if (most_launches && tests::device().persistent_rows) CHECK(got.launches <= most_launches);
    return got.elements;
}

k::expr<float> softmax(const k::expr<float>& m, const k::axis_list& over) {
    const k::expr<float> e = k::exp(m - k::max(m, over, k::keep_dims));
    return e / k::sum(e, over, k::keep_dims);
}

template <class T>
k::expr<T> softmax_of(const k::array<T>& m, const k::axis_list& over) {
    const k::expr<T> e = k::exp(m - k::max(m, over, k::keep_dims));
    return e / k::sum(e, over, k::keep_dims);
}

const std::vector<k::shape>& shapes() {
    static const std::vector<k::shape> all = {{1, 1},       {3, 2},      {7, 5},       {64, 16},     {9, 17},
                                              {6, 32},      {6, 33},     {5, 100},     {33, 512},    {31, 513},
                                              {3, 1024},    {4, 1025},   {2, 4097},    {3, 8192},    {1, 8191},
                                              {2, 8193},    {140, 9000}, {133, 16384}, {132, 17001}, {132, 32768},
                                              {133, 33000}, {2, 40000},  {1000, 3},    {300, 1},     {1, 1000}};
    return all;
}

}  // namespace

TEST_CASE("rows: softmax, of every length") {
    for (const k::shape& of : shapes()) {
        CAPTURE(of[0]);
        CAPTURE(of[1]);
        const std::vector<float> host = numbers<float>(of.size(), 1);
        const k::array<float> m = k::from_host<float>(host, of);
        // Of rows of one element the values are neighbours, as columns are.
        const bool on_gpu = of[1] > 1 && (of[1] <= 8192 || (of[0] >= 132 && of[1] <= 33000));
        const bool fits = tests::device().is_cuda ? on_gpu : of[1] > 1 && of[1] <= 16384;
        const std::vector<float> got = checked<float>([&] { return softmax(m, k::axis(1)); }, fits ? 1 : 0);
        double worst = 0;
        for (std::int64_t row = 0; row < of[0]; ++row) {
            const float* const in = host.data() + row * of[1];
            const double largest = *std::max_element(in, in + of[1]);
            double total = 0;
            for (std::int64_t i = 0; i < of[1]; ++i) total += std::exp(in[i] - largest);
            for (std::int64_t i = 0; i < of[1]; ++i) {
                const double expected = std::exp(in[i] - largest) / total;
                worst =
                    std::max(worst, std::fabs(got[static_cast<std::size_t>(row * of[1] + i)] - expected) / expected);
            }
        }
        CHECK(worst < 4e-6);
    }
}

TEST_CASE("rows: a reduction that is cast to its own type computes nothing beside") {
    for (const std::int64_t count : {1, 40, 300, 1000, 30000}) {
        CAPTURE(count);
        const k::array<float> x = k::ones<float>({count});
        CHECK(k::cast<float>(k::sum(x)).item() == static_cast<float>(count));
        CHECK(k::cast<std::int64_t>(k::argmin(x)).item() == 0);
        k::array<float> most;
        k::array<float> least;
        std::tie(most, least) = k::eval(k::cast<float>(k::max(x)), k::cast<float>(k::min(x)));
        CHECK(k::sum(most + least).item() == 2.0f);
        const k::array<float> rows = k::ones<float>({3, count});
        const k::array<float> sums = k::cast<float>(k::sum(rows, k::axis(1), k::keep_dims));
        CHECK(k::sum(sums).item() == static_cast<float>(3 * count));
    }
}

TEST_CASE("rows: what is not finite goes its way") {
    const k::shape of{40, 130};
    const k::array<float> m = k::from_host<float>(numbers<float>(of.size(), 2, true), of);
    checked<float>([&] { return softmax(m, k::axis(1)); }, 1);
    checked<float>([&] { return (m - k::min(m, k::axis(1), k::keep_dims)) / k::max(m, k::axis(1), k::keep_dims); }, 1);
    checked<float>([&] { return k::logsumexp(m, k::axis(1)); }, 1);
}

/// Of each number of items that threads of a row have, and of one element more or less; some quotients are too small for fast paths, and
/// some are not.
TEST_CASE("rows: quotients of which some are near the limits, at lengths around whole items") {
    tests::sample quotients(2);
    for (const std::int64_t n : {129, 257, 385, 641, 769, 1021, 1024, 4097})
        for (const float spread : {1.0f, 30.0f, 1e37f}) {
            if (!quotients.takes_next()) continue;
            CAPTURE(n);
            CAPTURE(spread);
            const k::shape of{9, n};
            const k::array<float> m = k::from_host<float>(numbers<float>(of.size(), 31, n % 2 == 0), of);
            const auto e = k::exp(m * spread - k::max(m * spread, k::axis(1), k::keep_dims));
            checked<float>([&] { return e / k::sum(e, k::axis(1), k::keep_dims); }, 1);
            checked<float>([&] { return m / (k::max(m, k::axis(1), k::keep_dims) * spread); }, 1);
            const auto largest = k::max(k::abs(m), k::axis(1), k::keep_dims);
            checked<float>([&] { return k::sqrt(k::abs(m) / spread) / (largest * spread) - m; }, 1);
            const auto halves = k::cast<k::float16>(m);
            checked<k::float16>(
                [&] { return k::cast<k::float16>(m / k::max(k::cast<float>(halves), k::axis(1), k::keep_dims)); }, 1);
        }
}

TEST_CASE("rows: a layer's norm, with what scales it") {
    for (const k::shape& of : {k::shape{65, 768}, k::shape{30, 1001}, k::shape{4, 3}}) {
        const std::vector<double> host = numbers<double>(of.size(), 3);
        const k::array<double> x = k::from_host<double>(host, of);
        const k::array<double> scale = k::from_host<double>(numbers<double>(of[1], 4), {of[1]});
        const k::array<double> by_row = k::from_host<double>(numbers<double>(of[0], 5), {of[0], 1});
        const auto make = [&]() -> k::expr<double> {
            const auto centred = x - k::mean(x, k::axis(1), k::keep_dims);
            const auto variance = k::mean(k::square(centred), k::axis(1), k::keep_dims);
            return centred / k::sqrt(variance + 1e-5) * scale + by_row;
        };
        const std::vector<double> got = checked<double>(make, tests::device().is_cuda || of[1] > 32 ? 1 : 0);
        const std::vector<double> scales = scale.to_host();
        const std::vector<double> shifts = by_row.to_host();
        double worst = 0;
        for (std::int64_t row = 0; row < of[0]; ++row) {
            long double mean = 0;
            long double squares = 0;
            for (std::int64_t i = 0; i < of[1]; ++i) mean += host[static_cast<std::size_t>(row * of[1] + i)];
            mean /= of[1];
            for (std::int64_t i = 0; i < of[1]; ++i) {
                const long double left = host[static_cast<std::size_t>(row * of[1] + i)] - mean;
                squares += left * left;
            }
            for (std::int64_t i = 0; i < of[1]; ++i) {
                const auto at = static_cast<std::size_t>(row * of[1] + i);
                const long double expected =
                    (host[at] - mean) / std::sqrt(squares / of[1] + 1e-5L) * scales[static_cast<std::size_t>(i)] +
                    shifts[static_cast<std::size_t>(row)];
                worst = std::max(worst, static_cast<double>(std::fabs(got[at] - expected)));
            }
        }
        CHECK(worst < 1e-13);
    }
}

TEST_CASE("rows: one value for each, kept as an axis or not") {
    const k::shape of{50, 333};
    const k::array<double> x = k::from_host<double>(numbers<double>(of.size(), 6), of);
    const auto is = [&](const std::function<k::expr<double>()>& make, const k::shape& shape) {
        checked<double>(make, 1);
        CHECK(k::array<double>(make()).shape() == shape);
    };
    is([&] { return k::var(x, k::axis(1)); }, {50});
    is([&] { return k::stddev(x, k::axis(1), k::keep_dims); }, {50, 1});
    is([&] { return k::logsumexp(x, k::axis(1)); }, {50});
    is([&] { return k::logsumexp(x, k::axis(1), k::keep_dims); }, {50, 1});
    is([&] { return k::norm(x, k::axis(1)); }, {50});
    is([&] { return k::max(x, k::axis(1)) - k::min(x, k::axis(1)); }, {50});
    is([&] { return x / k::norm(x, k::axis(1), k::keep_dims); }, of);
}

TEST_CASE("rows: other types, and positions") {
    const k::shape of{37, 260};
    const k::array<k::float16> h = k::from_host<k::float16>(numbers<k::float16>(of.size(), 7), of);
    const k::array<k::bfloat16> b = k::from_host<k::bfloat16>(numbers<k::bfloat16>(of.size(), 8), of);
    const k::array<std::int32_t> i = k::from_host<std::int32_t>(numbers<std::int32_t>(of.size(), 9), of);
    const k::array<std::uint8_t> u = k::cast<std::uint8_t>(k::abs(i));
    const auto over = k::axis(1);
    checked<k::float16>([&] { return h - k::mean(h, over, k::keep_dims); }, 1);
    checked<k::bfloat16>([&] { return b / k::max(k::abs(b), over, k::keep_dims); }, 1);
    checked<std::int32_t>([&] { return i - k::min(i, over, k::keep_dims); }, 1);
    checked<std::uint64_t>([&] { return u + k::sum(u, over, k::keep_dims); }, 1);
    checked<std::int64_t>([&] { return k::argmax(h, over, k::keep_dims) * 2 + i; }, 1);
    checked<bool>([&] { return i == k::max(i, over, k::keep_dims); }, 1);
    checked<std::complex<float>>(
        [&] {
            const auto c = k::cast<std::complex<float>>(i) * std::complex<float>(0, 1);
            return c / k::sum(c, over, k::keep_dims);
        },
        1);
}

namespace {

/// Of 16-bit floats that are computed in float32, of which later phases keep what was read.
template <class T>
void check_norms(const k::expr<T>& x, const k::array<T>& scale) {
    const auto over = k::axis(1);
    const std::int64_t launches = tests::device().is_cuda ? 1 : 0;
    const k::expr<float> in = k::cast<float>(x);
    checked<T>([&] { return k::cast<T>(in * k::rsqrt(k::mean(in * in, over, k::keep_dims) + 1e-5f)) * scale; },
               launches);
    const k::expr<float> centred = in - k::mean(in, over, k::keep_dims);
    const k::expr<float> variance = k::mean(k::square(centred), over, k::keep_dims);
    checked<T>([&] { return k::cast<T>(centred / k::sqrt(variance + 1e-5f) * k::cast<float>(scale)); }, launches);
}

/// What is kept of them otherwise.
template <class T>
void check_narrow_rows(const k::expr<T>& x, const k::array<T>& scale) {
    const auto over = k::axis(1);
    const std::int64_t launches = tests::device().is_cuda ? 1 : 0;
    const k::expr<float> in = k::cast<float>(x);
    checked<T>([&] { return k::cast<T>(softmax(in, over)); }, launches);
    checked<T>([&] { return x - k::max(x, over, k::keep_dims) * k::min(x, over, k::keep_dims); }, launches);
    // Of two of them, of what was computed, of what is read in place, and no float32.
    const k::expr<float> both = in + k::cast<float>(k::flip(x));
    checked<float>([&] { return both * k::max(both, over, k::keep_dims); }, launches);
    const k::expr<float> product = k::cast<float>(x * scale);
    checked<float>([&] { return product - k::mean(product, over, k::keep_dims); }, launches);
    const k::expr<float> scales = k::cast<float>(scale);
    checked<float>([&] { return scales * k::sum(in * scales, over, k::keep_dims); }, launches);
    const k::expr<double> wide = k::cast<double>(x);
    checked<double>([&] { return wide - k::mean(wide, over, k::keep_dims); }, launches);
}

}  // namespace

TEST_CASE("rows: of 16-bit floats that are computed in float32") {
    tests::sample chosen(2);  // an odd number of kinds: what one length leaves out, the other has
    const auto check = [&]<class T>(T, const k::shape& of, bool special, std::int64_t first) {
        if (!chosen.takes_next()) return;
        CAPTURE(of[1]);
        const k::array<T> all = k::from_host<T>(numbers<T>(of.size() + first, 31, special), {of.size() + first});
        const k::array<T> scale = k::from_host<T>(numbers<T>(of[1], 32), {of[1]});
        const k::expr<T> x = k::reshape(all(k::range(first, first + of.size())), of);
        check_norms(x, scale);
        if (of[1] < 2000) check_narrow_rows(x, scale);
    };
    for (const k::shape& of : {k::shape{7, 1000}, k::shape{5, 1001}}) {
        check(k::float16(), of, false, 0);
        check(k::float16(), of, true, 1);  // the first at no multiple of a vector's bytes
        check(k::bfloat16(), of, true, 0);
    }
    for (const k::shape& of : {k::shape{2, 8192}, k::shape{132, 12000}, k::shape{132, 32001}})
        check(k::bfloat16(), of, false, 0);
}

TEST_CASE("rows: of views, of several axes, of all of them") {
    const k::array<float> m = k::from_host<float>(numbers<float>(60 * 84, 10), {60, 84});
    checked<float>([&] { return softmax(k::transpose(m), k::axis(1)); }, 1);
    checked<float>([&] { return softmax(k::flip(m), k::axis(-1)); }, 1);
    checked<float>([&] { return softmax(m(k::range(1, 60), k::range(1, 80)), k::axis(1)); }, 1);
    checked<float>([&] { return softmax(m(k::all, k::range(0, 84, 2)), k::axis(1)); }, 1);
    checked<float>([&] { return softmax(k::shift(m, {0, 1}), k::axis(1)); }, 1);
    checked<float>([&] { return softmax(m, k::axis(0)); });
    const k::array<float> cube = k::from_host<float>(numbers<float>(6 * 14 * 60, 11), {6, 14, 60});
    checked<float>([&] { return softmax(cube, k::axes(1, 2)); }, 1);
    checked<float>([&] { return softmax(cube, k::axes(0, 2)); }, tests::device().is_cuda ? 1 : 0);
    checked<float>([&] { return softmax(cube, k::axis(2)); }, 1);
    checked<float>([&] { return softmax(cube, {}); }, 1);
    checked<float>([&] { return m / k::sum(m); }, 1);
}

TEST_CASE("rows: reductions of what was made of others, over other axes, take more than one kernel") {
    const k::array<double> x = k::from_host<double>(numbers<double>(48 * 100, 12), {48, 100});
    checked<double>([&] { return k::mean(k::logsumexp(x, k::axis(1))); }, 3);
    checked<double>([&] { return k::sum(k::square(x - k::mean(x, k::axis(0), k::keep_dims)), k::axis(1)); }, 3);
}

TEST_CASE("rows: what reductions of several arrays come to is reduced in the kernel that keeps rows of all of them") {
    tests::sample sizes(3);
    for (const bool special : {false, true})
        for (const auto& of :
             {std::pair(33, 5), std::pair(7, 77), std::pair(5, 257), std::pair(3, 1009), std::pair(4, 1024)})
            for (const int over : {0, 1}) {
                if (!sizes.takes_next()) continue;
                const int rows = of.first;
                const int n = of.second;
                CAPTURE(n);
                CAPTURE(over);
                const auto a = k::from_host<float>(numbers<float>(std::int64_t{rows} * n, 3, special), {rows, n});
                const auto b = k::from_host<float>(numbers<float>(std::int64_t{rows} * n, 4, special), {rows, n});
                const k::axis_list axis = k::axis(over);
                checked<float>(
                    [&]() -> k::expr<float> {
                        const auto x = a - k::mean(a, axis, k::keep_dims);
                        const auto z = b - k::mean(b, axis, k::keep_dims);
                        return k::sum(x * z, axis) / k::sqrt(k::sum(x * x, axis) * k::sum(z * z, axis));
                    },
                    over == 1 && n > 5 ? 1 : 0);
                // The rows of one, and of both; of other rows each by itself.
                checked<float>([&]() -> k::expr<float> {
                    const auto far = k::abs(a - k::max(a, axis, k::keep_dims));
                    return k::sum(far * k::max(far, axis, k::keep_dims) - k::min(b, axis, k::keep_dims), axis);
                });
            }
}

TEST_CASE("rows: several results of one kernel, and in place of what they are made of") {
    const k::array<float> m = k::from_host<float>(numbers<float>(20 * 1000, 13), {20, 1000});
    const auto e = k::exp(m - k::max(m, k::axis(1), k::keep_dims));
    const k::counters before = k::counters::now();
    const auto [soft, total, twice] = k::eval(e / k::sum(e, k::axis(1), k::keep_dims), k::sum(e, k::axis(1)), m * 2);
    if (tests::device().persistent_rows) CHECK(k::counters::now().launches - before.launches == 1);
    CHECK(total.shape() == k::shape{20});
    CHECK(tests::difference(twice.to_host(), k::array<float>(m * 2).to_host()) == "");
    CHECK(tests::difference(soft.to_host(), k::array<float>(softmax(m, k::axis(1))).to_host()) == "");
    CHECK(tests::difference(total.to_host(), k::array<float>(k::sum(e, k::axis(1))).to_host()) == "");

    k::array<float> changed = k::array<float>(m + 0.0f);
    changed = softmax(changed, k::axis(1));
    CHECK(tests::difference(changed.to_host(), soft.to_host()) == "");
}

TEST_CASE("rows: explain shows one kernel and its source") {
    const k::array<float> m = k::ones<float>({64, 128});
    const auto plan = k::explain(softmax(m, k::axis(1)));
    REQUIRE(plan.kernels.size() == (tests::device().persistent_rows ? 1u : 3u));
    if (!tests::device().persistent_rows) return;
    CHECK(plan.kernels[0].bytes_read == 32768);
    CHECK(plan.kernels[0].bytes_written == 32768);
    CHECK(plan.temporary_bytes == 0);
    CHECK(plan.kernels[0].source.find("sum") != std::string::npos);
}

TEST_CASE("rows: elements of every width, of lengths around those that lanes and pieces have; every reduction at two") {
    tests::sample types(2);  // of five: what one length leaves out, the next has
    for (const std::int64_t length : {33, 47, 48, 100, 2047, 2048, 2049, 4096}) {
        CAPTURE(length);
        const k::shape of{5, length};
        const auto over = k::axis(1);
        const k::array<std::int8_t> i = k::from_host<std::int8_t>(numbers<std::int8_t>(of.size(), 24), of);
        if (types.takes_next()) checked<std::int8_t>([&] { return i - k::max(i, over, k::keep_dims); }, 1);
        const k::array<k::float16> h = k::from_host<k::float16>(numbers<k::float16>(of.size(), 22), of);
        if (types.takes_next()) checked<k::float16>([&] { return softmax_of(h, over); }, 1);
        const k::array<float> f = k::from_host<float>(numbers<float>(of.size(), 20, true), of);
        if (types.takes_next())
            checked<std::int64_t>([&] { return k::argmin(f, over, k::keep_dims) + k::cast<std::int64_t>(f < 1.0f); },
                                  1);
        const k::array<double> d = k::from_host<double>(numbers<double>(of.size(), 21), of);
        if (types.takes_next()) checked<double>([&] { return softmax_of(d, over); }, 1);
        const k::array<std::complex<double>> c = k::cast<std::complex<double>>(d) * std::complex<double>(0.6, -0.8);
        if (types.takes_next()) checked<std::complex<double>>([&] { return c - k::mean(c, over, k::keep_dims); }, 1);
        // Of one piece whose last lanes are idle, and one element more than a piece.
        if (length != 47 && length != 2049) continue;
        checked<float>([&] { return k::where(f > k::min(f, over, k::keep_dims), f, 2 * f); }, 1);
        checked<float>([&] { return f * k::prod(f * 0.5f, over, k::keep_dims); }, 1);
        checked<std::int64_t>([&] { return k::argmax(-f, over, k::keep_dims) - k::cast<std::int64_t>(f > 0.0f); }, 1);
        checked<bool>([&] { return k::any(f > 3.5f, over, k::keep_dims) == (f < 0.0f); }, 1);
        checked<bool>([&] { return k::all(f < 3.9f, over, k::keep_dims) == (f < 0.0f); }, 1);
        checked<k::float16>([&] { return h / k::norm(h, over, k::keep_dims); }, 1);
        const k::array<k::bfloat16> b = k::from_host<k::bfloat16>(numbers<k::bfloat16>(of.size(), 23), of);
        checked<k::bfloat16>([&] { return b - k::min(b, over, k::keep_dims) * k::max(b, over, k::keep_dims); }, 1);
        checked<double>([&] { return i - k::mean(i, over, k::keep_dims); }, 1);
        checked<std::complex<double>>([&] { return c / k::prod(c, over, k::keep_dims); }, 1);
    }
}

TEST_CASE("rows: where no element is better than any, the first is the least and the greatest") {
    const float inf = std::numeric_limits<float>::infinity();
    for (const float all : {inf, -inf, 0.0f, std::nanf("")}) {
        const k::array<float> x = k::from_host<float>(std::vector<float>(3 * 37, all), {3, 37});
        const auto [least, greatest, beside] =
            k::eval(k::argmin(x, k::axis(1)), k::argmax(x, k::axis(1)), x - k::max(x, k::axis(1), k::keep_dims));
        CHECK(least.to_host() == std::vector<std::int64_t>{0, 0, 0});
        CHECK(greatest.to_host() == std::vector<std::int64_t>{0, 0, 0});
        CHECK(beside.shape() == x.shape());
    }
}

TEST_CASE("rows: of several axes that operands walk apart") {
    const k::array<float> cube = k::from_host<float>(numbers<float>(6 * 14 * 260, 25), {6, 14, 260});
    const k::array<float> by_inner = k::from_host<float>(numbers<float>(260, 26), {260});
    const k::array<float> by_middle = k::from_host<float>(numbers<float>(14, 27), {14, 1});
    const auto over = k::axes(1, 2);
    checked<float>([&] { return softmax(cube * by_inner, over); }, 1);
    checked<float>([&] { return softmax(cube + by_middle, over) * by_inner; }, 1);
    checked<float>([&] { return softmax(cube(k::all, k::range(1, 13), k::range(3, 200)), over); }, 1);
    checked<float>([&] { return softmax(k::flip(cube), over); }, 1);
    checked<float>([&] { return softmax(k::shift(cube, {0, 1, 2}), over); }, 1);
    checked<std::int64_t>([&] { return k::argmax(cube * by_inner, over, k::keep_dims) + k::cast<std::int64_t>(cube); },
                          1);
    const k::array<float> deep = k::from_host<float>(numbers<float>(3 * 4 * 5 * 6 * 7, 28), {3, 4, 5, 6, 7});
    const k::array<float> some = k::from_host<float>(numbers<float>(4 * 6, 29), {4, 1, 6, 1});
    checked<float>([&] { return softmax(deep * some, k::axes(3, 4)); }, 1);
    checked<float>([&] { return softmax(deep * some, k::axes(2, 3, 4)); }, 1);
    checked<float>([&] { return softmax(deep * some, {}); }, 1);
}

TEST_CASE("rows: elements that are one for each row, reductions of kept values, and results of both kinds") {
    const k::array<float> m = k::from_host<float>(numbers<float>(50 * 2100, 30), {50, 2100});
    const auto over = k::axis(1);
    checked<float>([&] { return k::sum(m * 0 + k::max(m, over, k::keep_dims), over); }, 1);
    checked<float>([&] { return k::max(m, over, k::keep_dims) + k::zeros<float>({50, 2100}); }, 1);
    const auto e = k::exp(m - k::max(m, over, k::keep_dims));
    const auto share = e / k::sum(e, over, k::keep_dims);
    const k::counters before = k::counters::now();
    const auto [soft, entropy, largest, least, where] =
        k::eval(share, k::sum(share * k::log(share), over), k::max(e, over), k::min(share, over, k::keep_dims),
                k::argmax(share, over));
    if (tests::device().persistent_rows) CHECK(k::counters::now().launches - before.launches == 1);
    const k::scoped_options apart({.fuse = false});
    CHECK(tests::difference(soft.to_host(), k::array<float>(share).to_host()) == "");
    CHECK(tests::difference(entropy.to_host(), k::array<float>(k::sum(share * k::log(share), over)).to_host()) == "");
    CHECK(tests::difference(largest.to_host(), k::array<float>(k::max(e, over)).to_host()) == "");
    CHECK(tests::difference(least.to_host(), k::array<float>(k::min(share, over, k::keep_dims)).to_host()) == "");
    CHECK(where.to_host() == k::array<std::int64_t>(k::argmax(share, over)).to_host());
}

TEST_CASE("rows: without elements, and without rows") {
    const auto over = k::axis(1);
    for (const k::shape& of : {k::shape{3, 0}, k::shape{0, 5}}) {
        const k::array<float> none = k::zeros<float>(of);
        const k::array<float> out = none / k::sum(none, over, k::keep_dims);
        CHECK(out.shape() == of);
        CHECK(out.to_host().empty());
    }
    const k::array<float> of_nothing = k::sqrt(k::sum(k::zeros<float>({3, 0}), over)) + 1.0f;
    CHECK(of_nothing.to_host() == std::vector<float>{1, 1, 1});
}

TEST_CASE("rows: a warm call compiles nothing; the CPU's rows have the same bits however many there are") {
    const k::array<float> m = k::from_host<float>(numbers<float>(3000 * 70, 31), {3000, 70});
    const std::vector<float> first = k::array<float>(softmax(m, k::axis(1))).to_host();
    const k::counters before = k::counters::now();
    CHECK(tests::difference(k::array<float>(softmax(m, k::axis(1))).to_host(), first) == "");
    CHECK(k::counters::now().compiles == before.compiles);
    if (tests::device().plans_cuda) return;
    const std::vector<float> few = k::array<float>(softmax(m(k::range(1000, 1007)), k::axis(1))).to_host();
    CHECK(tests::difference(few, {first.begin() + 1000 * 70, first.begin() + 1007 * 70}) == "");
    CHECK(k::counters::now().compiles == before.compiles);
}

TEST_CASE("elements beside their reduction are stored by the kernel that reduces them") {
    for (const k::shape& of : {k::shape{512, 512}, k::shape{3}, k::shape{70, 1001}, k::shape{5, 200000}}) {
        const k::array<float> f = k::from_host<float>(numbers<float>(of.size(), 14), of);
        const k::array<float> d = k::from_host<float>(std::vector<float>{0.5f}, k::shape{});
        const k::counters before = k::counters::now();
        const auto [next, square, total] = k::eval(f * d + 1, f * f, k::sum(f * d + 1));
        const std::int64_t launches = k::counters::now().launches - before.launches;
        if (tests::device().is_cuda) CHECK(launches == 1);
        CHECK(tests::difference(next.to_host(), k::array<float>(f * d + 1).to_host()) == "");
        CHECK(tests::difference(square.to_host(), k::array<float>(f * f).to_host()) == "");
        const k::scoped_options apart({.fuse = false});
        CHECK(tests::same_bits(total.item(), k::array<float>(k::sum(f * d + 1)).item()));
    }
    const k::array<float> m = k::from_host<float>(numbers<float>(300 * 40, 15), {300, 40});
    const auto [columns, doubled] = k::eval(k::sum(m, k::axis(0)), m + m);
    CHECK(tests::difference(doubled.to_host(), k::array<float>(m + m).to_host()) == "");
    CHECK(tests::difference(columns.to_host(), k::array<float>(k::sum(m, k::axis(0))).to_host()) == "");
}

TEST_CASE("a warm reduction makes nothing but its result") {
    const k::array<float> x = k::ones<float>({1000});
    k::array<float> s = k::sum(x * x);
    const k::counters before = k::counters::now();
    for (int i = 0; i < 3; ++i) s = k::sum(x * x);
    CHECK(k::counters::now().compiles == before.compiles);
    CHECK(s.item() == 1000.0f);
}

TEST_CASE("rows of more views than a kernel has parameters for") {
    // An integer of each place: the sums are exact in any order.
    const std::int64_t rows = 6;
    const std::int64_t columns = 40;
    const k::array<double> x =
        k::cast<double>(k::reshape(k::arange<std::int64_t>(rows * columns) % 97, {rows, columns}));
    const std::vector<double> values = x.to_host();
    for (const int views : {2, 12, 30, 44}) {
        CAPTURE(views);
        k::expr<double> sum = x;
        for (int i = 1; i < views; ++i) sum = sum + k::shift(x, {i % 5, i % 7 - 3}, k::boundary::wrap);
        const k::array<double> got = sum - k::max(sum, k::axis(1), k::keep_dims);
        std::vector<double> expected;
        for (std::int64_t row = 0; row < rows; ++row) {
            std::vector<double> line;
            for (std::int64_t column = 0; column < columns; ++column) {
                double one = 0;
                for (int i = 0; i < views; ++i) {
                    const std::int64_t y = i ? (row - i % 5 + rows) % rows : row;
                    const std::int64_t z = i ? (column - (i % 7 - 3) + columns) % columns : column;
                    one += values[static_cast<std::size_t>(y * columns + z)];
                }
                line.push_back(one);
            }
            const double most = *std::max_element(line.begin(), line.end());
            for (const double each : line) expected.push_back(each - most);
        }
        CHECK_SAME(got.to_host(), expected);
    }
}
