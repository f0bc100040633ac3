// k::profile: one event for each thing that costs, exact, from any thread; its files.
#include <support/check.hpp>
#include <support/child.hpp>
#include <support/device_pairs.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include <sstream>
#include <thread>

namespace k = kiln;

namespace {

std::vector<k::profile_event> events_of(const k::profile& from, k::profiled what) {
    std::vector<k::profile_event> out;
    for (const k::profile_event& each : from.events())
        if (each.what == what) out.push_back(each);
    return out;
}

}  // namespace

TEST_CASE("a profile has one event for each launch, with its bytes, its label and its line") {
    const k::array<float> x = k::full<float>({1000}, 2.0f);
    k::array<float> y = x + x;
    const auto doubled = k::label("doubled", x + x);
    y = doubled;
    k::profile seen;
    y = doubled;
    const unsigned line = __LINE__ + 1;
    const k::array<double> z(k::cast<double>(x) * 3.5 + x);
    const auto kernels = events_of(seen, k::profiled::kernel);
    REQUIRE(kernels.size() == 2);
    CHECK(kernels[0].label == "doubled");
    CHECK(kernels[0].bytes_read == 4000);
    CHECK(kernels[0].bytes_written == 4000);
    CHECK(kernels[0].origin == k::kernel_origin::memory);
    CHECK(kernels[0].operation_count == 1000);
    CHECK(kernels[0].name.find("add") != std::string::npos);
    CHECK(kernels[0].expression.starts_with("x0 + x0"));
    CHECK(kernels[1].label == "");
    CHECK(kernels[1].where.line == line);
    CHECK(std::string(kernels[1].where.file).find("profile_test.cpp") != std::string::npos);
    CHECK(kernels[1].bytes_read == 4000);
    CHECK(kernels[1].bytes_written == 8000);
    for (const k::profile_event& each : kernels) {
        CHECK(each.device == k::current_device().name());
        CHECK(each.begin_ns >= 0);
        CHECK(each.end_ns > each.begin_ns);
        CHECK(each.run_ns > 0);
        CHECK(each.run_begin_ns >= 0);
        CHECK(each.host.launch > 0);
    }
    CHECK(kernels[1].begin_ns >= kernels[0].end_ns);
    CHECK_SAME(z.to_host(), std::vector<double>(1000, 9.0));
}

TEST_CASE("where no profile is alive nothing is recorded; profiles nest, and one that stopped keeps what it has") {
    const k::array<float> x = k::full<float>({10}, 2.0f);
    k::array<float> y = x * x;
    k::profile outer;
    y = x * x;
    {
        k::profile inner;
        y = x * x;
        inner.stop();
        y = x * x;
        inner.stop();
        CHECK(events_of(inner, k::profiled::kernel).size() == 1);
    }
    outer.stop();
    y = x * x;
    CHECK(events_of(outer, k::profiled::kernel).size() == 3);
    CHECK(events_of(outer, k::profiled::kernel).size() == 3);
}

TEST_CASE("a profile's phases add up to what the host took") {
    const k::array<double> x = k::full<double>({100}, 2.0);
    // Of several expressions, each cold and warm, the best counts: a machine that has other things to do may take the
    // processor away between two phases.
    double least_missing[2] = {1.0, 1.0};
    const auto evaluate = [&](const auto& made_by) {
        for (const bool cold : {true, false}) {
            k::profile seen;
            k::array<double> y = k::label("phases", made_by() * (x + 3.0625));
            const auto kernels = events_of(seen, k::profiled::kernel);
            REQUIRE(kernels.size() == 1);
            const k::profile_event& one = kernels.front();
            const auto whole = static_cast<double>(one.end_ns - one.begin_ns);
            const auto parts = static_cast<double>(one.host.total());
            INFO("cold ", cold, ": ", whole, " ns, of them ", parts);
            CHECK(parts <= whole);
            least_missing[cold] = std::min(least_missing[cold], (whole - 300 - parts) / whole);
            if (cold) CHECK(one.host.lower > 0);
            else CHECK(one.host.lower == 0);
            CHECK(one.host.bind > 0);
        }
    };
    evaluate([&] { return k::sqrt(x * 1.125 - 0.375); });
    evaluate([&] { return k::abs(x * 1.125 - 0.375); });
    evaluate([&] { return k::square(x * 1.125 - 0.375); });
    evaluate([&] { return k::rint(x * 1.125 - 0.375); });
    CHECK(least_missing[false] <= 0.05);
    CHECK(least_missing[true] <= 0.05);
}

TEST_CASE("prepare, copies and waits are events of a profile, each once") {
    const k::array<float> x = k::full<float>({1000}, 2.0f);
    k::profile seen;
    k::prepare(x * 17.25f + x);
    const k::array<float> there = k::from_host(std::vector<float>(500, 1.0f));
    const std::vector<float> back = there.to_host();
    k::synchronize();
    CHECK(events_of(seen, k::profiled::prepare).size() == 1);
    const auto copies = events_of(seen, k::profiled::copy);
    REQUIRE(copies.size() == 2);
    CHECK(copies[0].name == "host to " + k::current_device().name());
    CHECK(copies[0].bytes_written == 2000);
    CHECK(copies[1].name == k::current_device().name() + " to host");
    CHECK(copies[1].bytes_read == 2000);
    CHECK(events_of(seen, k::profiled::wait).size() == 1);
    CHECK(events_of(seen, k::profiled::kernel).empty());
}

TEST_CASE("reductions, scans and graphs are in a profile: as many launches as the counters say, and their bytes") {
    const k::array<float> m = k::full<float>({300, 200}, 0.5f);
    k::array<float> x = k::full<float>({1000}, 1.0f);
    const k::array<float> warm = k::cumsum(m, k::axis(0));
    k::graph step({&x}, [&] { x = x * 0.5f + 1.0f; });
    const k::counters before = k::counters::now();
    k::profile seen;
    const k::array<float> sums = k::sum(m * m, k::axis(1));
    const k::array<float> all = k::sum(m);
    const k::array<float> scanned = k::cumsum(m, k::axis(0));
    step.replay(10);
    CHECK_SAME(x.to_host(), std::vector<float>(1000, 2.0f - 0x1p-10f));
    const k::counters spent = k::counters::now() - before;
    std::int64_t launches = 0;
    std::int64_t read = 0;
    std::int64_t written = 0;
    for (const k::profile_event& each : seen.events()) {
        if (each.what != k::profiled::kernel && each.what != k::profiled::replay) continue;
        CHECK_FALSE(each.name.empty());
        launches += each.what == k::profiled::replay ? each.kernel_count : 1;
        read += each.bytes_read;
        written += each.bytes_written;
    }
    CHECK(launches == spent.launches);
    CHECK(read == spent.bytes_read);
    CHECK(written == spent.bytes_written);
}

TEST_CASE("the bytes of a profile are those that one counts by hand") {
    // 60 x 50 floats of 4 bytes are 12,000 bytes; a row of them 200, a column 240.
    const k::array<float> m = k::full<float>({60, 50}, 0.5f);
    const k::array<float> n = k::full<float>({60, 50}, 1.5f);
    const k::array<float> row = k::full<float>({50}, 2.0f);
    const k::array<float> column = k::full<float>({60, 1}, 3.0f);
    const k::array<double> d = k::full<double>({60, 50}, 0.25);
    const k::array<std::uint8_t> byte = k::full<std::uint8_t>({60, 50}, std::uint8_t{7});
    const k::array<int> at = k::arange<int>(50) % 10;
    struct counted {
        const char* what;
        std::int64_t read;
        std::int64_t written;
        std::function<void()> evaluate;
    };
    const auto make = [](const auto& e) { return [e] { const k::array<k::value_t<decltype(e)>> made(e); }; };
    const counted all[] = {
        {"an operand that stands five times is read once", 12'000, 12'000, make(m + m + m + m + m)},
        {"two operands", 24'000, 12'000, make(m * n)},
        {"a row is read once, however many rows there are", 12'200, 12'000, make(m * row)},
        {"a column", 12'240, 12'000, make(m + column)},
        {"a row and a column alone", 440, 12'000, make(row * column)},
        {"numbers are no operands", 12'000, 12'000, make(m * 2.5f + 1.0f)},
        {"doubles", 24'000, 24'000, make(d * d)},
        {"a float and a double: the wider one is stored", 36'000, 24'000, make(k::cast<double>(m) + d)},
        {"narrowed", 24'000, 12'000, make(k::cast<float>(d))},
        {"bytes", 3'000, 3'000, make(byte + byte)},
        {"a comparison stores a byte for each", 24'000, 3'000, make(m < n)},
        {"a choice", 24'000, 12'000, make(k::where(m < n, m, n))},
        {"what takes no memory is not read", 0, 12'000, make(k::full<float>({60, 50}, 1.0f))},
        {"positions are not read", 12'000, 12'000, make(m * k::cast<float>(k::index(1)))},
        {"half of the rows", 6'000, 6'000, make(m(k::range(0, 30)) * 2.0f)},
        {"every second column", 6'000, 6'000, make(m(k::all, k::range(0, 50, 2)) * 2.0f)},
        {"transposed", 12'000, 12'000, make(k::transpose(m) * 2.0f)},
        {"a sum of each row", 12'000, 240, make(k::sum(m, k::axis(1)))},
        {"a largest of each column", 12'000, 200, make(k::max(m, k::axis(0)))},
        {"a random number is not read", 12'000, 12'000, make(m + k::random::uniform<float>({60, 50}, 5))},
    };
    static_assert(std::size(all) == 20);
    for (const counted& each : all) {
        CAPTURE(each.what);
        each.evaluate();
        const k::profile seen;
        each.evaluate();
        std::int64_t read = 0;
        std::int64_t written = 0;
        int kernels = 0;
        for (const k::profile_event& event : events_of(seen, k::profiled::kernel)) {
            read += event.bytes_read;
            written += event.bytes_written;
            ++kernels;
        }
        CHECK(kernels == 1);
        CHECK(read == each.read);
        CHECK(written == each.written);
    }
}

TEST_CASE("a profile sees all devices and streams, each event with its own") {
    for (const auto& [one, other] : tests::device_pairs()) {
        const k::array<float> here = k::full<float>({100}, 2.0f);
        const k::array<float> there = k::to(other, here);
        k::array<float> warm_here = here * here;
        k::array<float> warm_there = there * there;
        k::profile seen;
        std::thread beside([&] {
            for (int i = 0; i < 20; ++i) warm_there = there * there;
        });
        for (int i = 0; i < 30; ++i) warm_here = here * here;
        beside.join();
        const k::array<float> back = k::to(one, warm_there);
        CHECK_SAME(back.to_host(), std::vector<float>(100, 4.0f));
        std::map<std::string, int> kernels;
        for (const k::profile_event& each : events_of(seen, k::profiled::kernel)) {
            ++kernels[each.device];
            CHECK(each.run_ns > 0);
            CHECK(each.bytes() == 800);
        }
        CHECK(kernels[one.name()] == 30);
        CHECK(kernels[other.name()] == 20);
        std::map<int, std::set<std::string>> devices_of_thread;
        for (const k::profile_event& each : events_of(seen, k::profiled::kernel))
            devices_of_thread[each.thread].insert(each.device);
        CHECK(devices_of_thread.size() == 2);
    }
}

TEST_CASE("all kernels of one evaluation have its label and its line, scans and later stages too") {
    const k::array<float> m = k::full<float>({300, 200}, 0.5f);
    const k::array<float> warm(k::label("in stages", k::cumsum(m - k::mean(m), k::axis(0)) * 2.0f));
    const k::profile seen;
    const unsigned line = __LINE__ + 1;
    const k::array<float> made(k::label("in stages", k::cumsum(m - k::mean(m), k::axis(0)) * 2.0f));
    const auto kernels = events_of(seen, k::profiled::kernel);
    CHECK(kernels.size() >= 3);
    for (const k::profile_event& each : kernels) {
        CHECK(each.label == "in stages");
        CHECK(each.where.line == line);
        CHECK_FALSE(each.name.empty());
        CHECK_FALSE(each.expression.empty());
    }
    CHECK(events_of(seen, k::profiled::prepare).empty());
    CHECK(kernels.front().host.stage > 0);
}

TEST_CASE("16 threads are recorded exactly, and a profile of one thread sees that thread alone") {
    constexpr int thread_count = 16;
    constexpr int each_evaluates = 50;
    const k::array<float> x = k::full<float>({64}, 2.0f);
    const k::array<float> warm = x + 1.0f;
    k::profile of_all;
    k::profile of_this(k::profile_scope::this_thread);
    std::vector<std::thread> threads;
    for (int i = 0; i < thread_count; ++i)
        threads.emplace_back([&] {
            const k::scoped_device here(x.device());
            for (int step = 0; step < each_evaluates; ++step) const k::array<float> y = x + 1.0f;
        });
    for (std::thread& each : threads) each.join();
    const k::array<float> y = x + 1.0f;
    std::map<int, int> by_thread;
    for (const k::profile_event& each : events_of(of_all, k::profiled::kernel)) {
        ++by_thread[each.thread];
        CHECK(each.bytes() == 512);
    }
    CHECK(by_thread.size() == thread_count + 1);
    CHECK(events_of(of_all, k::profiled::kernel).size() == thread_count * each_evaluates + 1);
    CHECK(events_of(of_this, k::profiled::kernel).size() == 1);
}

TEST_CASE("a profile's files are whole JSON: all events, and a trace whose arrows begin and end") {
    const tests::temporary_folder folder;
    const k::array<float> x = k::full<float>({100}, 2.0f);
    k::profile seen;
    k::array<float> y = k::label("\"quoted\" \\ and\nbroken", x * 3.0f);
    y = y + 1.0f;
    seen.write_json(folder.path() + "/profile.json");
    seen.write_chrome_trace(folder.path() + "/trace.json");
    const auto json = nlohmann::json::parse(std::ifstream(folder.path() + "/profile.json"));
    REQUIRE(json["events"].size() == seen.events().size());
    const auto first = std::find_if(json["events"].begin(), json["events"].end(),
                                    [](const auto& each) { return each["what"] == "kernel"; });
    REQUIRE(first != json["events"].end());
    CHECK((*first)["label"] == "\"quoted\" \\ and\nbroken");
    CHECK((*first)["bytes_read"] == 400);
    const auto trace = nlohmann::json::parse(std::ifstream(folder.path() + "/trace.json"));
    int begun = 0;
    int ended = 0;
    for (const auto& each : trace["traceEvents"]) {
        begun += each["ph"] == "s";
        ended += each["ph"] == "f";
        if (each["ph"] == "X") CHECK(each["dur"].get<double>() >= 0);
    }
    CHECK(begun == 2);
    CHECK(ended == 2);
    CHECK_THROWS_WITH_AS(seen.write_json(folder.path() + "/no/folder/profile.json"), doctest::Contains("No such file"),
                         k::error);
}

TEST_CASE("a profile's page has all events and each source once, and no text of it can end its script") {
    const tests::temporary_folder folder;
    const k::array<float> x = k::full<float>({100}, 2.0f);
    k::profile seen;
    k::array<float> y = k::label("</script><b>", x * 3.0f);
    y = x * 3.0f;
    seen.write_html(folder.path() + "/profile.html");
    std::ostringstream whole;
    whole << std::ifstream(folder.path() + "/profile.html").rdbuf();
    const std::string page = whole.str();
    CHECK(page.find("@DATA@") == std::string::npos);
    CHECK(page.find("</script><b>") == std::string::npos);
    const std::string begin = "type=\"application/json\">";
    const std::size_t from = page.find(begin) + begin.size();
    const auto data = nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
    REQUIRE(data["events"].size() == seen.events().size());
    std::map<std::string, std::size_t> column;
    for (std::size_t i = 0; i < data["columns"].size(); ++i) column[data["columns"][i]] = i;
    int kernels = 0;
    for (std::size_t i = 0; i < seen.events().size(); ++i) {
        const auto& row = data["events"][i];
        const k::profile_event& event = seen.events()[i];
        REQUIRE(row.size() == column.size());
        CHECK(data["strings"][row[column["what"]].get<std::size_t>()] == k::to_string(event.what));
        CHECK(data["strings"][row[column["label"]].get<std::size_t>()] == event.label);
        CHECK(data["strings"][row[column["source"]].get<std::size_t>()] == (event.source ? *event.source : ""));
        CHECK(row[column["run_ns"]] == event.run_ns);
        CHECK(row[column["bytes_read"]] == event.bytes_read);
        CHECK(row[column["launch"]] == event.host.launch);
        kernels += event.what == k::profiled::kernel;
    }
    CHECK(kernels == 2);
}

TEST_CASE("a summary says what could be done: kernels that differ in a constant alone") {
    const k::array<float> x = k::full<float>({100}, 2.0f);
    k::profile seen;
    const k::array<float> a = x * k::constant<101>;
    const k::array<float> b = x * k::constant<102>;
    const k::array<float> c = x * k::constant<103>;
    const std::string text = seen.summary();
    CHECK(text.find("launch: handing") != std::string::npos);
    CHECK(seen.table().find("x0 * 101") != std::string::npos);
    if (events_of(seen, k::profiled::compile).size() == 3)
        CHECK(text.find("3 kernels differ only in a constant") != std::string::npos);
}
