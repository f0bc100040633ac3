// Copies beside kernels: whatever the order in which a device makes them, as long as it is one that marks allow, the bits are those of one
// piece; nothing is under way after an error; locked memory is used again.
#include <support/changed_variable.hpp>
#include <support/check.hpp>
#include <support/far_device.hpp>

#include <streamed/packed.hpp>

#include <kiln/host_array.hpp>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace k = kiln;

namespace {

struct on_far {
    explicit on_far(const char* bytes) : here(tests::far_device()), limit("KILN_DEVICE_MEMORY", bytes) {
        k::trim_memory();
        (void)tests::most_bytes_on_far_device();
    }
    k::scoped_device here;
    tests::changed_variable limit;
};

std::vector<float> ramp(std::int64_t count, float step) {
    std::vector<float> out(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = step * static_cast<float>(i % 4099) - 11.0f;
    return out;
}

template <class T>
std::vector<T> elements_of(const k::host_array<T>& of) {
    return {of.elements().begin(), of.elements().end()};
}

}  // namespace

TEST_CASE("bytes that go past the caches, and those of moves that go on beside, are where they belong") {
    constexpr std::size_t most = 600'001;
    std::vector<std::byte> from(most);
    for (std::size_t i = 0; i < most; ++i) from[i] = static_cast<std::byte>(i * 7 % 251);
    for (const bool is_of_much : {false, true}) {
        for (const std::size_t bytes :
             {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{1000}, most - 64}) {
            for (const std::size_t off : {0, 1, 16, 63}) {
                std::vector<std::byte> to(2 * most);
                std::byte* const other = to.data() + most;
                const std::vector<kiln::streamed::byte_move> moves{
                    {from.data() + off, to.data() + 1, bytes, is_of_much},
                    {from.data(), other + off, bytes, is_of_much}};
                kiln::streamed::moves_beside beside;
                beside.begin(moves);
                beside.finish();
                CHECK(std::equal(to.data() + 1, to.data() + 1 + bytes, from.data() + off));
                CHECK(std::equal(other + off, other + off + bytes, from.data()));
                CHECK(std::count(to.begin(), to.end(), std::byte{0}) >=
                      static_cast<std::ptrdiff_t>(2 * (most - bytes)));
                std::fill(to.begin(), to.end(), std::byte{0});
                kiln::streamed::move_bytes(moves);
                CHECK(std::equal(to.data() + 1, to.data() + 1 + bytes, from.data() + off));
                CHECK(std::equal(other + off, other + off + bytes, from.data()));
            }
        }
    }
}

TEST_CASE("pipelines: locked memory and memory of the user's, both ways, by copies that come late or early") {
    constexpr std::int64_t count = 1'000'003;
    const std::vector<float> values = ramp(count, 0.25f);
    std::vector<float> expected(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        expected[i] = (values[i] * 3.0f - values[values.size() - 1 - i]) + 1.0f;
    std::vector<float> backwards(values.rbegin(), values.rend());
    for (const tests::pace copies : {tests::pace::late, tests::pace::early}) {
        const on_far here("1M");
        const tests::scoped_pace pace(copies);
        k::host_array<float> x(values, {count});
        k::host_array<float> y(backwards, {count});
        k::host_array<float> locked({count});
        locked = x * 3.0f - y + 1.0f;
        CHECK_SAME(elements_of(locked), expected);

        std::vector<float> ordinary(values.size(), -1.0f);
        k::host_array<float> over(k::wrap(ordinary));
        over = x * 3.0f - y + 1.0f;
        CHECK_SAME(ordinary, expected);

        std::fill(ordinary.begin(), ordinary.end(), -1.0f);
        std::vector<float> from = values;
        const k::host_array<float> pageable(k::wrap(from));
        over = pageable * 3.0f - y + 1.0f;
        CHECK_SAME(ordinary, expected);
        locked = pageable * 3.0f - k::flip(pageable) + 1.0f;
        CHECK_SAME(elements_of(locked), expected);
        CHECK(tests::most_bytes_on_far_device() <= 1 << 20);

        // In place: each chunk's elements are read before they are written.
        x = x * 3.0f - y + 1.0f;
        CHECK_SAME(elements_of(x), expected);
    }
}

TEST_CASE("pipelines: operands of all chunks, reductions between them, and results that stay on the device") {
    const std::vector<float> values = ramp(700 * 900, 0.125f);
    for (const tests::pace copies : {tests::pace::late, tests::pace::early}) {
        const on_far here("4M");
        const tests::scoped_pace pace(copies);
        std::vector<float> memory = values;
        const k::host_array<float> m(k::wrap(memory.data(), {700, 900}));
        const k::host_array<float> row(std::span<const float>(values).first(900), {900});
        k::host_array<float> made({700, 900});
        made = m * row - k::max(m, k::axis(0)) + k::sum(k::cast<int>(row));
        const k::array<float> here_too = m * row - k::max(m, k::axis(0)) + k::sum(k::cast<int>(row));
        const tests::changed_variable all("KILN_DEVICE_MEMORY", nullptr);
        const k::array<float> a = k::from_host(values, {700, 900});
        const k::array<float> b = k::from_host(std::span<const float>(values).first(900), {900});
        const std::vector<float> expected =
            k::array<float>(a * b - k::max(a, k::axis(0)) + k::sum(k::cast<int>(b))).to_host();
        CHECK_SAME(elements_of(made), expected);
        CHECK_SAME(here_too.to_host(), expected);
    }
}

TEST_CASE("pipelines: arrays that are turned around or have their axes in another order are copied as they lie") {
    const std::vector<float> values = ramp(300 * 211 * 7, 0.25f);
    const auto check = [&](auto make) {
        for (const tests::pace copies : {tests::pace::late, tests::pace::early}) {
            std::vector<float> memory = values;
            std::vector<float> expected;
            k::shape extents;
            const k::scoped_device there(tests::far_device());
            {
                const k::array<float> a = k::from_host(values, {300, 211, 7});
                const k::array<float> whole = make(a);
                expected = whole.to_host();
                extents = whole.shape();
            }
            const on_far here("900K");
            const tests::scoped_pace pace(copies);
            for (const bool is_locked : {true, false}) {
                const k::host_array<float> x = is_locked ? k::host_array<float>(values, {300, 211, 7})
                                                         : k::host_array<float>(k::wrap(memory.data(), {300, 211, 7}));
                k::host_array<float> y;
                y = make(x);
                CHECK((y.shape() == extents));
                CHECK_SAME(elements_of(y), expected);
            }
            CHECK(tests::most_bytes_on_far_device() <= 900 << 10);
        }
    };
    check([](const auto& of) { return k::flip(of, k::axis(0)) * 2.0f; });
    check([](const auto& of) { return k::flip(k::flip(of, k::axis(0)), k::axis(2)) - of; });
    check([](const auto& of) { return k::permute(of, {2, 0, 1}) + 1.0f; });
    check([](const auto& of) { return k::permute(k::flip(of, k::axis(1)), {1, 2, 0}) * 0.5f; });
    check([](const auto& of) { return of(k::range(290, 10, -3), k::all, k::range(6, 0, -2)) + 0.25f; });
    check([](const auto& of) {
        return of(k::all, 3, k::newaxis) * of(k::all, k::range(0, 211), 0)(k::all, k::all, k::newaxis);
    });
}

TEST_CASE("pipelines: several results of one evaluation come of one pass over what they read") {
    constexpr std::int64_t count = 300'000;
    const std::vector<float> values = ramp(count, 0.5f);
    for (const tests::pace copies : {tests::pace::late, tests::pace::early}) {
        const on_far here("5M");
        const tests::scoped_pace pace(copies);
        const k::host_array<float> x(values, {count});
        (void)tests::bytes_to_far_device();
        const auto [twice, is_more, square] = k::eval(x * 2.0f, x > 1.0f, x * x);
        CHECK(tests::bytes_to_far_device() == 4 * count);
        CHECK(tests::most_bytes_on_far_device() <= 5 << 20);
        const std::vector<float> doubled = twice.to_host();
        const std::vector<float> squares = square.to_host();
        const std::vector<bool> more = is_more.to_host();
        for (std::size_t i = 0; i < values.size(); i += 17) {
            CHECK(doubled[i] == values[i] * 2);
            CHECK(squares[i] == values[i] * values[i]);
            CHECK(more[i] == (values[i] > 1));
        }
        // Of other shapes, one after the other.
        const auto [first, all] = k::eval(x(k::range(0, 1000)) + 1.0f, x + 1.0f);
        CHECK(first.to_host()[999] == values[999] + 1);
        CHECK(all.to_host()[count - 1] == values.back() + 1);
    }
}

TEST_CASE("pipelines: fused functions take host arrays") {
    const std::vector<float> values = ramp(100'000, 0.5f);
    const auto step = k::fuse([](auto x, auto y, auto by) { return std::tuple(x * by + y, x > y); });
    const on_far here("3M");
    const k::host_array<float> x(values, {100'000});
    for (const float by : {2.0f, 3.0f}) {
        const k::array<float> y = k::full<float>({100'000}, 1.0f);
        const auto [sum, is_more] = step(x, y, by);
        CHECK(sum.to_host()[99'999] == values.back() * by + 1);
        CHECK(is_more.to_host()[99'999] == (values.back() > 1));
    }
    const k::scoped_device on_the_cpu(k::cpu);
    const auto [sum, is_more] = step(x, x, 1.0f);
    CHECK(sum.to_host()[7] == values[7] + values[7]);
    CHECK_FALSE(is_more.to_host()[7]);
}

TEST_CASE("pipelines: after an error in the middle nothing is under way, and the next evaluation is right") {
    constexpr std::int64_t count = 500'000;
    const std::vector<float> values = ramp(count, 0.5f);
    for (const tests::pace copies : {tests::pace::late, tests::pace::early}) {
        const on_far here("1M");
        const tests::scoped_pace pace(copies);
        const k::host_array<float> x(values, {count});
        for (const std::int64_t launches : {0, 1, 2, 3, 7}) {
            CAPTURE(launches);
            std::vector<float> ordinary(values.size(), -1.0f);
            {
                k::host_array<float> y({count});
                k::host_array<float> over(k::wrap(ordinary));
                const tests::failing_far_device fails(~std::size_t{0}, launches);
                CHECK_THROWS_AS(y = x * 2.0f, k::device_error);
                CHECK_THROWS_AS(over = x * 2.0f, k::device_error);
                CHECK_THROWS_AS((void)k::array<bool>(x > 1.0f), k::device_error);
            }
            // What was not reached is as it was; memory that is freed now is used by nobody.
            CHECK(ordinary.back() == -1.0f);
            k::host_array<float> y({count});
            y = x * 2.0f;
            CHECK(y.data()[count - 1] == values.back() * 2.0f);
            CHECK(
                std::equal(values.begin(), values.end(), y.data(), [](float of, float is) { return is == of * 2.0f; }));
        }
        {
            k::host_array<float> y({count});
            const tests::failing_far_device fails(1000, -1);
            CHECK_THROWS_AS(y = x * 2.0f, k::out_of_memory);
        }
        CHECK(k::memory_use().array_bytes == 0);
    }
}

TEST_CASE("host arrays: locked memory is kept for the next one, told of, and given back") {
    const k::scoped_device here(tests::far_device());
    k::trim_memory();
    CHECK(k::memory_use().spare_locked_bytes == 0);
    const std::int64_t before = k::memory_use().locked_bytes;
    {
        const k::host_array<float> x(k::shape{1'000'000});
        CHECK(k::memory_use().locked_bytes - before >= 4'000'000);
        CHECK(k::memory_use().locked_bytes - before <= 4'600'000);
    }
    CHECK(k::memory_use().locked_bytes == before);
    const std::int64_t spare = k::memory_use().spare_locked_bytes;
    CHECK(spare >= 4'000'000);
    {
        const k::host_array<double> y(k::shape{490'000});
        CHECK(k::memory_use().spare_locked_bytes == 0);
        CHECK(k::memory_use().locked_bytes - before == spare);
    }
    k::trim_memory();
    CHECK(k::memory_use().spare_locked_bytes == 0);
    const k::host_array<float> small(k::shape{1000});
    CHECK(k::memory_use().locked_bytes == before);
}
