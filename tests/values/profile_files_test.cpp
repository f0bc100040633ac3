// What a profile writes: its texts are safe to print, its files whole and valid, its totals count nothing twice.
#include <support/check.hpp>
#include <support/child.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace k = kiln;

namespace {

using nlohmann::json;

json read_json(const std::string& path) { return json::parse(std::ifstream(path)); }

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

/// "1.50 ms" in nanoseconds, "0" as well.
double nanoseconds_of(const std::string& number, const std::string& unit) {
    return std::stod(number) * (unit == "us" ? 1e3 : unit == "ms" ? 1e6 : 1e9);
}

/// Of the summary's table whose last heading is `title`: the sum of the column "of host".
double sum_of_host_percents(const std::string& summary, const std::string& title) {
    double sum = 0;
    std::size_t end = 0;
    for (const std::string& line : lines_of(summary)) {
        if (line.starts_with("times") || line.find(" times ") != std::string::npos) {
            end = line.ends_with("  " + title) ? line.find("of host") + std::string("of host").size() : 0;
            continue;
        }
        if (line.empty()) end = 0;
        if (end == 0) continue;
        const std::string cell = line.substr(end - 7, 7);
        if (cell.find('%') != std::string::npos) sum += std::stod(cell);
    }
    return sum;
}

struct slice {
    std::int64_t begin_ns;
    std::int64_t end_ns;
    std::string name;
};

/// Of a trace, by process and row.
std::map<std::pair<int, int>, std::vector<slice>> slices_of(const json& trace) {
    std::map<std::pair<int, int>, std::vector<slice>> out;
    for (const json& each : trace["traceEvents"]) {
        if (each["ph"] != "X") continue;
        const auto begin = std::llround(each["ts"].get<double>() * 1e3);
        const auto length = std::llround(each["dur"].get<double>() * 1e3);
        out[{each["pid"], each["tid"]}].push_back({begin, begin + length, each["name"]});
    }
    return out;
}

/// Pairs that overlap, and of which neither contains the other.
int overlaps_of(std::vector<slice> slices) {
    std::stable_sort(slices.begin(), slices.end(), [](const slice& a, const slice& b) {
        return std::tuple(a.begin_ns, -a.end_ns) < std::tuple(b.begin_ns, -b.end_ns);
    });
    int found = 0;
    std::vector<slice> around;
    for (const slice& each : slices) {
        while (!around.empty() && around.back().end_ns <= each.begin_ns) around.pop_back();
        if (!around.empty() && each.end_ns > around.back().end_ns) {
            ++found;
            INFO(each.name, " ends after ", around.back().name, " around it");
            CHECK(each.end_ns <= around.back().end_ns);
        }
        around.push_back(each);
    }
    return found;
}

/// First and later calls, kernels in stages, a scan of several launches, copies, a wait, an operand that is summed up late.
void evaluate_all_kinds(float salt) {
    const k::array<float> m = k::full<float>({300, 200}, 0.5f);
    k::array<float> x = k::from_host(std::vector<float>(1000, 1.0f));
    for (int i = 0; i < 3; ++i) {
        const k::array<float> scanned = k::label("in stages", k::cumsum(m * salt - k::mean(m), k::axis(0)) * 2.0f);
        const k::array<float> sums = k::sum(m * salt, k::axis(1));
        x = k::sqrt(x * salt + 1.0f) / k::sum(x);
        const std::vector<float> back = x.to_host();
    }
    k::prepare(x * x - salt);
    k::synchronize();
}

}  // namespace

TEST_CASE("a profile's trace nests: of two slices of one row that overlap one lies in the other") {
    const tests::temporary_folder folder;
    k::profile seen;
    std::thread beside([] {
        for (int i = 0; i < 3; ++i) evaluate_all_kinds(1.75f);
    });
    for (int i = 0; i < 3; ++i) evaluate_all_kinds(1.75f);
    beside.join();
    seen.stop();
    seen.write_chrome_trace(folder.path() + "/trace.json");
    const auto rows = slices_of(read_json(folder.path() + "/trace.json"));
    CHECK(rows.size() >= 3);
    std::size_t slices = 0;
    for (const auto& each : rows) {  // clang++ 14 has no structured bindings in doctest's lambdas
        CAPTURE(each.first.first);
        CAPTURE(each.first.second);
        CHECK(overlaps_of(each.second) == 0);
        slices += each.second.size();
    }
    CHECK(slices > 2 * seen.events().size());
}

TEST_CASE(
    "phases in a profile's trace stand where they were: inside their evaluation, a compile's inside the compile") {
    const tests::temporary_folder folder;
    const k::array<float> x = k::full<float>({100}, 2.0f);
    k::profile seen;
    const k::array<float> y = k::label("placed", k::sqrt(x * k::constant<907>) - x);
    seen.stop();
    seen.write_chrome_trace(folder.path() + "/trace.json");
    const auto& events = seen.events();
    const auto kernel =
        std::find_if(events.begin(), events.end(), [](const auto& each) { return each.what == k::profiled::kernel; });
    REQUIRE(kernel != events.end());
    std::map<std::string, slice> phases;
    const auto rows = slices_of(read_json(folder.path() + "/trace.json"));
    for (const slice& each : rows.at({1, kernel->thread}))
        if (each.begin_ns >= kernel->begin_ns && each.end_ns <= kernel->end_ns) phases.emplace(each.name, each);
    for (const auto& name : std::vector<std::string>{"bind", "lower", "plan", "prepare", "launch"}) {
        CAPTURE(name);
        CHECK(phases.contains(name));
    }
    CHECK(phases.at("lower").end_ns <= phases.at("plan").begin_ns);
    CHECK(phases.at("launch").end_ns == kernel->end_ns);
    const auto compile =
        std::find_if(events.begin(), events.end(), [](const auto& each) { return each.what == k::profiled::compile; });
    if (compile == events.end()) return;
    CHECK(phases.at("compile").begin_ns >= compile->begin_ns);
    CHECK(phases.at("compile").end_ns <= compile->end_ns);
    CHECK(phases.at("find").begin_ns <= compile->begin_ns);
}

TEST_CASE("a profile's later kernels of one evaluation begin where the launch before ended: their phases fit in") {
    const k::array<float> m = k::full<float>({300, 200}, 0.5f);
    const k::profile seen;
    const k::array<float> scanned = k::cumsum(m, k::axis(0));
    for (const k::profile_event& each : seen.events())
        if (each.what == k::profiled::kernel) CHECK(each.host.total() <= each.end_ns - each.begin_ns);
}

TEST_CASE("a profile's summary has a row for evaluations without label and line") {
    const k::array<float> x = k::full<float>({100}, 2.0f);
    k::array<float> y = x + 1.0f;
    k::profile seen;
    for (int i = 0; i < 3; ++i) y = x + 1.0f;
    y = k::label("named", x + 1.0f);
    seen.stop();
    const std::string text = seen.summary();
    CHECK(tests::occurrences(text, "(no label or line)") == 1);
    CHECK(tests::occurrences(text, "  named\n") == 1);
    CHECK(std::abs(sum_of_host_percents(text, "label, line") - sum_of_host_percents(text, "kernel")) <= 0.3);
}

TEST_CASE("a profile's summary counts no host time twice: kernels and what is beside them are 100% of its total") {
    k::profile seen;
    evaluate_all_kinds(2.25f);
    seen.stop();
    const std::string text = seen.summary();
    const double kernels = sum_of_host_percents(text, "kernel");
    const double others = sum_of_host_percents(text, "beside kernels");
    CHECK(kernels > 0);
    CHECK(tests::occurrences(text, "  beside kernels\n") == 1);
    CHECK(std::abs(kernels + others - 100) <= 1);  // rows are rounded to 0.1

    const std::vector<std::string> lines = lines_of(text);
    std::istringstream headings(lines.at(0));
    std::vector<std::string> names;
    for (std::string each; headings >> each;) names.push_back(each);
    CHECK(names == std::vector<std::string>{"events", "host", "device", "wall"});
    std::istringstream totals(lines.at(1));
    std::size_t events = 0;
    std::string host, host_unit, device, device_unit, wall, wall_unit;
    totals >> events >> host >> host_unit >> device >> device_unit >> wall >> wall_unit;
    CHECK(events == seen.events().size());
    // One thread: its events are a part of the time that went by. Texts are rounded.
    CHECK(nanoseconds_of(host, host_unit) <= nanoseconds_of(wall, wall_unit) * 1.01);
    std::int64_t run_ns = 0;
    for (const k::profile_event& each : seen.events()) run_ns += each.run_ns;
    CHECK(nanoseconds_of(device, device_unit) == doctest::Approx(static_cast<double>(run_ns)).epsilon(0.01));
    CHECK(tests::occurrences(text, "share  ") == 0);
}

TEST_CASE("a profile's page has the totals of its summary: each event's own host time, and the wall time") {
    const tests::temporary_folder folder;
    k::profile seen;
    evaluate_all_kinds(2.75f);
    seen.stop();
    seen.write_html(folder.path() + "/profile.html");
    seen.write_json(folder.path() + "/profile.json");
    std::ostringstream whole;
    whole << std::ifstream(folder.path() + "/profile.html").rdbuf();
    const std::string page = whole.str();
    const std::string begin = "type=\"application/json\">";
    const std::size_t from = page.find(begin) + begin.size();
    const json data = json::parse(page.substr(from, page.find("</script>", from) - from));
    const auto& columns = data["columns"];
    const auto own =
        static_cast<std::size_t>(std::find(columns.begin(), columns.end(), "own_host_ns") - columns.begin());
    REQUIRE(own < columns.size());
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < seen.events().size(); ++i) {
        const auto ns = data["events"][i][own].get<std::int64_t>();
        CHECK(ns >= 0);
        CHECK(ns <= seen.events()[i].end_ns - seen.events()[i].begin_ns);
        sum += ns;
    }
    CHECK(sum <= data["wall_ns"].get<std::int64_t>());
    CHECK(data["wall_ns"] == read_json(folder.path() + "/profile.json")["wall_ns"]);
}

TEST_CASE("a profile's JSON has every field of every event, empty ones too, and each source once") {
    const tests::temporary_folder folder;
    k::profile seen;
    evaluate_all_kinds(3.25f);
    seen.stop();
    seen.write_json(folder.path() + "/profile.json");
    const json all = read_json(folder.path() + "/profile.json");
    REQUIRE(all["events"].size() == seen.events().size());
    const std::set<std::string> names{"what",          "name",
                                      "expression",    "label",
                                      "file",          "line",
                                      "key",           "origin",
                                      "why",           "device",
                                      "stream",        "thread",
                                      "begin_ns",      "end_ns",
                                      "host",          "run_begin_ns",
                                      "run_ns",        "bytes_read",
                                      "bytes_written", "element_count",
                                      "work",          "operation_count",
                                      "kernel_count",  "block_count",
                                      "registers",     "threads_per_block",
                                      "occupancy",     "static_shared_bytes",
                                      "source",        "dynamic_shared_bytes",
                                      "predicted",     "spilled_bytes",
                                      "pipeline"};
    std::set<std::string> sources;
    for (std::size_t i = 0; i < seen.events().size(); ++i) {
        const k::profile_event& event = seen.events()[i];
        const json& row = all["events"][i];
        std::set<std::string> has;
        for (const auto& [name, value] : row.items()) has.insert(name);
        CHECK(has == names);
        CHECK(row["host"].size() == 11);
        CHECK(row["host"]["launch"] == event.host.launch);
        CHECK(row["work"]["plain"] == event.work.plain);
        CHECK(row["predicted"]["ns"] == event.predicted.ns);
        CHECK(row["predicted"]["by"] == k::to_string(event.predicted.by));
        CHECK(row["element_count"] == event.element_count);
        CHECK(row["stream"] == event.stream);
        if (event.source) CHECK(all["sources"][row["source"].get<std::size_t>()] == *event.source);
        else CHECK(row["source"].is_null());
        if (event.source) sources.insert(*event.source);
    }
    CHECK(all["sources"].size() == sources.size());
    CHECK(sources.empty() == !tests::device().compiles);
}

TEST_CASE(
    "a profile's label may be any bytes: its files stay valid UTF-8, its tables print nothing that moves a cursor") {
    const tests::temporary_folder folder;
    const k::array<float> x = k::full<float>({100}, 2.0f);
    k::array<float> y = x + 1.0f;
    k::profile seen;
    y = k::label("b\xff\xc3\xa9\xe2\x82\nnew\x1b[31m", x + 1.0f);
    seen.stop();
    seen.write_json(folder.path() + "/profile.json");
    seen.write_chrome_trace(folder.path() + "/trace.json");
    seen.write_html(folder.path() + "/profile.html");
    const std::string valid = "b\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\nnew\x1b[31m";
    CHECK(read_json(folder.path() + "/profile.json")["events"][0]["label"] == valid);
    CHECK(tests::occurrences(read_json(folder.path() + "/trace.json").dump(), "\xef\xbf\xbd") > 0);
    std::ostringstream page;
    page << std::ifstream(folder.path() + "/profile.html").rdbuf();
    CHECK(page.str().find('\xff') == std::string::npos);
    CHECK(page.str().find('\x1b') == std::string::npos);
    for (const std::string& text : {seen.table(), seen.summary()}) {
        CHECK(text.find("b\\xff\xc3\xa9\\xe2\\x82\\x0anew\\x1b[31m") != std::string::npos);
        CHECK(text.find('\xff') == std::string::npos);
        CHECK(text.find('\x1b') == std::string::npos);
    }
}

TEST_CASE("a profile's tables cut a label that is too long, and keep its beginning, its end and the line behind it") {
    const k::array<float> x = k::full<float>({100}, 2.0f);
    const k::array<float> warm = x + 1.0f;
    const std::string label = "begins " + std::string(300, '-') + " ends";
    k::profile seen;
    const k::array<float> y(k::label(label.c_str(), x + 1.0f));
    seen.stop();
    for (const std::string& text : {seen.table(), seen.summary()}) {
        CHECK(text.find(std::string(100, '-')) == std::string::npos);
        CHECK(text.find("begins ---") != std::string::npos);
        CHECK(text.find("--- ends profile_files_test.cpp:") != std::string::npos);
    }
}

TEST_CASE("a profile's table says which thread, where there is more than one") {
    const k::array<float> x = k::full<float>({100}, 2.0f);
    const k::array<float> warm = x + 1.0f;
    k::profile of_one;
    const k::array<float> y = x + 1.0f;
    of_one.stop();
    CHECK(lines_of(of_one.table()).at(0).find("thread") == std::string::npos);

    k::profile of_two;
    const k::array<float> z = x + 1.0f;
    std::thread([&x] {
        const k::scoped_device here(x.device());
        const k::array<float> w = x + 1.0f;
    }).join();
    of_two.stop();
    const std::vector<std::string> lines = lines_of(of_two.table());
    const std::size_t end = lines.at(0).find("thread") + std::string("thread").size();
    REQUIRE(lines.at(0).find("thread") != std::string::npos);
    REQUIRE(lines.size() == of_two.events().size() + 1);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::string cell = std::to_string(of_two.events()[i - 1].thread);
        CHECK(lines[i].substr(end - cell.size() - 1, cell.size() + 1) == " " + cell);
    }
}

TEST_CASE("a profile's file without a name: the error says which function wanted one") {
    const k::profile seen;
    CHECK_THROWS_WITH_AS(seen.write_json(""), "kiln: write_json: no file name is given", k::error);
    CHECK_THROWS_WITH_AS(seen.write_chrome_trace(""), "kiln: write_chrome_trace: no file name is given", k::error);
    CHECK_THROWS_WITH_AS(seen.write_html(""), "kiln: write_html: no file name is given", k::error);
}

TEST_CASE("an empty profile's files are whole, and its page says that there is nothing") {
    const tests::temporary_folder folder;
    k::profile seen;
    seen.stop();
    seen.write_json(folder.path() + "/profile.json");
    seen.write_chrome_trace(folder.path() + "/trace.json");
    seen.write_html(folder.path() + "/profile.html");
    CHECK(read_json(folder.path() + "/profile.json")["events"].empty());
    CHECK(slices_of(read_json(folder.path() + "/trace.json")).empty());
    std::ostringstream page;
    page << std::ifstream(folder.path() + "/profile.html").rdbuf();
    CHECK(page.str().find("id=\"empty\"") != std::string::npos);
    CHECK(seen.summary() == "nothing was evaluated\n");
}
