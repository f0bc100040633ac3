// A profile as files: all of it as JSON, and a trace as Chrome and Perfetto read them.
// Source: Trace Event Format (Google): complete events "X", flows "s" and "f", names of rows "M"; times in microseconds.
#include <api/profile/texts.hpp>
#include <api/profile/words.hpp>
#include <text/format.hpp>

#include <kiln/profile.hpp>
#include <kiln/version.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace kiln::inline v0_1 {

namespace {

using detail::json_text;
using text::format;

std::string phases_json(const profile_phases& of) {
    std::string out = "{";
#define KILN_PHASE(name, what) out += format("{}\"" #name "\": {}", out.size() > 1 ? ", " : "", of.name);
#include <kiln/phase_table.def>
    return out + "}";
}

std::string event_json(const profile_event& of) {
    std::string out = "{";
    const auto text = [&out](const char* name, std::string_view value) {
        if (!value.empty()) out += format("{}: {}, ", json_text(name), json_text(value));
    };
    const auto number = [&out](const char* name, auto value) {
        if (value != 0) out += format("{}: {}, ", json_text(name), value);
    };
    text("what", to_string(of.what));
    text("name", of.name);
    text("expression", of.expression);
    text("label", of.label);
    text("file", of.where.file);
    number("line", of.where.line);
    text("key", of.key);
    if (of.what == profiled::kernel) text("origin", detail::word_of(of.origin));
    text("why", of.why);
    text("device", of.device);
    number("stream", of.stream);
    number("thread", of.thread);
    number("run_begin_ns", of.run_begin_ns);
    number("run_ns", of.run_ns);
    number("bytes_read", of.bytes_read);
    number("bytes_written", of.bytes_written);
    number("operation_count", of.operation_count);
    number("kernel_count", of.what == profiled::replay ? of.kernel_count : 0);
    number("block_count", of.block_count);
    number("threads_per_block", of.threads_per_block);
    number("registers", of.registers);
    number("static_shared_bytes", of.static_shared_bytes);
    number("dynamic_shared_bytes", of.dynamic_shared_bytes);
    number("spilled_bytes", of.spilled_bytes);
    number("occupancy", of.occupancy);
    if (of.host.total() > 0) out += "\"host\": " + phases_json(of.host) + ", ";
    return out + format("\"begin_ns\": {}, \"end_ns\": {}}}", of.begin_ns, of.end_ns);
}

/// Rows of a trace: threads of the host are one process, streams of devices another.
class trace {
public:
    void add(const profile_event& of) {
        const std::int64_t host = of.end_ns - of.begin_ns;
        const std::string place = of.label.empty() ? of.name : of.label + ": " + of.name;
        row(host_rows, of.thread, format("thread {}", of.thread));
        span(host_rows, of.thread, of.begin_ns, host, place.empty() ? to_string(of.what) : place, of);
        std::int64_t at = of.begin_ns;
        // One after the other, as they are done; what an evaluation of several kernels does twice stands together.
#define KILN_PHASE(name, what)                                     \
    if (of.host.name > 0) {                                        \
        plain_span(host_rows, of.thread, at, of.host.name, #name); \
        at += of.host.name;                                        \
    }
#include <kiln/phase_table.def>
        if (of.run_ns <= 0 || (of.what != profiled::kernel && of.what != profiled::replay)) return;
        const int stream = row_of(of.device, of.stream);
        span(device_rows, stream, of.run_begin_ns, of.run_ns, place, of);
        const int flow = ++flows_;
        arrow(host_rows, of.thread, "s", std::max(of.begin_ns, of.end_ns - of.host.launch), flow);
        arrow(device_rows, stream, "f", of.run_begin_ns, flow);
    }

    [[nodiscard]] std::string text() const {
        return "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n" + name(host_rows, "host") + ",\n" +
               name(device_rows, "devices") + out_ + "\n]}\n";
    }

private:
    static constexpr int host_rows = 1;
    static constexpr int device_rows = 2;

    static std::string name(int process, const char* of) {
        return format(R"({{"ph": "M", "pid": {}, "name": "process_name", "args": {{"name": "{}"}}}})", process, of);
    }
    void row(int process, int number, const std::string& of) {
        if (!rows_.emplace(std::pair(process, number), of).second) return;
        out_ += format(
            ",\n"
            R"({{"ph": "M", "pid": {}, "tid": {}, "name": "thread_name", "args": {{"name": {}}}}})",
            process, number, json_text(of));
    }
    int row_of(const std::string& device, int stream) {
        const auto [place, is_new] = streams_.try_emplace({device, stream}, static_cast<int>(streams_.size()) + 1);
        if (is_new) row(device_rows, place->second, format("{} stream {}", device, stream));
        return place->second;
    }
    void plain_span(int process, int number, std::int64_t begin, std::int64_t ns, std::string_view of) {
        out_ += format(
            ",\n"
            R"({{"ph": "X", "pid": {}, "tid": {}, "ts": {:.3f}, "dur": {:.3f}, "name": {}}})",
            process, number, static_cast<double>(begin) * 1e-3, static_cast<double>(ns) * 1e-3, json_text(of));
    }
    void span(int process, int number, std::int64_t begin, std::int64_t ns, std::string_view of,
              const profile_event& args) {
        plain_span(process, number, begin, ns, of);
        out_.pop_back();
        out_ += ", \"args\": " + event_json(args) + "}";
    }
    void arrow(int process, int number, const char* end, std::int64_t at, int flow) {
        out_ += format(
            ",\n"
            R"({{"ph": "{}", "pid": {}, "tid": {}, "ts": {:.3f}, "id": {}, "name": "launch", "cat": "launch"{}}})",
            end, process, number, static_cast<double>(at) * 1e-3, flow, *end == 'f' ? R"(, "bp": "e")" : "");
    }

    std::string out_;
    int flows_ = 0;
    std::map<std::pair<int, int>, std::string> rows_;
    std::map<std::pair<std::string, int>, int> streams_;
};

}  // namespace

void profile::write_chrome_trace(const std::string& path) const {
    trace made;
    for (const profile_event& each : events()) made.add(each);
    detail::write_whole(path, made.text());
}

void profile::write_json(const std::string& path) const {
    std::string out =
        format("{{\"kiln\": \"{}.{}.{}\", \"events\": [", KILN_VERSION_MAJOR, KILN_VERSION_MINOR, KILN_VERSION_PATCH);
    const char* before = "\n";
    for (const profile_event& each : events()) {
        out += before + event_json(each);
        before = ",\n";
    }
    detail::write_whole(path, out + "\n]}\n");
}

}  // namespace kiln::inline v0_1
