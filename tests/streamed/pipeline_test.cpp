// Copies beside kernels: whatever the order in which a device makes them, as long as it is one that marks allow, the bits are those of one
// piece; nothing is under way after an error; locked memory is used again.
#include <support/changed_variable.hpp>
#include <support/check.hpp>
#include <support/far_device.hpp>

#include <api/pipelined.hpp>
#include <api/profile/pipelines.hpp>
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
    for (const tests::pace copies : {tests::pace::late, tests::pace::early, tests::pace::late_out}) {
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
    for (const tests::pace copies : {tests::pace::late, tests::pace::early, tests::pace::late_out}) {
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

TEST_CASE(
    "pipelines: of arrays that were rolled each chunk copies its own elements, which may be the last ones and the "
    "first") {
    const std::vector<float> values = ramp(3'000 * 211, 0.25f);
    const auto check = [&](const k::shape& extents, auto make) {
        std::vector<float> expected;
        {
            const k::scoped_device there(tests::far_device());
            expected = k::array<float>(make(k::from_host(values, extents))).to_host();
        }
        for (const tests::pace copies : {tests::pace::late, tests::pace::early}) {
            std::vector<float> memory = values;
            const on_far here("700K");  // of 2.5 MB
            const tests::scoped_pace pace(copies);
            for (const bool is_locked : {true, false}) {
                const k::host_array<float> x = is_locked ? k::host_array<float>(values, extents)
                                                         : k::host_array<float>(k::wrap(memory.data(), extents));
                k::host_array<float> y;
                y = make(x);
                CHECK_SAME(elements_of(y), expected);
            }
            CHECK(tests::most_bytes_on_far_device() <= 700 << 10);
        }
    };
    const k::shape rows{3'000, 211};
    const k::shape flat{3'000 * 211};
    for (const std::int64_t by : {1, -1, 12'345, 316'500, -632'999}) {
        CAPTURE(by);
        check(flat, [by](const auto& of) { return k::roll(of, by) * 2.0f; });
    }
    check(flat, [](const auto& of) { return k::roll(of, 1) - 2.0f * of + k::roll(of, -1); });
    check(rows, [](const auto& of) { return k::roll(of, 1'500, k::axis(0)) + of; });
    check(rows, [](const auto& of) { return k::sum(k::roll(of, -7, k::axis(0)) * of, k::axis(1)); });
    check(rows, [](const auto& of) { return k::roll(of, 5, k::axis(0))(k::range(100, 2'900)) * 3.0f; });
    check(rows, [](const auto& of) { return k::sum(k::roll(of, 17, k::axis(0)), k::axis(0)); });
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

TEST_CASE("pipelines: what was hidden, and what bound it, of events whose times are known") {
    using k::detail::times_of_pipeline;
    const auto event = [](k::profiled what, std::int64_t begin, std::int64_t end, std::int64_t read,
                          std::int64_t written) {
        k::profile_event out;
        out.what = what;
        out.begin_ns = begin;
        out.end_ns = begin + 1;
        out.run_begin_ns = begin;
        out.run_ns = end - begin;
        out.bytes_read = read;
        out.bytes_written = written;
        return out;
    };
    // Two chunks: in 0 to 10 and 10 to 20, kernels of 2 behind each, out 12 to 20 and 22 to 30.
    std::vector<k::profile_event> all{
        event(k::profiled::copy, 0, 10, 0, 100),  event(k::profiled::kernel, 10, 12, 100, 100),
        event(k::profiled::copy, 12, 20, 80, 0),  event(k::profiled::copy, 10, 20, 0, 100),
        event(k::profiled::kernel, 20, 22, 1, 1), event(k::profiled::copy, 22, 30, 80, 0)};
    const auto times = [&] {
        std::vector<const k::profile_event*> of;
        for (const k::profile_event& each : all) of.push_back(&each);
        return times_of_pipeline(of);
    };
    CHECK(times().in_ns == 20);
    CHECK(times().kernels_ns == 4);
    CHECK(times().out_ns == 16);
    CHECK(times().host_ns == 0);
    CHECK(times().wall_ns == 30);
    CHECK(times().bytes_in == 200);
    CHECK(times().bytes_out == 160);
    CHECK(times().hidden() == doctest::Approx(0.5));  // 10 of 20
    CHECK(times().bound_by() == std::string("the link in"));
    // Threads of the host copy 25 of 40: nothing on a device, the host's clock.
    k::profile_event moved = event(k::profiled::copy, 15, 15, 300, 300);
    moved.end_ns = 40;
    all.push_back(moved);
    CHECK(times().host_ns == 25);
    CHECK(times().wall_ns == 40);
    CHECK(times().bytes_in == 200);
    CHECK(times().bound_by() == std::string("copies of the host"));
    all = {event(k::profiled::kernel, 0, 10, 0, 0), event(k::profiled::copy, 90, 100, 8, 0)};
    CHECK(times().hidden() == 0);
    CHECK(times().bound_by() == std::string("the host, which gives work"));
    all.resize(1);
    CHECK(times().hidden() == 0);
    CHECK(times().bound_by() == std::string("kernels"));
    CHECK(times_of_pipeline({}).wall_ns == 0);
}

TEST_CASE("pipelines: a profile has them, each event in its own, and its summary a row for them") {
    const on_far here("96K");
    std::vector<float> ordinary(100'000, 0.5f);
    std::vector<float> result(ordinary.size());
    const k::host_array<float> x(k::wrap(ordinary));
    k::host_array<float> y(k::wrap(result));
    k::array<float> z = k::full<float>({1000}, 1.0f);
    k::profile seen;
    y = k::label("streamed", x * 2.0f + 1.0f);
    z = z + 1.0f;
    CHECK(k::sum(x).item() == 50'000);
    seen.stop();
    int first = 0;
    std::int64_t kernels = 0;
    std::int64_t bytes[2] = {};
    for (const k::profile_event& each : seen.events()) {
        if (each.label != "streamed") continue;
        if (first == 0) first = each.pipeline;
        CHECK(each.pipeline == first);
        kernels += each.what == k::profiled::kernel;
    }
    CHECK(first > 0);
    CHECK(kernels > 3);
    for (const k::profile_event& each : seen.events()) {
        const bool is_copy = each.what == k::profiled::copy && each.pipeline == first;
        if (is_copy && each.bytes_read == 0) bytes[0] += each.bytes_written;
        if (is_copy && each.bytes_written == 0) bytes[1] += each.bytes_read;
        if (each.what == k::profiled::kernel && each.element_count == 1000 && each.label.empty() &&
            each.bytes_written == 4000)
            CHECK(each.pipeline == 0);
    }
    CHECK(bytes[0] == 400'000);
    CHECK(bytes[1] == 400'000);
    const std::string text = seen.summary();
    for (const char* each : {"hidden", "bound by", "host arrays, in chunks", "streamed"})
        CHECK(text.find(each) != std::string::npos);
    k::profile none;
    z = z + 1.0f;
    none.stop();
    CHECK(none.summary().find("in chunks") == std::string::npos);
}

TEST_CASE("pipelines: explain() predicts what is hidden, and what will bound it, by rates that are known") {
    k::device_rates rates;
    const auto gigabytes = [](double a_second) { return std::vector<k::rate_point>{{1'000'000'000, 1e9 / a_second}}; };
    rates.to_device = gigabytes(10);
    rates.to_device_pinned = rates.to_host_pinned = gigabytes(50);
    k::explanation plan;
    plan.operand_bytes = plan.pinned_bytes = 1'000'000'000;
    plan.chunks.bytes_in = plan.chunks.bytes_out = 1'000'000'000;
    plan.kernels.resize(1);
    plan.kernels[0].predicted.ns = 1e6;
    k::detail::predict_pipeline(plan, &rates);
    CHECK(plan.chunks.copy_in_ns == 0);  // it is not cut
    plan.chunks.count = 100;
    plan.chunks.axis = 0;
    k::detail::predict_pipeline(plan, nullptr);
    CHECK(plan.chunks.copy_in_ns == 0);
    CHECK(k::to_string(plan).find("to copy in") == std::string::npos);
    k::detail::predict_pipeline(plan, &rates);
    CHECK(plan.chunks.copy_in_ns == doctest::Approx(20e6));
    CHECK(plan.chunks.copy_out_ns == doctest::Approx(20e6));
    CHECK(plan.chunks.kernels_ns == doctest::Approx(1e6));
    CHECK(plan.chunks.hidden_ns > 10e6);
    CHECK(plan.chunks.hidden_ns < 21e6);
    CHECK(k::to_string(plan).find("bound by the link in") != std::string::npos);
    plan.pinned_bytes = 0;
    plan.kernels[0].predicted.ns = 200e6;
    k::detail::predict_pipeline(plan, &rates);
    CHECK(plan.chunks.copy_in_ns == doctest::Approx(100e6));
    CHECK(k::to_string(plan).find("bound by kernels") != std::string::npos);
}
