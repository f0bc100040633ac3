// What the kernel store costs whoever compiles: a hit on disk, what a miss adds to a compile, a publish, the first publish of
// a process into a full folder, the end of a process; and how long whoever types kiln-cache waits. In a folder on a disk
// (--dir, else the temporary folder) and in one that is memory (/dev/shm). Files are in the page cache, as they are the second
// time that a program runs.
#include "store_folder.hpp"
#include "store_tool.hpp"
#include "support.hpp"

#include <compile/subprocess.hpp>

#include <jit_cache/folder.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace kiln::bench;
using jit_cache::origin;

template <class Work>
double us(Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

limit at_most(double bound) { return {limit::side::at_most, bound}; }

/// Of many samples: the value that one in a hundred exceeds.
summary p99(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const double value = values.at(values.size() * 99 / 100);
    return {value, value, value};
}

jit_cache::settings settings_for(const fs::path& folder, std::vector<fs::path> read_only = {}) {
    jit_cache::settings result;
    result.directory = folder;
    result.read_only_directories = std::move(read_only);
    return result;
}

double time_of(jit_cache::store& asked, const kernel& which, origin expected) {
    const jit_cache::key key = key_of(which);
    const auto make = [&](const jit_cache::miss&) { return jit_cache::artifact{}; };
    jit_cache::found found;
    const double took = us([&] { found = asked.find_or_make(key, make, nullptr); });
    if (found.from != expected) throw std::runtime_error("a hit where a miss was due, or a miss where a hit was");
    return took;
}

// --- Look-ups -----------------------------------------------------------------------------------------------------------

/// From the key to checked bytes, in a store that has forgotten what it had in memory.
std::vector<double> hits(jit_cache::store& asked, const std::vector<kernel>& stored, std::int64_t count) {
    std::vector<double> samples;
    for (const kernel& each : stored) time_of(asked, each, origin::disk);  // fills the page cache
    for (std::int64_t i = 0; i < count; ++i) {
        asked.forget_memory();
        samples.push_back(time_of(asked, stored[static_cast<std::size_t>(i) % stored.size()], origin::disk));
    }
    asked.forget_memory();
    return samples;
}

/// Each a kernel that nobody asked for before. Of an expression that is stored: its relatives tell why it is not.
std::vector<double> misses(jit_cache::store& asked, int families, std::int64_t count) {
    static int never_stored = 1'000'000;
    std::vector<double> samples;
    for (std::int64_t i = 0; i < count; ++i) {
        const int family = families > 0 ? static_cast<int>(i) % families : ++never_stored;
        samples.push_back(time_of(asked, {.family = family, .source = 0, .compiler = ++never_stored}, origin::made));
        asked.forget_memory();
    }
    return samples;
}

void measure_hits(report& out, const std::string& where, const stored_folder& full, std::int64_t count) {
    std::vector<kernel> large;
    for (int family = 0; family < full.families(); ++family) large.push_back({.family = family});
    jit_cache::store store(settings_for(full.path()));
    out.add({where + "a hit, 40 KB", summarize(hits(store, large, count)), "us", {}, {}, at_most(60)});

    std::vector<double> anew;
    for (std::int64_t i = 0; i < count; ++i) {
        anew.push_back(us([&] {
            jit_cache::store fresh(settings_for(full.path()));
            time_of(fresh, large[static_cast<std::size_t>(i) % large.size()], origin::disk);
        }));
    }
    out.add({where + "a store made, one hit, counted, ended", summarize(std::move(anew)), "us"});
}

/// The same ten kernels in folders of different sizes: what differs is the folder, not what the processor's caches hold.
void compare_sizes(report& out, const std::string& where, const std::vector<const stored_folder*>& folders,
                   std::int64_t count) {
    std::vector<kernel> same;
    for (int number = 0; number < 10; ++number) same.push_back(kernel_number(number));
    std::vector<std::unique_ptr<jit_cache::store>> stores;
    std::vector<contender> contenders;
    for (const stored_folder* each : folders) {
        stores.push_back(std::make_unique<jit_cache::store>(settings_for(each->path())));
        contenders.push_back(
            {[&same, store = stores.back().get()] { return summarize(hits(*store, same, 50)).median; }, {}});
    }
    take_turns(contenders, static_cast<int>(std::max<std::int64_t>(5, count / 50)));
    for (std::size_t i = 0; i < folders.size(); ++i) {
        figure one{kiln::text::format("{}a hit among {}", where, folders[i]->entries()),
                   summarize(contenders[i].values), "us"};
        if (i > 0) {
            one.compared = ratio(contenders[i], contenders[0]);
            one.compared_with = "x the smallest folder's";
            one.must_be = limit{limit::side::at_most, 1.1, limit::subject::ratio};
        }
        out.add(std::move(one));
    }
}

void measure_misses(report& out, const std::string& where, const stored_folder& full, const stored_folder& empty,
                    const std::vector<const stored_folder*>& tiers, std::int64_t count) {
    const auto measured = [&](const fs::path& own, const std::vector<fs::path>& read_only, int families) {
        jit_cache::store store(settings_for(own, read_only));
        return summarize(misses(store, families, count));
    };
    const std::string among = kiln::text::format("{}a miss among {}", where, full.entries());
    out.add({where + "a miss in an empty folder", measured(empty.path(), {}, 0), "us", {}, {}, at_most(20)});
    out.add({among + ", no relatives", measured(full.path(), {}, 0), "us", {}, {}, at_most(20)});
    const summary alone = measured(full.path(), {}, full.families());
    out.add({among + ", with relatives", alone, "us", {}, {}, at_most(20)});
    // Each folder is opened, looked at and searched: what the first costs is paid once more.
    std::vector<fs::path> before;
    for (const stored_folder* each : tiers) {
        before.push_back(each->path());
        const summary with = measured(full.path(), before, full.families());
        const double more = (with.median - alone.median) / static_cast<double>(before.size());
        out.add({kiln::text::format("{}, behind {} read-only", among, before.size()), with, "us",
                 summary{more, more, more}, "us more for each",
                 limit{limit::side::at_most, 20, limit::subject::ratio}});
    }
}

// --- Publishing ---------------------------------------------------------------------------------------------------------

/// From the call to the end of the publisher's work, which nobody has to wait for.
void measure_publishing(report& out, const std::string& what, const fs::path& folder, std::int64_t count) {
    static int number = 0;
    jit_cache::store store(settings_for(folder));
    const auto value = std::make_shared<const jit_cache::artifact>(artifact_of(40'000));
    std::vector<double> samples;
    for (std::int64_t i = 0; i < count; ++i) {
        const jit_cache::key key = key_of({.family = 500'000 + number++});
        samples.push_back(us([&] {
            store.publish(key, value);
            store.flush();
        }));
    }
    samples.erase(samples.begin());  // starts the thread, and looks at the folder: below
    out.add({what + ", median", summarize(samples), "us", {}, {}, at_most(1000)});
    out.add({what + ", all but one in a hundred", p99(std::move(samples)), "us", {}, {}, at_most(1000)});
}

/// The measured process: one miss, one publish, the end.
int publish_once(const fs::path& folder, int number) {
    auto store = std::make_unique<jit_cache::store>(settings_for(folder));
    const jit_cache::key key = key_of({.family = 900'000 + number});
    const jit_cache::found found = store->find_or_make(
        key, [](const jit_cache::miss&) { return artifact_of(40'000); }, nullptr);
    double flushed = 0;
    const double ended = us([&] {
        flushed = us([&] {
            store->publish(key, found.value);
            store->flush();
        });
        store.reset();
    });
    print(stdout, "{}\n", nlohmann::json{{"flushed", flushed}, {"ended", ended}}.dump());
    return 0;
}

void measure_first_publish(report& out, const std::string& where, stored_folder& full, std::int64_t repeats) {
    std::vector<double> flushed;
    std::vector<double> ended;
    for (std::int64_t i = 0; i < repeats; ++i) {
        full.fill_up();
        const kiln::compile::process_result child =
            kiln::compile::run_process({this_program(), "--publish-once", full.path().string(), "--number",
                                        std::to_string(i + (where.empty() ? 0 : 1) * 1000)});
        const nlohmann::json said = nlohmann::json::parse(child.output, nullptr, false);
        if (child.exit_status != 0 || !said.is_object())
            throw std::runtime_error("the publishing process: " + child.ended + "\n" + child.output);
        flushed.push_back(said.at("flushed").get<double>() / 1000);
        ended.push_back(said.at("ended").get<double>() / 1000);
    }
    const std::string what = kiln::text::format("{}a process's first publish among {}", where, full.entries());
    out.add({what + ", flushed", summarize(std::move(flushed)), "ms", {}, {}, at_most(20)});
    out.add({what + ", store ended", summarize(std::move(ended)), "ms", {}, {}, at_most(20)});
}

// --- The end ------------------------------------------------------------------------------------------------------------

void measure_ends(report& out, const std::string& where, const fs::path& folder, std::int64_t count) {
    std::vector<double> nothing;
    std::vector<double> unused;
    std::vector<double> counted;
    jit_cache::store store(settings_for(folder));
    for (std::int64_t i = 0; i < count; ++i) {
        time_of(store, {.family = 0}, origin::disk);
        store.forget_memory();
        counted.push_back(us([&] { store.settle(); }));
        nothing.push_back(us([&] { store.settle(); }));
        unused.push_back(us([&] { const jit_cache::store never_asked(settings_for(folder)); }));
    }
    out.add({where + "settle() with a hit to count", summarize(std::move(counted)), "us"});
    out.add({where + "settle() with nothing to do", summarize(std::move(nothing)), "us"});
    out.add({where + "a store made and ended unused", summarize(std::move(unused)), "us"});
}

void measure_in(report& out, const fs::path& parent, const std::string& where, const arguments& given) {
    const std::int64_t count = given.number("--count", 2000);
    const int entries = static_cast<int>(given.number("--entries", 20'000));
    const stored_folder small(parent, 10);
    const stored_folder middle(parent, 1000);
    const stored_folder other(parent, 1000);
    const stored_folder empty(parent, 0);
    stored_folder full(parent, entries);

    measure_hits(out, where, full, count);
    compare_sizes(out, where, {&small, &middle, &full}, count);
    measure_misses(out, where, full, empty, {&middle, &other}, count);
    measure_publishing(out, where + "a publish of 40 KB among 1000", other.path(), count);
    measure_first_publish(out, where, full, given.number("--repeats", 15));
    full.fill_up();
    measure_publishing(out, where + kiln::text::format("a publish of 40 KB among {}", entries), full.path(), count);
    measure_ends(out, where, middle.path(), count);
    if (const std::string tool = KILN_BENCH_TOOL; !tool.empty())
        measure_tool(out, tool, where, full, static_cast<int>(std::min<std::int64_t>(5, given.number("--repeats", 5))));
    else out.note(where + "kiln-cache was not built");
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    if (given.has("--publish-once"))
        return publish_once(given.text("--publish-once", ""), static_cast<int>(given.number("--number", 0)));

    const fs::path on_disk = given.text("--dir", fs::temp_directory_path().string());
    report out("store", processor() + "; a folder on a disk: " + on_disk.string(), given);
    measure_in(out, on_disk, "disk: ", given);
    if (is_writable("/dev/shm")) measure_in(out, "/dev/shm", "memory: ", given);
    else out.note("no folder in memory: /dev/shm cannot be written");
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("store", trouble);
}
