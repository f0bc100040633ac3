#include <api/profile/event_json.hpp>

#include <api/profile/texts.hpp>
#include <api/profile/words.hpp>
#include <text/format.hpp>

#include <string_view>

namespace kiln::inline v0_1::detail {

namespace {

/// {"name": value, ...}
class json_object {
public:
    explicit json_object(bool with_empty) : with_empty_(with_empty) {}

    void text(const char* name, std::string_view value) {
        if (with_empty_ || !value.empty()) put(name, json_text(value));
    }
    template <class Number>
    void number(const char* name, Number value) {
        if (with_empty_ || value != 0) put(name, text::format("{}", value));
    }
    void object(const char* name, const json_object& value) {
        if (with_empty_ || !value.out_.empty()) put(name, value.whole());
    }
    void put(const char* name, const std::string& json) {
        out_ += text::format("{}\"{}\": {}", out_.empty() ? "" : ", ", name, json);
    }
    [[nodiscard]] std::string whole() const { return "{" + out_ + "}"; }

private:
    bool with_empty_;
    std::string out_;
};

json_object phases_json(const profile_phases& of, bool with_empty) {
    json_object out(with_empty);
#define KILN_PHASE(name, what) out.number(#name, of.name);
#include <kiln/phase_table.def>
    return out;
}

json_object work_json(const kernel_work& of, bool with_empty) {
    json_object out(with_empty);
#define KILN_WORK(name, what) out.number(#name, of.name);
#include <kiln/work_table.def>
    return out;
}

json_object prediction_json(const predicted_time& of, bool with_empty) {
    json_object out(with_empty);
    out.number("ns", of.ns);
    if (with_empty || of.ns > 0) out.text("by", to_string(of.by));
    return out;
}

json_object fields_of(const profile_event& of, bool with_empty) {
    json_object out(with_empty);
    out.text("what", to_string(of.what));
    out.text("name", of.name);
    out.text("expression", of.expression);
    out.text("label", of.label);
    out.text("file", of.where.file);
    out.number("line", of.where.line);
    out.text("key", of.key);
    out.text("origin", of.what == profiled::kernel ? word_of(of.origin) : "");
    out.text("why", of.why);
    out.text("device", of.device);
    if (with_empty || !of.device.empty()) out.put("stream", text::format("{}", of.stream));
    out.number("thread", of.thread);
    out.number("pipeline", of.pipeline);
    out.put("begin_ns", text::format("{}", of.begin_ns));
    out.put("end_ns", text::format("{}", of.end_ns));
    out.object("host", phases_json(of.host, with_empty));
    out.number("run_begin_ns", of.run_begin_ns);
    out.number("run_ns", of.run_ns);
    out.number("bytes_read", of.bytes_read);
    out.number("bytes_written", of.bytes_written);
    out.number("element_count", of.element_count);
    out.number("operation_count", of.operation_count);
    out.object("work", work_json(of.work, with_empty));
    if (with_empty || of.what == profiled::replay) out.number("kernel_count", of.kernel_count);
    out.number("block_count", of.block_count);
    out.number("threads_per_block", of.threads_per_block);
    out.number("registers", of.registers);
    out.number("static_shared_bytes", of.static_shared_bytes);
    out.number("dynamic_shared_bytes", of.dynamic_shared_bytes);
    out.number("spilled_bytes", of.spilled_bytes);
    out.number("occupancy", of.occupancy);
    out.object("predicted", prediction_json(of.predicted, with_empty));
    return out;
}

}  // namespace

std::string whole_event_json(const profile_event& of, std::optional<std::size_t> source) {
    json_object out = fields_of(of, true);
    out.put("source", source ? text::format("{}", *source) : "null");
    return out.whole();
}

std::string brief_event_json(const profile_event& of) { return fields_of(of, false).whole(); }

}  // namespace kiln::inline v0_1::detail
