// Rates of devices: measured once, kept, and what is predicted and advised by them.
#include <support/check.hpp>
#include <support/child.hpp>
#include <support/device_under_test.hpp>

#include <api/kept_rates.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace k = kiln;

namespace {

/// 1 byte in 1 ns, whatever the kernel does; an addition takes 2 ns.
k::device_rates plain_rates() {
    k::device_rates out;
    out.device = "made up";
    out.target = "nothing";
    out.copying = out.reading = out.writing = {{1000, 1000.0}, {100'000, 100'000.0}};
    out.evaluation_ns = 10;
    out.operation_ns = {2, 4, 20, 40, 100, 200};
    return out;
}

bool is_listed(const k::device& one) {
    const std::vector<k::device> all = k::devices();
    return std::find(all.begin(), all.end(), one) != all.end();
}

k::explanation one_kernel(std::int64_t elements, double additions) {
    k::explanation out;
    k::kernel_explanation kernel;
    kernel.element_count = elements;
    kernel.bytes_read = 4 * elements;
    kernel.bytes_written = 4 * elements;
    kernel.work.plain = additions;
    out.kernels.push_back(kernel);
    out.operand_bytes = 4 * elements;
    return out;
}

}  // namespace

TEST_CASE("between two measured points time goes straight, past the last at its rate") {
    const std::vector<k::rate_point> points{{100, 10.0}, {200, 30.0}, {400, 40.0}};
    CHECK(k::nanoseconds({}, 100) == 0);
    CHECK(k::nanoseconds(points, 1) == 10);
    CHECK(k::nanoseconds(points, 100) == 10);
    CHECK(k::nanoseconds(points, 150) == 20);
    CHECK(k::nanoseconds(points, 300) == 35);
    CHECK(k::nanoseconds(points, 400) == 40);
    CHECK(k::nanoseconds(points, 4000) == 400);
}

TEST_CASE("a prediction is the longest of what launch, memory and arithmetic take") {
    k::device_rates rates = plain_rates();
    k::kernel_work work;
    work.plain = 1;
    CHECK(rates.predict(work, 1000, 4000, 4000).ns == 8000);
    CHECK(rates.predict(work, 1000, 4000, 4000).by == k::bound::memory);
    work.function = 1;
    CHECK(rates.predict(work, 1000, 4000, 4000).ns == 102'000);
    CHECK(rates.predict(work, 1000, 4000, 4000).by == k::bound::arithmetic);
    // Of 16 threads a CPU wakes those that have 13 us to do, and 1024 elements, each in 3 us.
    k::device_rates threads = rates;
    threads.thread_count = 16;
    CHECK(threads.predict(work, 1000, 4000, 4000).ns == 1'632'000);
    CHECK(threads.predict(work, 4096, 16384, 16384).ns == doctest::Approx(4096 * 102.0 * 16 / 4 + 3 * 3000));
    CHECK(threads.predict(work, 1 << 20, 4 << 20, 4 << 20).ns == doctest::Approx((1 << 20) * 102.0 + 15 * 3000));
    work.function = 0;
    CHECK(threads.predict(work, 100'000, 4, 4).ns == doctest::Approx(200'000 + 15 * 3000));
    work.function = 1;
    rates.evaluation_ns = 1e6;
    CHECK(rates.predict(work, 1000, 4000, 4000).by == k::bound::launch);
    // What is read and what is written cost different things: half as much read as copied, say.
    rates.reading = {{1000, 500.0}, {100'000, 50'000.0}};
    rates.writing = {{1000, 2000.0}, {100'000, 200'000.0}};
    const k::kernel_work nothing;
    CHECK(rates.predict(nothing, 1, 8000, 0).ns == 4000);
    CHECK(rates.predict(nothing, 1, 6000, 2000).ns == 6000);
    CHECK(rates.predict(nothing, 1, 4000, 4000).ns == 8000);
    CHECK(rates.predict(nothing, 1, 0, 8000).ns == 16000);
}

TEST_CASE("advice is copies and kernels against the CPU's kernels, and from where on it is another") {
    const k::device_rates cpu = plain_rates();
    k::device_rates gpu = plain_rates();
    // Ten times as fast, behind a link that takes 1000 ns and moves 2 bytes in 1 ns.
    for (auto* each : {&gpu.copying, &gpu.reading, &gpu.writing})
        for (k::rate_point& point : *each) point.ns /= 10;
    gpu.operation_ns = {0.02, 0.04, 0.2, 0.4, 1, 2};
    gpu.to_device = gpu.to_host = {{1, 1000.0}, {100'000, 51'000.0}};

    // 8000 bytes and 50 additions for each of 1000 elements: 100,000 ns on the CPU.
    const k::advice heavy = k::advise(one_kernel(1000, 50), cpu, one_kernel(1000, 50), gpu, 4000);
    CHECK(heavy.cpu_ns == 100'000);
    CHECK(heavy.kernels_ns == 1000);
    CHECK(heavy.copy_in_ns == doctest::Approx(3000).epsilon(0.001));
    CHECK(heavy.gpu_wins);
    CHECK(heavy.other_wins_below);
    // Of n elements: 100 n ns there, 2000 + 5 n here.
    CHECK(static_cast<double>(heavy.other_wins_at_bytes) == doctest::Approx(4 * 2000.0 / 96).epsilon(0.05));
    CHECK(k::to_string(heavy).find("GPU: 100.00 us on the CPU") == 0);

    // One addition: 8 n there, 2000 + 4 n + 0.8 n here, so that the GPU wins from 625 elements on.
    const k::advice small = k::advise(one_kernel(100, 1), cpu, one_kernel(100, 1), gpu, 400);
    CHECK_FALSE(small.gpu_wins);
    CHECK_FALSE(small.other_wins_below);
    CHECK(static_cast<double>(small.other_wins_at_bytes) == doctest::Approx(2500).epsilon(0.05));
    CHECK(small.calls_until_gpu_wins ==
          3);  // (1200 + 1200) / (1000 - 100): below 1000 bytes both take as long as for 1000
    CHECK(k::to_string(small).find("GPU: from " + std::to_string(small.other_wins_at_bytes) + " B of operands") !=
          std::string::npos);
}

TEST_CASE("advice of what is streamed: copies and kernels of different chunks are beside each other") {
    const k::device_rates cpu = plain_rates();
    k::device_rates gpu = plain_rates();
    for (auto* each : {&gpu.copying, &gpu.reading, &gpu.writing})
        for (k::rate_point& point : *each) point.ns /= 10;
    gpu.operation_ns = {0.02, 0.04, 0.2, 0.4, 1, 2};
    gpu.to_device = gpu.to_host = {{1, 1.0}, {100'000, 200'000.0}};  // 2 ns a byte, page-locked 1
    gpu.to_device_pinned = gpu.to_host_pinned = {{1, 1.0}, {100'000, 100'000.0}};
    k::explanation streamed = one_kernel(1000, 50);
    streamed.pinned_bytes = streamed.operand_bytes;
    REQUIRE(streamed.operand_bytes == 4000);
    const k::advice whole = k::advise(one_kernel(1000, 50), cpu, streamed, gpu, 4000);
    CHECK(whole.hidden_ns == 0);
    streamed.chunks.count = 100;
    const k::advice says = k::advise(one_kernel(1000, 50), cpu, streamed, gpu, 4000);
    CHECK(says.copy_in_ns == doctest::Approx(4000).epsilon(0.01));
    CHECK(says.copy_out_ns == doctest::Approx(4000).epsilon(0.01));
    // The host cuts it first.
    CHECK(says.kernels_ns == 1000 + 25'000);
    CHECK(k::to_string(says).find("of it beside each other") != std::string::npos);
    CHECK(says.hidden_ns == doctest::Approx(9000 - 4000 / 0.85 - 50).epsilon(0.01));
    // What computes for longer than it copies is computed, with a chunk copied before and another behind.
    streamed = one_kernel(1000, 5000);
    streamed.pinned_bytes = streamed.operand_bytes;
    streamed.chunks.count = 100;
    const k::advice busy = k::advise(one_kernel(1000, 5000), cpu, streamed, gpu, 4000);
    CHECK(busy.kernels_ns == 100'000 + 25'000);
    CHECK(busy.gpu_ns() == doctest::Approx(100'080 + 25'000).epsilon(0.01));
}

TEST_CASE("a device is measured once: the second time nothing runs, and known_rates() has it") {
    const k::device here = k::current_device();
    const k::device_rates measured = k::measure(here);
    CHECK(measured.device == here.describe().name);
    for (const auto* curve : {&measured.copying, &measured.reading, &measured.writing}) {
        REQUIRE(curve->size() >= 2);
        for (std::size_t i = 1; i < curve->size(); ++i) {
            CHECK((*curve)[i].bytes > (*curve)[i - 1].bytes);
            CHECK((*curve)[i].ns >= (*curve)[i - 1].ns);
        }
    }
    CHECK(measured.evaluation_ns > 0);
    CHECK(measured.operation_ns.plain > 0);
    CHECK(measured.operation_ns.function > measured.operation_ns.plain);
    if (is_listed(here)) CHECK(measured.to_device.empty() == !here.is_cuda());
    const k::counters before = k::counters::now();
    const k::device_rates again = k::measure(here);
    CHECK((k::counters::now() - before).launches == 0);
    CHECK(again.operation_ns == measured.operation_ns);
    const std::optional<k::device_rates> known = k::known_rates(here);
    REQUIRE(known.has_value());
    CHECK(known->operation_ns == measured.operation_ns);
    CHECK(k::to_string(measured).find(measured.device) == 0);

    const k::device_rates anew = k::measure(here, k::measuring::again);
    CHECK_FALSE(anew.copying.empty());
    CHECK(k::known_rates(here)->operation_ns == anew.operation_ns);
    CHECK(k::measure(here).operation_ns == anew.operation_ns);
}

TEST_CASE("explain predicts, and has beside it what a profile measured; a profile has shares of the limit") {
    static_cast<void>(k::measure(k::current_device()));
    const k::array<float> x = k::full<float>({1 << 20}, 2.0f);
    k::array<float> y = x * x + 1.0f;
    const k::explanation before = k::explain(x * x + 1.0f);
    REQUIRE(before.kernels.size() == 1);
    CHECK(before.kernels[0].predicted.ns > 0);
    CHECK(before.kernels[0].work.plain == 2);
    CHECK(before.kernels[0].element_count == 1 << 20);
    CHECK(before.operand_bytes == 4 << 20);
    {
        const k::profile seen;
        y = x * x + 1.0f;
        const k::profile_event& one = seen.events().back();
        REQUIRE(one.what == k::profiled::kernel);
        // Of a device of the tests' own nobody knows the name.
        if (is_listed(k::current_device())) CHECK(one.predicted.ns == doctest::Approx(before.kernels[0].predicted.ns));
        if (is_listed(k::current_device())) {
            CHECK(one.share_of_limit() > 0);
            CHECK(seen.table().find(k::to_string(one.predicted.by)) != std::string::npos);
        }
        if (one.origin != k::kernel_origin::interpreter && k::current_device().describe().compiles) {
            REQUIRE(one.source);
            CHECK(*one.source == before.kernels[0].source);
        }
    }
    const k::explanation after = k::explain(x * x + 1.0f);
    CHECK(after.kernels[0].measured_ns > 0);
    CHECK(k::to_string(after).find("measured: ") != std::string::npos);
    // Of another size nothing was seen.
    const k::array<float> z = k::full<float>({1000}, 2.0f);
    CHECK(k::explain(z * z + 1.0f).kernels[0].measured_ns == 0);
}

TEST_CASE("measures this device, if nobody has, and says whether kernels ran" * doctest::skip()) {
    const bool is_known = k::known_rates(k::current_device()).has_value();
    const k::counters before = k::counters::now();
    static_cast<void>(k::measure(k::current_device()));
    MESSAGE("known before: ", is_known, ", launches: ", (k::counters::now() - before).launches > 0);
}

TEST_CASE("rates as text come back as they were, and a text that is none of them comes to nothing") {
    const k::device_rates rates = plain_rates();
    const std::string text = k::detail::text_of(rates);
    const std::optional<k::device_rates> back = k::detail::parse_rates(text);
    REQUIRE(back.has_value());
    CHECK(back->device == rates.device);
    CHECK(back->evaluation_ns == rates.evaluation_ns);
    CHECK(back->thread_count == rates.thread_count);
    CHECK(back->operation_ns == rates.operation_ns);
    REQUIRE(back->reading.size() == 2);
    CHECK(back->reading[1].bytes == 100'000);
    CHECK(back->reading[1].ns == 100'000.0);
    for (const char* bad : {"", "copying 5\n", "copying 5 -1\n", "copying 5 nan\n", "evaluation 0\n", "unheard 1\n",
                            "copying 5 1\ncopying 5 2\n", "plain x\n"})
        CHECK_FALSE(k::detail::parse_rates(text + bad + (*bad ? "" : "x")).has_value());
    // Wherever it ends, it is whole or nothing.
    for (std::size_t count = 0; count < text.size(); ++count) {
        const auto part = k::detail::parse_rates(text.substr(0, count));
        if (part) CHECK(part->evaluation_ns == rates.evaluation_ns);
    }
}

TEST_CASE("rates are kept with the kernels, for the next process") {
    const tests::temporary_folder folder;
    const auto ask = [&] {
        return tests::run_child("measures this device, if nobody has, and says whether kernels ran",
                                tests::with_this_device({{"KILN_CACHE_DIR", folder.path().c_str()}}));
    };
    const auto first = ask();
    CHECK(first.output.find("known before: false, launches: true") != std::string::npos);
    const auto second = ask();
    CHECK(second.output.find("known before: true, launches: false") != std::string::npos);
}

TEST_CASE("advise() of what is on the host: a prediction for each device that there is") {
    std::vector<float> data(1 << 16, 2.0f);
    const auto x = k::wrap(data.data(), {1 << 16});
    const k::advice says = k::advise(k::sqrt(x) + 1.0f);
    CHECK(says.cpu_ns > 0);
    const k::host_array<float> streamed(data, {1 << 16});
    CHECK(k::advise(k::sqrt(streamed) + 1.0f).cpu_ns > 0);
    if (k::devices().size() > 1) {
        CHECK(says.copy_in_ns > 0);
        CHECK(says.kernels_ns > 0);
        CHECK(says.copy_out_ns > 0);
    } else {
        CHECK_FALSE(says.gpu_wins);
        CHECK(k::to_string(says).find("there is no GPU") != std::string::npos);
    }
}

TEST_CASE("neighbours of an element are read once, what is transposed is not") {
    const k::array<float> m = k::ones<float>({64, 64});
    const auto bytes_read = [](const auto& e) {
        const std::int64_t before = k::counters::now().bytes_read;
        const k::array<float> made = e;
        const std::int64_t counted = k::counters::now().bytes_read - before;
        CHECK(k::explain(e).kernels.front().bytes_read == counted);
        return counted;
    };
    constexpr std::int64_t whole = 64 * 64 * 4;
    const auto stencil = m + k::shift(m, {1, 0}) + k::shift(m, {-1, 0}) + k::shift(m, {0, 1}) + k::shift(m, {0, -1});
    CHECK(bytes_read(stencil) == whole);
    CHECK(bytes_read(m + k::transpose(m)) == 2 * whole);
    CHECK(bytes_read(m + m * 2.0f) == whole);
    CHECK(bytes_read(k::concatenate(k::axis(0), m, m * 2.0f)) == whole);
    CHECK(bytes_read(m(k::range(1, 64)) - m(k::range(0, 63))) == whole);
    // Disjoint halves, and parts that overlap.
    CHECK(bytes_read(m(k::range(0, 32)) + m(k::range(32, 64))) == whole);
    CHECK(bytes_read(m(k::range(0, 10)) + m(k::range(5, 15))) == 20 * 64 * 4);
}

TEST_CASE("functions cost what they take, in exp; conversions of bytes what they take, in additions") {
    const k::array<float> m = k::ones<float>({64, 64});
    const auto work = [](const auto& e) { return k::explain(e).kernels.front().work; };
    CHECK(work(k::exp(m)).function == 1);
    CHECK(work(k::pow(m, m)).function > 2);
    const bool on_gpu = k::explain(m + 1.0f).kernels.front().target.starts_with("sm_");
    CHECK(work(k::cast<float>(k::cast<std::uint8_t>(m))).plain == (on_gpu ? 15 : 8));
}
