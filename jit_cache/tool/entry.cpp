// kiln-cache/entry: reads facts that anybody may have written.
#include "entry.hpp"

#include "terminal.hpp"
#include "text.hpp"

#include <jit_cache/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace kiln_cache {

namespace {

constexpr std::size_t least_key_digits = 10;
constexpr std::size_t most_fact_columns = 40;

// A figure that is no number is shown as what it is rather than dropped.
json figure_json(std::optional<std::string_view> text) {
    if (const auto whole = integer(text)) return *whole;
    if (const auto real = figure(text)) return *real;
    return text_json(text);
}

}  // namespace

entry::entry(jit_cache::entry_info&& info)
    : name(info.name),
      file(info.file.native()),
      file_bytes(info.file_bytes),
      payload_bytes(info.payload_bytes),
      last_used_unix_s(info.last_used_unix_s),
      facts(std::move(info.facts)) {
    for (const auto& [field_name, value] : info.entry_key.fields()) {
        if (field_name == "source") {
            source_bytes = value.size();
        } else {
            fields.add(field_name, value);
        }
    }
}

std::optional<std::string_view> entry::field(std::string_view wanted) const { return fields.field(wanted); }

std::optional<std::string_view> entry::fact(std::string_view wanted) const {
    for (const jit_cache::fact& one : facts)
        if (one.name == wanted) return one.value;
    return std::nullopt;
}

std::string_view title_of(const entry& one) {
    for (const auto& text : {one.fact("label"), one.field("expression"), one.fact("kernel")})
        if (text && !text->empty()) return *text;
    return "-";
}

std::string_view short_compiler(const entry& one) {
    std::string_view text = one.field("compiler").value_or("");
    if (text.empty()) return "-";
    if (!text.starts_with('/')) return text;
    text = text.substr(0, text.find(' '));
    return text.substr(text.rfind('/') + 1);
}

std::string compile_time(const entry& one) {
    const auto text = one.fact("compile_ms");
    if (const auto value = figure(text)) return human_duration(*value);
    return text && !text->empty() ? cut_printable(*text, 10) : "-";
}

std::string created(const entry& one) {
    const auto text = one.fact("created");
    const auto seconds = integer(text);
    const std::string time = seconds ? iso_time(*seconds) : "-";
    if (time != "-" || !text || text->empty()) return time;
    return cut_printable(*text, most_fact_columns);
}

bool matches(const entry& one, std::string_view text) {
    if (text.empty() || one.key().starts_with(lower_case(text))) return true;
    for (const auto& place :
         {one.fact("label"), one.field("expression"), one.fact("kernel"), one.field("target"), one.field("compiler")})
        if (place && holds_ignoring_case(*place, text)) return true;
    return false;
}

json entry_json(const entry& one) {
    json out;
    out["key"] = one.key();
    out["label"] = text_json(one.fact("label"));
    out["expression"] = text_json(one.field("expression"));
    out["kernel"] = text_json(one.fact("kernel"));
    for (const char* field : {"target", "compiler", "options", "generator"}) out[field] = text_json(one.field(field));
    out["file"] = one.file.empty() ? json(nullptr) : text_json(one.file);
    out["file_bytes"] = one.file_bytes;
    out["payload_bytes"] = one.payload_bytes;
    out["source_bytes"] = one.source_bytes ? json(*one.source_bytes) : json(nullptr);
    for (const char* fact : {"compile_ms", "registers", "shared_bytes", "spill_bytes"})
        out[fact] = figure_json(one.fact(fact));
    out["created"] = time_json(integer(one.fact("created")));
    out["last_used"] = one.file.empty() ? json(nullptr) : time_json(one.last_used_unix_s);
    return out;
}

std::size_t telling_digits(std::vector<jit_cache::hash128> names) {
    std::sort(names.begin(), names.end(), [](jit_cache::hash128 left, jit_cache::hash128 right) {
        return left.high != right.high ? left.high < right.high : left.low < right.low;
    });
    std::size_t digits = least_key_digits;
    for (std::size_t i = 1; i < names.size(); ++i) {
        const std::uint64_t high = names[i - 1].high ^ names[i].high;
        const std::uint64_t low = names[i - 1].low ^ names[i].low;
        const int bits_in_common = high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(low);
        digits = std::max(digits, static_cast<std::size_t>(bits_in_common) / 4 + 1);
    }
    return std::min(digits, std::size_t{32});
}

}  // namespace kiln_cache
