// Programs whose columns a kernel keeps between reductions: the same bits as one kernel for each reduction gives, and right by loops in
// double. Of every height at which threads divide a column otherwise, and past what fits.
#include <language/elementwise.hpp>
#include <language/unfused.hpp>
#include <support/device_under_test.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace k = kiln;

namespace {

/// In (-4, 4), with a few of what is not finite where `special`.
template <class T>
k::array<T> column_numbers(const k::shape& of, unsigned seed, bool special = false) {
    std::mt19937 random(seed);
    std::vector<T> out;
    for (std::int64_t i = 0; i < of.size(); ++i) {
        double value = static_cast<double>(random() % 100003) / 12500.4 - 4;
        if (special && random() % 97 == 0) {
            const double inf = std::numeric_limits<double>::infinity();
            const double choices[] = {inf, -inf, std::nan(""), -0.0, 5e-324};
            value = choices[random() % 5];
        }
        if constexpr (k::detail::small_float<T>) out.push_back(T(static_cast<float>(value)));
        else out.push_back(static_cast<T>(value));
    }
    return k::from_host<T>(out, of);
}

/// The same bits as with a kernel for each reduction and each operation. `launches`: on a GPU; 0: whatever it takes.
template <class T>
std::vector<T> same_columns(const std::function<k::expr<T>()>& make, std::int64_t launches = 1) {
    const tests::fused_elements<T> got = tests::same_unfused(make);
    if (launches && tests::device().is_cuda) CHECK(got.launches == launches);
    return got.elements;
}

template <class T>
k::expr<T> column_softmax(const k::expr<T>& m, const k::axis_list& over) {
    const k::expr<T> e = k::exp(m - k::max(m, over, k::keep_dims));
    return e / k::sum(e, over, k::keep_dims);
}

template <class T>
k::expr<T> z_scores(const k::expr<T>& x, const k::axis_list& over) {
    const k::expr<T> centred = x - k::mean(x, over, k::keep_dims);
    return centred / (k::sqrt(k::mean(k::square(centred), over, k::keep_dims)) + T(1e-6));
}

/// Of each column of (outer, height, inner), by loops.
void check_softmax(const std::vector<float>& in, const std::vector<float>& got, const k::shape& of) {
    double worst = 0;
    // Of many columns some, all over the array: what is compared bit by bit beside this is every column.
    const std::int64_t step = of.size() > 4'000'000 ? 13 : 1;
    for (std::int64_t outer = 0; outer < of[0]; ++outer)
        for (std::int64_t inner = outer % step; inner < of[2]; inner += step) {
            const auto at = [&](std::int64_t row) {
                return static_cast<std::size_t>((outer * of[1] + row) * of[2] + inner);
            };
            double largest = in[at(0)];
            for (std::int64_t row = 1; row < of[1]; ++row) largest = std::max<double>(largest, in[at(row)]);
            double total = 0;
            for (std::int64_t row = 0; row < of[1]; ++row) total += std::exp(in[at(row)] - largest);
            for (std::int64_t row = 0; row < of[1]; ++row) {
                const double expected = std::exp(in[at(row)] - largest) / total;
                worst = std::max(worst, std::fabs(got[at(row)] - expected) / expected);
            }
        }
    CHECK(worst < 4e-6);
}

}  // namespace

namespace {

/// Fewer outer ones of many columns, where that saves time and no height or width.
k::shape with_fewer_outer(k::shape of) {
    constexpr std::int64_t many = 6'000'000;
    if (tests::tries_every_combination() || of.size() <= many) return of;
    return {std::max<std::int64_t>(1, many / (of[1] * of[2])), of[1], of[2]};
}

}  // namespace

TEST_CASE("columns: softmax, of every height and of few columns and many") {
    for (const k::shape& each :
         {k::shape{1, 2, 1000}, k::shape{2, 7, 300}, k::shape{3, 15, 33}, k::shape{2, 16, 32}, k::shape{5, 17, 31},
          k::shape{1, 64, 40}, k::shape{3, 65, 128}, k::shape{40, 100, 7}, k::shape{900, 40, 2}, k::shape{2, 129, 36},
          k::shape{70, 257, 1023}, k::shape{30, 400, 3001}, k::shape{1, 300, 70001}, k::shape{1, 1021, 1023}}) {
        const k::shape of = with_fewer_outer(each);
        CAPTURE(of[0]);
        CAPTURE(of[1]);
        CAPTURE(of[2]);
        const k::array<float> m = column_numbers<float>(of, 1);
        check_softmax(m.to_host(), same_columns<float>([&] { return column_softmax<float>(m, k::axis(1)); }, 0), of);
    }
}

TEST_CASE("columns: of many columns a kernel keeps all, where a GPU has room for them") {
    for (const k::shape& of : {k::shape{40, 3, 4000}, k::shape{40, 64, 2048}, k::shape{34, 1000, 1000}}) {
        if (!tests::device().is_cuda && of.size() > 6'000'000) continue;
        CAPTURE(of[1]);
        CAPTURE(of[2]);
        const k::array<float> m = column_numbers<float>(of, 2);
        check_softmax(m.to_host(), same_columns<float>([&] { return column_softmax<float>(m, k::axis(1)); }), of);
    }
}

TEST_CASE("columns: z-scores of columns that are split") {
    for (const k::shape& of : {k::shape{1100, 8500}, k::shape{2600, 8449}, k::shape{270, 36}, k::shape{140, 3000}}) {
        if (!tests::device().is_cuda && of.size() > 6'000'000) continue;
        CAPTURE(of[0]);
        CAPTURE(of[1]);
        const k::array<float> x = column_numbers<float>(of, 3);
        same_columns<float>([&] { return z_scores<float>(x, k::axis(0)); }, 0);
        same_columns<float>([&] { return column_softmax<float>(x, k::axis(0)); }, 0);
        same_columns<std::int64_t>([&] { return k::argmax(x, k::axis(0), k::keep_dims) + k::cast<std::int64_t>(x); },
                                   0);
    }
}

TEST_CASE("columns: of rows that begin between sectors, heights at which blocks share a column's threads, and below") {
    if (!tests::device().is_cuda) return;  // no other device has blocks
    for (const k::shape& of : {k::shape{521, 34001}, k::shape{641, 34001}, k::shape{1021, 34001}, k::shape{1031, 34001},
                               k::shape{2600, 16411}, k::shape{4099, 16411}}) {
        CAPTURE(of[0]);
        CAPTURE(of[1]);
        const k::array<float> x = k::random::uniform<float>(of, 7) * 8.0f - 4.0f;
        same_columns<float>([&] { return z_scores<float>(x, k::axis(0)); });
        same_columns<float>([&] { return x - k::max(x, k::axis(0)); });
        same_columns<float>([&] { return column_softmax<float>(x, k::axis(0)); });
    }
}

TEST_CASE("columns: so tall ones between sectors are read again, by a kernel beside that of what they come to") {
    if (!tests::device().is_cuda) return;
    const k::shape of{1700, 34001}, taller{2048, 34001}, split{5600, 17001};
    for (const k::shape& each : {of, taller, split}) {
        CAPTURE(each[0]);
        const k::array<float> x = k::random::uniform<float>(each, 9) * 8.0f - 4.0f;
        same_columns<float>([&] { return z_scores<float>(x, k::axis(0)); }, 2);
        same_columns<float>([&] { return column_softmax<float>(x, k::axis(0)); }, 2);
        same_columns<float>([&] { return x - k::max(x, k::axis(0)); }, each == of ? 1 : 2);
        same_columns<float>([&] { return k::var(x, k::axis(0)); });
    }
}

TEST_CASE("columns: z-scores and softmax of columns in more splits than a cluster has blocks") {
    for (const k::shape& of : {k::shape{600, 40}, k::shape{1024, 36}, k::shape{1500, 1000}, k::shape{2112, 33}}) {
        CAPTURE(of[0]);
        CAPTURE(of[1]);
        const k::array<double> x = column_numbers<double>(of, 5);
        same_columns<double>([&] { return z_scores<double>(x, k::axis(0)); }, 0);
        same_columns<double>([&] { return k::stddev(x, k::axis(0)); }, 0);
        const k::array<float> y = column_numbers<float>(of, 6, /*special=*/true);
        same_columns<float>([&] { return z_scores<float>(y, k::axis(0)); }, 0);
        same_columns<float>([&] { return column_softmax<float>(y, k::axis(0)); }, 0);
    }
}

TEST_CASE("columns: neighbours in a vector and others, of heights around those of a thread's part of a column") {
    const auto over = k::axis(1);
    tests::sample sizes(5);
    for (const std::int64_t height : {1, 2, 7, 8, 9, 31, 32, 33, 65, 127, 129, 500, 1023, 1025})
        for (const std::int64_t width : {1, 4, 7, 15, 17, 36, 63, 64, 65}) {
            if (height > 130 && width % 4 != 0 && width % 4 != 3 && !tests::device().is_cuda) continue;
            if (!sizes.takes_next()) continue;
            CAPTURE(height);
            CAPTURE(width);
            const k::shape of{3, height, width};
            const k::array<float> m = column_numbers<float>(of, 31);
            check_softmax(m.to_host(), same_columns<float>([&] { return column_softmax<float>(m, over); }, 0), of);
            same_columns<float>([&] { return z_scores<float>(m, over); }, 0);
        }
}

TEST_CASE("columns: in vectors, of all types, several results, and what is not finite") {
    tests::sample chosen(3);  // of 8: what one height leaves out, another has
    const auto over = k::axis(1);
    for (const std::int64_t height : {5, 33, 300, 1000}) {
        CAPTURE(height);
        const k::shape of{3, height, 68};
        const k::array<float> f = column_numbers<float>(of, 32, true);
        const k::array<double> d = column_numbers<double>(of, 33, true);
        const k::array<k::float16> h = column_numbers<k::float16>(of, 34);
        const k::array<float> by_row = column_numbers<float>({height, 1}, 35);
        const k::array<float> by_column = column_numbers<float>({68}, 36);
        if (chosen.takes_next()) same_columns<float>([&] { return column_softmax<float>(f, over); }, 0);
        if (chosen.takes_next()) same_columns<float>([&] { return k::logsumexp(f, over); }, 0);
        if (chosen.takes_next()) same_columns<float>([&] { return k::stddev(f, over) + k::var(f, over); }, 0);
        if (chosen.takes_next()) same_columns<double>([&] { return z_scores<double>(d, over); }, 0);
        if (chosen.takes_next())
            same_columns<double>([&] { return d - k::max(d, over, k::keep_dims) * k::min(d, over, k::keep_dims); }, 0);
        if (chosen.takes_next()) same_columns<k::float16>([&] { return column_softmax<k::float16>(h, over); }, 0);
        if (chosen.takes_next())
            same_columns<float>([&] { return (f - k::mean(f * by_row, over, k::keep_dims)) * by_column + by_row; }, 0);
        if (chosen.takes_next())
            same_columns<std::int64_t>([&] { return k::argmax(f, over, k::keep_dims) + k::cast<std::int64_t>(f > 0); },
                                       0);
        const auto e = k::exp(d - k::max(d, over, k::keep_dims));
        const auto share = e / k::sum(e, over, k::keep_dims);
        const auto [soft, total, most] = k::eval(share, k::sum(e, over), k::max(share * d, over));
        const k::scoped_options apart({.fuse = false});
        CHECK(tests::difference(soft.to_host(), k::array<double>(share).to_host()) == "");
        CHECK(tests::difference(total.to_host(), k::array<double>(k::sum(e, over)).to_host()) == "");
        CHECK(tests::difference(most.to_host(), k::array<double>(k::max(share * d, over)).to_host()) == "");
    }
}

TEST_CASE("columns: what is not finite goes its way") {
    for (const k::shape& of : {k::shape{30, 130, 50}, k::shape{4, 11, 40}}) {
        const k::array<float> m = column_numbers<float>(of, 4, true);
        const auto over = k::axis(1);
        same_columns<float>([&] { return column_softmax<float>(m, over); });
        same_columns<float>([&] { return (m - k::min(m, over, k::keep_dims)) / k::max(m, over, k::keep_dims); });
        same_columns<float>([&] { return k::logsumexp(m, over); });
    }
}

TEST_CASE("columns: a norm over channels, with a scale and an offset of each channel, of each place, of all") {
    for (const k::shape& of : {k::shape{6, 64, 196}, k::shape{3, 100, 49}, k::shape{70, 12, 5}}) {
        const k::array<double> x = column_numbers<double>(of, 5);
        const k::array<double> by_channel = column_numbers<double>({of[1], 1}, 6);
        const k::array<double> by_place = column_numbers<double>({of[2]}, 7);
        const k::array<double> by_batch = column_numbers<double>({of[0], 1, 1}, 8);
        const k::array<double> of_all = column_numbers<double>({}, 9);
        const k::array<double> beside = column_numbers<double>(of, 10);
        const auto make = [&]() -> k::expr<double> {
            const auto centred = x - k::mean(x, k::axis(1), k::keep_dims);
            const auto variance = k::mean(k::square(centred), k::axis(1), k::keep_dims);
            return centred / k::sqrt(variance + 1e-5) * by_channel + by_place * by_batch - of_all + beside;
        };
        const std::vector<double> got = same_columns<double>(make);
        const std::vector<double> in = x.to_host(), scale = by_channel.to_host(), place = by_place.to_host(),
                                  batch = by_batch.to_host(), more = beside.to_host();
        const double all = of_all.item();
        double worst = 0;
        for (std::int64_t n = 0; n < of[0]; ++n)
            for (std::int64_t i = 0; i < of[2]; ++i) {
                const auto at = [&](std::int64_t c) { return static_cast<std::size_t>((n * of[1] + c) * of[2] + i); };
                long double mean = 0;
                long double squares = 0;
                for (std::int64_t c = 0; c < of[1]; ++c) mean += in[at(c)];
                mean /= of[1];
                for (std::int64_t c = 0; c < of[1]; ++c) squares += (in[at(c)] - mean) * (in[at(c)] - mean);
                for (std::int64_t c = 0; c < of[1]; ++c) {
                    const long double wanted =
                        (in[at(c)] - mean) / std::sqrt(squares / of[1] + 1e-5L) * scale[static_cast<std::size_t>(c)] +
                        place[static_cast<std::size_t>(i)] * batch[static_cast<std::size_t>(n)] - all + more[at(c)];
                    worst = std::max(worst, static_cast<double>(std::fabs(got[at(c)] - wanted)));
                }
            }
        CHECK(worst < 1e-13);
    }
}

TEST_CASE("columns: one value for each, kept as an axis or not, over the outermost axes and others") {
    const k::shape of{6, 33, 34};
    const k::array<double> x = column_numbers<double>(of, 11);
    const auto is = [&](const std::function<k::expr<double>()>& make, const k::shape& shape) {
        same_columns<double>(make);
        CHECK(k::array<double>(make()).shape() == shape);
    };
    is([&] { return k::var(x, k::axis(1)); }, {6, 34});
    is([&] { return k::stddev(x, k::axis(1), k::keep_dims); }, {6, 1, 34});
    is([&] { return k::logsumexp(x, k::axis(0)); }, {33, 34});
    is([&] { return k::norm(x, k::axes(0, 1)); }, {34});
    is([&] { return k::max(x, k::axis(0)) - k::min(x, k::axis(0)); }, {33, 34});
    is([&] { return x / k::norm(x, k::axis(0), k::keep_dims); }, of);
    // The outermost axes may be dropped: what is left stands where it belongs.
    is([&] { return x - k::mean(x, k::axis(0)); }, of);
    is([&] { return x / k::max(x, k::axes(0, 1)); }, of);
    is([&] { return x / k::max(x, k::axis(0)) - k::min(x, k::axis(0), k::keep_dims); }, of);
}

TEST_CASE("columns: elements of every type, of heights around those that threads have; every reduction") {
    tests::sample chosen(3);  // of 14: what one height leaves out, another has
    for (const k::shape& of : {k::shape{3, 35, 40}, k::shape{60, 255, 33}, k::shape{2, 9, 70}}) {
        CAPTURE(of[1]);
        const auto over = k::axis(1);
        const k::array<std::int8_t> i = column_numbers<std::int8_t>(of, 12);
        const k::array<k::float16> h = column_numbers<k::float16>(of, 13);
        const k::array<k::bfloat16> b = column_numbers<k::bfloat16>(of, 14);
        const k::array<float> f = column_numbers<float>(of, 15, true);
        const k::array<double> d = column_numbers<double>(of, 16);
        const k::array<std::int32_t> n = k::cast<std::int32_t>(i) * 1000;
        const k::array<std::uint8_t> u = k::cast<std::uint8_t>(k::abs(n));
        const k::array<std::complex<double>> c = k::cast<std::complex<double>>(d) * std::complex<double>(0.6, -0.8);
        const k::array<std::complex<float>> s = k::cast<std::complex<float>>(c);
        if (chosen.takes_next())
            same_columns<std::int8_t>([&] { return i - k::max(i, over, k::keep_dims); }, of[1] < 100 ? 1 : 0);
        if (chosen.takes_next()) same_columns<std::int32_t>([&] { return n - k::min(n, over, k::keep_dims); });
        if (chosen.takes_next())
            same_columns<std::uint64_t>([&] { return u + k::sum(u, over, k::keep_dims); }, of[1] < 100 ? 1 : 0);
        // Narrow elements of tall columns are read for each of the reductions, unless rows of them move in vectors.
        if (chosen.takes_next())
            same_columns<k::float16>([&] { return column_softmax<k::float16>(h, over); }, of[1] < 100 ? 1 : 0);
        if (chosen.takes_next())
            same_columns<k::bfloat16>([&] { return b - k::min(b, over, k::keep_dims) * k::max(b, over, k::keep_dims); },
                                      of[1] < 100 ? 1 : 0);
        if (chosen.takes_next()) same_columns<double>([&] { return column_softmax<double>(d, over); });
        if (chosen.takes_next()) same_columns<double>([&] { return z_scores<double>(d, over); });
        if (chosen.takes_next()) same_columns<std::complex<double>>([&] { return c - k::mean(c, over, k::keep_dims); });
        if (chosen.takes_next()) same_columns<std::complex<float>>([&] { return s / k::sum(s, over, k::keep_dims); });
        if (chosen.takes_next())
            same_columns<std::int64_t>(
                [&] { return k::argmin(f, over, k::keep_dims) + k::cast<std::int64_t>(f < 1.0f); });
        if (chosen.takes_next())
            same_columns<std::int64_t>(
                [&] { return k::argmax(-f, over, k::keep_dims) - k::cast<std::int64_t>(f > 0.0f); });
        if (chosen.takes_next()) same_columns<float>([&] { return f * k::prod(f * 0.5f, over, k::keep_dims); });
        if (chosen.takes_next()) same_columns<bool>([&] { return k::any(f > 3.5f, over, k::keep_dims) == (f < 0.0f); });
        if (chosen.takes_next()) same_columns<bool>([&] { return k::all(f < 3.9f, over, k::keep_dims) == (f < 0.0f); });
    }
}

TEST_CASE("columns: of views, of several axes, and of arrays that begin between vectors") {
    const k::array<float> m = column_numbers<float>({84, 60}, 17);
    same_columns<float>([&] { return column_softmax<float>(m, k::axis(0)); });
    same_columns<float>([&] { return column_softmax<float>(k::flip(m), k::axis(0)); });
    same_columns<float>([&] { return column_softmax<float>(k::transpose(m), k::axis(0)); });
    same_columns<float>([&] { return column_softmax<float>(m(k::range(1, 80), k::range(3, 60)), k::axis(0)); });
    same_columns<float>([&] { return column_softmax<float>(m(k::range(0, 84, 2), k::all), k::axis(0)); });
    same_columns<float>([&] { return column_softmax<float>(k::shift(m, {1, 1}), k::axis(0)); });
    const k::array<float> deep = column_numbers<float>({6, 14, 5, 40}, 18);
    const k::array<float> some = column_numbers<float>({14, 1, 40}, 19);
    same_columns<float>([&] { return column_softmax<float>(deep, k::axes(0, 2)); });
    same_columns<float>([&] { return column_softmax<float>(deep * some, k::axes(1, 2)); });
    same_columns<float>([&] { return column_softmax<float>(deep + some, k::axes(0, 1, 2)) * some; });
    same_columns<float>([&] { return column_softmax<float>(deep * some, k::axis(1)); });
    same_columns<float>([&] { return m - k::cast<float>(k::index(0)) * k::max(m, k::axis(0)); });
}

TEST_CASE("columns: several results of one kernel, and in place of what they are made of") {
    const k::array<float> m = column_numbers<float>({20, 130, 100}, 20);
    const auto over = k::axis(1);
    const auto e = k::exp(m - k::max(m, over, k::keep_dims));
    const auto share = e / k::sum(e, over, k::keep_dims);
    const k::counters before = k::counters::now();
    const auto [soft, total, twice, where] = k::eval(share, k::sum(e, over), m * 2, k::argmax(share, over));
    if (tests::device().is_cuda) CHECK(k::counters::now().launches - before.launches == 1);
    CHECK(total.shape() == k::shape{20, 100});
    const k::scoped_options apart({.fuse = false});
    CHECK(tests::difference(twice.to_host(), k::array<float>(m * 2).to_host()) == "");
    CHECK(tests::difference(soft.to_host(), k::array<float>(share).to_host()) == "");
    CHECK(tests::difference(total.to_host(), k::array<float>(k::sum(e, over)).to_host()) == "");
    CHECK(where.to_host() == k::array<std::int64_t>(k::argmax(share, over)).to_host());
    k::array<float> changed = k::array<float>(m + 0.0f);
    {
        const k::scoped_options together({.fuse = true});
        changed = column_softmax<float>(changed, over);
    }
    CHECK(tests::difference(changed.to_host(), soft.to_host()) == "");
}

TEST_CASE("columns: rows that begin between sectors, in place and not, of all widths of elements") {
    // Panels side by side begin at different times: where several waves of blocks have them, what one stores in place the next would read.
    const auto check_type_of = [](auto zero, const k::shape& of) {
        using T = decltype(zero);
        CAPTURE(k::to_string(of));
        const k::array<T> x = column_numbers<T>({of[0], of[1]}, 24);
        const auto over = k::axis(0);
        const auto centred = [&](const k::array<T>& each) { return each - k::max(each, over, k::keep_dims); };
        const k::array<T> together = centred(x);
        k::array<T> changed = k::array<T>(x + T(0));
        changed(k::all, k::all) = centred(changed);
        k::array<T> inner = k::zeros<T>({of[0] + 2, of[1] + 3});
        inner(k::range(1, of[0] + 1), k::range(2, of[1] + 2)) = centred(x);
        const k::array<T> part = inner(k::range(1, of[0] + 1), k::range(2, of[1] + 2));
        const k::scoped_options apart({.fuse = false});
        const std::vector<T> expected = k::array<T>(centred(x)).to_host();
        CHECK(tests::difference(together.to_host(), expected) == "");
        CHECK(tests::difference(changed.to_host(), expected) == "");
        CHECK(tests::difference(part.to_host(), expected) == "");
    };
    for (const k::shape& of : {k::shape{40, 33}, k::shape{130, 100}, k::shape{2112, 67}, k::shape{300, 5001}}) {
        check_type_of(float(), of);
        check_type_of(double(), of);
        check_type_of(k::float16(), of);
        check_type_of(std::int32_t(), of);
    }
    check_type_of(float(), {8191, 1001});
    check_type_of(double(), {1030, 4099});
    check_type_of(float(), {70, 70001});
}

TEST_CASE("columns: many values kept at once, and long bodies") {
    const k::array<float> a = column_numbers<float>({30, 120, 64}, 21);
    const k::array<float> b = column_numbers<float>({30, 120, 64}, 22);
    const k::array<double> c = column_numbers<double>({30, 120, 64}, 23);
    const auto over = k::axis(1);
    same_columns<double>(
        [&]() -> k::expr<double> {
            const auto x = a - k::mean(a * b, over, k::keep_dims);
            const auto y = b - k::max(a + b, over, k::keep_dims);
            const auto z = c - k::mean(c + a, over, k::keep_dims);
            return k::sum(x * y, over, k::keep_dims) * z + x / k::sum(k::square(z), over, k::keep_dims) + a * b + c * y;
        },
        0);
    same_columns<float>(
        [&]() -> k::expr<float> {
            k::expr<float> t = a;
            for (int i = 0; i < 20; ++i) t = k::sin(t) * b + 0.5f;
            return t / k::sum(t, over, k::keep_dims);
        },
        0);
}

TEST_CASE("columns: without elements, without columns, of one element") {
    const auto shape_of = [](const k::shape& of) {
        const k::array<float> m = k::zeros<float>(of);
        return k::array<float>(z_scores<float>(m, k::axis(0))).shape();
    };
    CHECK(shape_of({5, 0}) == k::shape{5, 0});
    CHECK(shape_of({0, 5}) == k::shape{0, 5});
    CHECK(shape_of({1, 5}) == k::shape{1, 5});
    CHECK(shape_of({1, 1}) == k::shape{1, 1});
}
