// A profile as one page for a browser: page.html, with the events in it. Rows of numbers, and each text once: a page of 100,000
// events is some megabytes, and is there in a second.
#include <api/kept_rates.hpp>
#include <api/profile/nesting.hpp>
#include <api/profile/rates.hpp>
#include <api/profile/texts.hpp>
#include <api/profile/words.hpp>
#include <record/profile.hpp>
#include <text/format.hpp>

#include <kiln/profile.hpp>
#include <kiln/version.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln::inline v0_1 {

namespace {

constexpr std::string_view page =
#include <profile_page.def>
    ;

/// A script's end inside a text would end the page's.
void append_text(std::string& to, std::string_view text) {
    for (const char each : detail::json_text(text))
        if (each == '<') to += "\\u003c";
        else to += each;
}

/// Each once, by its number; the first is the empty one.
class text_table {
public:
    std::size_t number_of(std::string_view text) {
        const auto [place, is_new] = numbers_.try_emplace(std::string(text), numbers_.size());
        if (is_new) {
            if (place->second) all_ += ",\n";
            append_text(all_, text);
        }
        return place->second;
    }
    [[nodiscard]] const std::string& all() const { return all_; }

private:
    std::unordered_map<std::string, std::size_t> numbers_;
    std::string all_;
};

std::string place_of(const source_line& line) {
    return line.line ? text::format("{}:{}", line.file, line.line) : std::string();
}

// One list: the names of a row's columns, and what stands in them.
#define KILN_COLUMNS(words, number)                                                                                   \
    words(what, to_string(of.what)) words(name, of.name) words(expression, of.expression) words(label, of.label)      \
        words(where, place_of(of.where)) words(key, of.key)                                                           \
            words(origin, of.what == profiled::kernel ? detail::word_of(of.origin) : "") words(why, of.why)           \
                words(device, of.device) words(bound, of.predicted.ns > 0 ? to_string(of.predicted.by) : "")          \
                    words(source, of.source ? std::string_view(*of.source) : std::string_view())                      \
                        number(stream, of.stream) number(thread, of.thread) number(begin_ns, of.begin_ns)             \
                            number(end_ns, of.end_ns) number(run_begin_ns, of.run_begin_ns) number(run_ns, of.run_ns) \
                                number(predicted_ns, std::llround(of.predicted.ns)) number(bytes_read, of.bytes_read) \
                                    number(bytes_written, of.bytes_written) number(element_count, of.element_count)   \
                                        number(operation_count, of.operation_count)                                   \
                                            number(kernel_count, of.kernel_count) number(block_count, of.block_count) \
                                                number(threads_per_block, of.threads_per_block)                       \
                                                    number(registers, of.registers)                                   \
                                                        number(static_shared_bytes, of.static_shared_bytes)           \
                                                            number(dynamic_shared_bytes, of.dynamic_shared_bytes)     \
                                                                number(spilled_bytes, of.spilled_bytes) number(       \
                                                                    occupancy, text::format("{:.3g}", of.occupancy))

std::string column_names() {
    std::string out;
#define KILN_EACH(name, value) out += out.empty() ? "\"" #name "\"" : ", \"" #name "\"";
    KILN_COLUMNS(KILN_EACH, KILN_EACH)
#undef KILN_EACH
#define KILN_PHASE(name, what) out += ", \"" #name "\"";
#include <kiln/phase_table.def>
    return out + ", \"own_host_ns\"";
}

void append_row(std::string& to, text_table& texts, const profile_event& of, std::int64_t own_host_ns) {
    to += to.empty() ? "[" : ",\n[";
#define KILN_TEXT(name, value) to += text::format("{},", texts.number_of(value));
#define KILN_NUMBER(name, value) to += text::format("{},", value);
    KILN_COLUMNS(KILN_TEXT, KILN_NUMBER)
#undef KILN_TEXT
#undef KILN_NUMBER
#define KILN_PHASE(name, what) to += text::format("{},", of.host.name);
#include <kiln/phase_table.def>
    to += text::format("{}]", own_host_ns);
}

std::string phase_names() {
    std::string out;
#define KILN_PHASE(name, what) out += out.empty() ? "\"" #name "\"" : ", \"" #name "\"";
#include <kiln/phase_table.def>
    return out;
}

/// Of one device: bytes and operations in a nanosecond.
std::string roofs_text(const device_rates& of) {
    const rate_point& most = of.copying.back();
    std::string out = text::format("{{\"memory\": {:.4g}", static_cast<double>(most.bytes) / most.ns);
#define KILN_WORK(name, what) \
    if (of.operation_ns.name > 0) out += text::format(", \"" #name "\": {:.4g}", 1 / of.operation_ns.name);
#include <kiln/work_table.def>
    return out + "}";
}

}  // namespace

void profile::write_html(const std::string& path) const {
    detail::require_name(path, "write_html");
    const std::vector<profile_event>& seen = events();
    const std::vector<std::int64_t> own_host_ns = detail::own_host_ns(seen);
    text_table texts;
    texts.number_of("");
    std::string rows;
    std::map<std::string, std::string> roofs;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const profile_event& each = seen[i];
        append_row(rows, texts, each, own_host_ns[i]);
        if (each.device.empty() || roofs.contains(each.device)) continue;
        const device_rates* const rates = detail::rates_of(each.device);
        roofs[each.device] = rates ? roofs_text(*rates) : "null";
    }
    std::string rates;
    for (const auto& [device, text] : roofs) {
        if (!rates.empty()) rates += ", ";
        append_text(rates, device);
        rates += ": " + text;
    }
    const std::string data = text::format(
        "{{\"kiln\": \"{}.{}.{}\",\n\"wall_ns\": {},\n\"phases\": [{}],\n\"columns\": [{}],\n\"rates\": "
        "{{{}}},\n\"strings\": [{}],\n"
        "\"events\": [{}]}}",
        KILN_VERSION_MAJOR, KILN_VERSION_MINOR, KILN_VERSION_PATCH, data_->wall_ns(), phase_names(), column_names(),
        rates, texts.all(), rows);
    constexpr std::string_view place = "@DATA@";
    const std::size_t at = page.find(place);
    std::string whole(page.substr(0, at));
    whole += data;
    whole += page.substr(at + place.size());
    detail::write_whole(path, whole);
}

}  // namespace kiln::inline v0_1
