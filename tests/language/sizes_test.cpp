// Sizes around vector widths, blocks and warps; ranks 0 to 8; addresses that are no multiple of a vector.
#include <support/poison.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

namespace k = kiln;

namespace {

constexpr std::int64_t sizes[] = {1,  2,  3,   4,   5,   7,    8,    15,   16,   17,
                                  31, 33, 255, 256, 257, 1023, 1024, 1025, 4099, 1'000'003};

template <class T>
T twice_plus(T a, T b) {
    return static_cast<T>(static_cast<T>(a + a) + b);
}

}  // namespace

TEST_CASE_TEMPLATE("every element is written, and no other, at sizes around vectors and blocks", T, std::uint8_t,
                   std::int32_t, std::int64_t, float, double) {
    for (const std::int64_t size : sizes) {
        CAPTURE(size);
        const auto count = static_cast<std::size_t>(size);
        const std::vector<T> left = tests::ordinary_values<T>(count, 1);
        const std::vector<T> right = tests::ordinary_values<T>(count, 2);
        const k::array<T> x = k::from_host<T>(left);
        const k::array<T> y = k::from_host<T>(right);
        std::vector<T> expected(count);
        for (std::size_t i = 0; i < count; ++i) {
            if constexpr (std::is_integral_v<T>) {
                using U = std::make_unsigned_t<T>;
                expected[i] = static_cast<T>(static_cast<U>(static_cast<U>(left[i]) * 2u + static_cast<U>(right[i])));
            } else {
                expected[i] = twice_plus(left[i], right[i]);
            }
        }
        CHECK_SAME(tests::evaluated(x + x + y, {size}), expected);
    }
}

TEST_CASE("narrow and wide types in one kernel cover every element at every size") {
    for (const std::int64_t size : sizes) {
        CAPTURE(size);
        const auto count = static_cast<std::size_t>(size);
        const std::vector<std::uint8_t> narrow = tests::ordinary_values<std::uint8_t>(count, 3);
        const std::vector<double> wide = tests::ordinary_values<double>(count, 4);
        const k::array<std::uint8_t> x = k::from_host<std::uint8_t>(narrow);
        const k::array<double> y = k::from_host<double>(wide);
        std::vector<double> sum(count);
        std::vector<bool> less(count);
        for (std::size_t i = 0; i < count; ++i) sum[i] = narrow[i] + wide[i], less[i] = narrow[i] < wide[i];
        CHECK_SAME(tests::evaluated(x + y, {size}), sum);
        CHECK_SAME(tests::evaluated(x < y, {size}), less);
    }
}

TEST_CASE("nothing is written past either end of wrapped memory") {
    constexpr std::size_t margin = 64;
    for (const std::size_t count : {1u, 3u, 5u, 255u, 257u, 1025u}) {
        for (std::size_t shift = 0; shift < 5; ++shift) {
            std::vector<float> memory(margin + shift + count + margin, -7.0f);
            k::wrap(memory.data() + margin + shift, {static_cast<std::int64_t>(count)}) =
                k::full<float>({static_cast<std::int64_t>(count)}, 3.0f);
            k::synchronize();
            std::vector<float> expected(memory.size(), -7.0f);
            std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(margin + shift), count, 3.0f);
            CHECK_SAME(memory, expected);
        }
    }
}

TEST_CASE("ranks 0 to 8 evaluate, whole and reversed along every axis") {
    const k::shape shapes[] = {k::shape{},
                               {7},
                               {3, 5},
                               {2, 3, 4},
                               {2, 1, 3, 2},
                               {2, 2, 1, 3, 2},
                               {1, 2, 2, 1, 3, 2},
                               {2, 1, 2, 1, 2, 1, 3},
                               {2, 2, 1, 2, 1, 2, 1, 2}};
    const k::range back{k::range::open, k::range::open, -1};
    int rank = 0;
    for (const k::shape& extents : shapes) {
        CAPTURE(rank);
        REQUIRE(extents.rank() == rank++);
        const std::vector<float> values = tests::ordinary_values<float>(static_cast<std::size_t>(extents.size()));
        const k::array<float> x = k::from_host<float>(values, extents);
        CHECK(x.shape() == extents);
        std::vector<float> doubled;
        for (const float value : values) doubled.push_back(value + value);
        const k::array<float> y = x + x;
        CHECK(y.shape() == extents);
        CHECK_SAME(y.to_host(), doubled);

        const std::vector<float> reversed(values.rbegin(), values.rend());
        k::array<float> z;
        switch (extents.rank()) {
            case 0: z = x(); break;
            case 1: z = x(back); break;
            case 2: z = x(back, back); break;
            case 3: z = x(back, back, back); break;
            case 4: z = x(back, back, back, back); break;
            case 5: z = x(back, back, back, back, back); break;
            case 6: z = x(back, back, back, back, back, back); break;
            case 7: z = x(back, back, back, back, back, back, back); break;
            default: z = x(back, back, back, back, back, back, back, back); break;
        }
        CHECK_SAME(z.to_host(), reversed);
    }
}

TEST_CASE("rank 0 is one element") {
    const k::array<double> x = k::full<double>({}, 2.5);
    CHECK(x.rank() == 0);
    CHECK(x.size() == 1);
    CHECK(x.item() == 2.5);
    CHECK(k::array<double>(x * x - 1).item() == 5.25);
    CHECK(k::to_string(x.shape()) == "()");
}

TEST_CASE_TEMPLATE("views that begin at any element give the same bits as aligned arrays", T, std::uint8_t, float,
                   double) {
    constexpr std::int64_t size = 1000;
    const std::vector<T> values = tests::ordinary_values<T>(size);
    const k::array<T> x = k::from_host<T>(values);
    for (std::int64_t begin = 0; begin <= 17; ++begin) {
        CAPTURE(begin);
        const std::vector<T> part(values.begin() + begin, values.end());
        std::vector<T> expected;
        for (const T value : part) expected.push_back(static_cast<T>(value + value));
        const auto v = x(k::range(begin, size));
        CHECK_SAME(k::array<T>(v + v).to_host(), expected);
        // One operand aligned, one not.
        const k::array<T> y = k::from_host<T>(part);
        CHECK_SAME(k::array<T>(v + y).to_host(), expected);
    }
}

TEST_CASE_TEMPLATE("wrapped memory that begins at any element gives the same bits", T, std::uint8_t, float, double) {
    constexpr std::int64_t size = 517;
    const std::vector<T> values = tests::ordinary_values<T>(size + 20);
    for (std::int64_t begin = 0; begin <= 17; ++begin) {
        CAPTURE(begin);
        std::vector<T> source = values;
        std::vector<T> target(values.size(), T(9));
        std::vector<T> expected = target;
        for (std::int64_t i = 0; i < size; ++i)
            expected[static_cast<std::size_t>(begin + i)] =
                static_cast<T>(values[static_cast<std::size_t>(17 - begin + i)] * T(3));
        const auto from = k::wrap(source.data() + (17 - begin), {size});
        k::wrap(target.data() + begin, {size}) = from * T(3);
        k::synchronize();
        CHECK_SAME(target, expected);
    }
}
