// kiln-cache/show: show: one entry, or one of its texts.
#include "commands.hpp"
#include "disassemble.hpp"
#include "entry.hpp"
#include "find_key.hpp"
#include "terminal.hpp"
#include "text.hpp"

#include <jit_cache/printable.hpp>

#include <fmt/format.h>

#include <ctime>

namespace kiln_cache {

namespace {

using jit_cache::printable;
using jit_cache::whole_entry;

/// A fact is printed so far; what is behind, --json prints.
constexpr std::size_t most_value_columns = 2'000;

struct text_or_trouble {
    std::string text;
    std::string trouble;
    std::string program;  // who made the text, where it was not stored
};

std::optional<std::string_view> extra_of(const whole_entry& whole, std::string_view name) {
    for (const jit_cache::fact& one : whole.value.extras) {
        if (one.name == name) return one.value;
    }
    return std::nullopt;
}

text_or_trouble source_of(const jit_cache::key& entry_key) {
    const auto text = entry_key.field("source");
    if (!text) return {{}, "this entry's key has no source", {}};
    return {std::string(*text), {}, {}};
}

text_or_trouble ptx_of(const whole_entry& whole) {
    if (const auto text = extra_of(whole, "ptx")) return {std::string(*text), {}, {}};
    const binary_kind kind = kind_of(whole.value.payload);
    if (kind == binary_kind::ptx) return {whole.value.payload.c_str(), {}, {}};  // NVRTC ends it with a zero
    if (kind == binary_kind::shared_object)
        return {{}, "this entry has no PTX: it is a shared object for a CPU; --sass disassembles it", {}};
    return {{}, "this entry has no PTX: whoever stored it stored none", {}};
}

text_or_trouble sass_of(const whole_entry& whole) {
    disassembly made = disassemble(whole.value.payload);
    return {std::move(made.text), std::move(made.trouble), std::move(made.program)};
}

text_or_trouble text_of(const whole_entry& whole, view what) {
    switch (what) {
        case view::source: return source_of(whole.entry_key);
        case view::ptx: return ptx_of(whole);
        case view::sass: return sass_of(whole);
        case view::summary:
        case view::facts: break;
    }
    return {};
}

const char* field_of(view what) {
    switch (what) {
        case view::source: return "source";
        case view::ptx: return "ptx";
        case view::sass: return "sass";
        case view::summary:
        case view::facts: break;
    }
    return "";
}

json described_json(const request& asked, const entry& one, std::string_view trouble) {
    json out = head_json(asked, trouble);
    out.update(entry_json(one));
    out["facts"] = json::object();
    for (const jit_cache::fact& each : one.facts) out["facts"][printable(each.name)] = printable(each.value);
    return out;
}

json whole_json(const request& asked, const entry& one, const whole_entry& whole, std::string_view trouble) {
    json out = described_json(asked, one, trouble);
    out["extras"] = json::object();
    for (const jit_cache::fact& each : whole.value.extras) out["extras"][printable(each.name)] = each.value.size();
    return out;
}

void print_summary(const entry& one, const whole_entry& whole, const std::string& typed) {
    const auto where_printed = [&](const std::string& what, const char* option) {
        return fmt::format("{} ('kiln-cache show {} {}')", what, typed, option);
    };
    const std::size_t columns = 5 * terminal_columns();
    const auto or_dash = [&](std::optional<std::string_view> text) {
        return text && !text->empty() ? cut_printable(*text, columns) : "-";
    };
    print_field("key", one.key());
    print_field("label", or_dash(one.fact("label")));
    print_field("expression", or_dash(one.field("expression")));
    print_field("kernel", or_dash(one.fact("kernel")));
    for (const char* name : {"target", "compiler", "options", "generator"}) print_field(name, or_dash(one.field(name)));
    print_field("registers", or_dash(one.fact("registers")));
    print_field("shared bytes", or_dash(one.fact("shared_bytes")));
    print_field("spill bytes", or_dash(one.fact("spill_bytes")));
    print_field("compile", compile_time(one));
    print_field("created", created(one));
    print_field("last used", fmt::format("{} ({})", iso_time(one.last_used_unix_s),
                                         human_age(one.last_used_unix_s, std::time(nullptr))));
    print_field("binary", where_printed(human_size(one.payload_bytes), "--sass"));
    print_field("source", one.source_bytes ? where_printed(human_size(*one.source_bytes), "--source") : "-");
    if (const auto ptx = extra_of(whole, "ptx")) print_field("ptx", where_printed(human_size(ptx->size()), "--ptx"));
    print_field("facts", where_printed(std::to_string(one.facts.size()), "--facts"));
    print_field("file", fmt::format("{} ({})", printable(one.file), human_size(one.file_bytes)));
}

void print_facts(const entry& one) {
    for (const jit_cache::fact& each : one.facts) {
        const std::string value = cut_printable(each.value, most_value_columns);
        print(fmt::format("{:<16}{}{}\n", cut_printable(each.name, 40) + " ", value,
                          value.ends_with("\u2026") ? fmt::format(" ({} bytes)", each.value.size()) : ""));
    }
}

void print_text(std::string_view text) { print(text.ends_with('\n') ? std::string(text) : std::string(text) + '\n'); }

/// Of an entry whose binary is damaged: its source and its facts lie before it, under a checksum of their own.
int show_key_alone(const request& asked, const show_request& how, const entry& one) {
    std::optional<jit_cache::key> entry_key;
    const auto keep = [&](jit_cache::entry_info&& info) { entry_key = std::move(info.entry_key); };
    const auto scan = [&](jit_cache::depth depth) {
        return jit_cache::scan_each(asked.folder.path, depth, keep, one.key());
    };
    const jit_cache::scan_result whole = scan(jit_cache::depth::whole);
    std::string trouble = printable(one.file) + ": it has just gone";
    if (!whole.broken.empty())
        trouble =
            fmt::format("{}: its binary is damaged: {}", printable(one.file), printable(whole.broken.front().why));
    const bool wants_source = how.what == view::source;
    if (!wants_source && how.what != view::facts) return fail(asked, trouble);
    static_cast<void>(scan(jit_cache::depth::described));
    if (!entry_key) return fail(asked, trouble);
    const text_or_trouble source = source_of(*entry_key);
    const std::string text = printable(source.text, jit_cache::lines::many);
    const bool has_source = wants_source && source.trouble.empty();
    if (asked.json) {
        json out = described_json(asked, one, trouble);
        if (wants_source) out["source"] = has_source ? json(text) : json(nullptr);
        print_json(out);
    } else if (has_source) {
        print_text(text);
    } else if (!wants_source) {
        print_facts(one);
    }
    complain(trouble + (wants_source ? "; its source is whole" : "; its facts are whole"));
    if (wants_source && !has_source) complain(source.trouble);
    return found_wanting;
}

}  // namespace

int show(const request& asked, const show_request& how) {
    const found_key found = find_key(asked, how.key);
    if (!found.one) return fail_for_key(asked, found);
    const entry& one = *found.one;
    const std::optional<whole_entry> whole = jit_cache::read_whole(asked.folder.path, one.name);
    // Its key is whole, or it had not been found.
    if (!whole) return show_key_alone(asked, how, one);

    const bool wants_text = how.what == view::source || how.what == view::ptx || how.what == view::sass;
    text_or_trouble wanted;
    if (wants_text) wanted = text_of(*whole, how.what);
    if (!wanted.trouble.empty()) complain(wanted.trouble);
    const int code = wanted.trouble.empty() ? fine : found_wanting;
    const std::string text = printable(wanted.text, jit_cache::lines::many);
    if (asked.json) {
        json out = whole_json(asked, one, *whole, wanted.trouble);
        if (wants_text) out[field_of(how.what)] = code == fine ? json(text) : json(nullptr);
        if (how.what == view::sass) out["disassembler"] = wanted.program.empty() ? json(nullptr) : json(wanted.program);
        print_json(out);
    } else if (wants_text) {
        if (code == fine) print_text(text);
    } else if (how.what == view::facts) {
        print_facts(one);
    } else {
        print_summary(one, *whole, lower_case(how.key));
    }
    return code;
}

}  // namespace kiln_cache
