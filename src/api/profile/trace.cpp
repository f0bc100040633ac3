// A profile as a trace that Chrome and Perfetto read: threads of the host are the rows of one process, streams of devices those
// of another. Slices of one row have to nest, or viewers leave some away.
// Source: Trace Event Format (Google): complete events "X", flows "s" and "f", names of rows "M"; times in microseconds.
#include <api/profile/event_json.hpp>
#include <api/profile/lanes.hpp>
#include <api/profile/nesting.hpp>
#include <api/profile/texts.hpp>
#include <record/profile.hpp>
#include <text/format.hpp>

#include <kiln/profile.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln::inline v0_1 {

namespace {

constexpr int host_rows = 1;
constexpr int device_rows = 2;

double microseconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-3; }

std::string name_of(const profile_event& of) {
    const std::string name = of.label.empty() ? of.name : of.label + ": " + of.name;
    return name.empty() ? to_string(of.what) : name;
}

/// The records of a trace's file, one a line.
class trace_text {
public:
    void process(int process, std::string_view name) {
        line() += text::format(R"({{"ph": "M", "pid": {}, "name": "process_name", "args": {{"name": {}}}}})", process,
                               detail::json_text(name));
    }
    void row(int process, int row, std::string_view name) {
        line() += text::format(R"({{"ph": "M", "pid": {}, "tid": {}, "name": "thread_name", "args": {{"name": {}}}}})",
                               process, row, detail::json_text(name));
    }
    /// `of`: the event that it is; of a phase none.
    void slice(int process, int row, std::int64_t begin_ns, std::int64_t end_ns, std::string_view name,
               const profile_event* of) {
        line() +=
            text::format(R"({{"ph": "X", "pid": {}, "tid": {}, "ts": {:.3f}, "dur": {:.3f}, "name": {}{}}})", process,
                         row, microseconds(begin_ns), microseconds(end_ns - begin_ns), detail::json_text(name),
                         of ? ", \"args\": " + detail::brief_event_json(*of) : std::string());
    }
    /// `end`: 's' where an arrow starts, 'f' where it ends.
    void arrow(int process, int row, char end, std::int64_t at_ns, std::size_t number) {
        line() += text::format(
            R"({{"ph": "{}", "pid": {}, "tid": {}, "ts": {:.3f}, "id": {}, "name": "launch", "cat": "launch"{}}})", end,
            process, row, microseconds(at_ns), number, end == 'f' ? R"(, "bp": "e")" : "");
    }
    [[nodiscard]] std::string whole() const {
        return "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n" + out_ + "\n]}\n";
    }

private:
    std::string& line() { return out_ += out_.empty() ? "" : ",\n"; }

    std::string out_;
};

/// Events of host threads and their phases, as they will be slices.
class host_slices {
public:
    void add(const profile_event& event, const std::vector<record::phase_span>& spans) {
        add(event, event.begin_ns, event.end_ns, name_of(event), &event);
        const profile_phases& took = event.host;
        const std::int64_t bound_ns = event.begin_ns + took.stage;
        const std::int64_t launched_ns = event.end_ns - took.launch;
        phase(event, event.begin_ns, bound_ns, "stage");
        phase(event, bound_ns, bound_ns + took.bind, "bind");
        for (const record::phase_span& each : spans) phase(event, each.begin_ns, each.end_ns, each.name);
        phase(event, launched_ns - took.prepare, launched_ns, "prepare");
        phase(event, launched_ns, event.end_ns, "launch");
    }

    void write(trace_text& to) const {
        for (const detail::nested_interval& each : detail::nested(places_)) {
            const detail::interval& place = places_[each.number];
            const slice& what = slices_[each.number];
            if (what.event || each.end_ns > place.begin_ns)
                to.slice(host_rows, place.thread, place.begin_ns, each.end_ns, what.name, what.event);
        }
    }

private:
    struct slice {
        std::string name;
        const profile_event* event;
    };

    void add(const profile_event& of, std::int64_t begin_ns, std::int64_t end_ns, std::string name,
             const profile_event* event) {
        places_.push_back({of.thread, begin_ns, end_ns});
        slices_.push_back({std::move(name), event});
    }
    /// None is outside of its evaluation: a graph of terms may be made some time before it.
    void phase(const profile_event& of, std::int64_t begin_ns, std::int64_t end_ns, const char* name) {
        begin_ns = std::max(begin_ns, of.begin_ns);
        end_ns = std::min(end_ns, of.end_ns);
        if (begin_ns < end_ns) add(of, begin_ns, end_ns, name, nullptr);
    }

    std::vector<detail::interval> places_;
    std::vector<slice> slices_;  // of the same numbers
};

}  // namespace

void profile::write_chrome_trace(const std::string& path) const {
    detail::require_name(path, "write_chrome_trace");
    const std::vector<profile_event>& seen = events();
    trace_text out;
    out.process(host_rows, "host");
    out.process(device_rows, "devices");
    std::set<int> threads;
    host_slices host;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (threads.insert(seen[i].thread).second)
            out.row(host_rows, seen[i].thread, text::format("thread {}", seen[i].thread));
        host.add(seen[i], data_->spans_of(i));
    }
    host.write(out);
    int row = 0;
    for (const detail::lane& each : detail::lanes_of(seen)) {
        out.row(device_rows, ++row, each.name);
        for (const std::size_t i : each.events) {
            const profile_event& event = seen[i];
            out.slice(device_rows, row, event.run_begin_ns, event.run_begin_ns + event.run_ns, name_of(event), &event);
            out.arrow(host_rows, event.thread, 's', std::max(event.begin_ns, event.end_ns - event.host.launch), i + 1);
            out.arrow(device_rows, row, 'f', event.run_begin_ns, i + 1);
        }
    }
    detail::write_whole(path, out.whole());
}

}  // namespace kiln::inline v0_1
