#include <missed.hpp>

#include <text/format.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace kiln::detail {

namespace {

using record::counter;

/// A field of kiln's keys, from the one that explains most: another version of the generator writes other sources, another
/// device has another compiler's options.
struct meaning {
    std::string_view field;
    counter reason;
    bool shows_values;
};
constexpr meaning meanings[] = {
    {"generator", counter::missed_new_generator, true}, {"target", counter::missed_new_architecture, true},
    {"compiler", counter::missed_new_compiler, true},   {"options", counter::missed_new_options, true},
    {"source", counter::missed_new_layout, false},
};

const jit_cache::field_difference* difference_in(const jit_cache::miss& of, std::string_view field) {
    const auto found = std::find_if(of.differences.begin(), of.differences.end(),
                                    [field](const auto& each) { return each.field == field; });
    return found == of.differences.end() ? nullptr : &*found;
}

const meaning* meaning_of(const jit_cache::miss& of) {
    if (of.why != jit_cache::miss_reason::other_fields) return nullptr;
    // The other version's source may well be the same kernel's, but a source alone that differs is another layout.
    for (const meaning& each : meanings)
        if (difference_in(of, each.field)) return &each;
    return nullptr;
}

std::string_view words_of(counter reason) {
    switch (reason) {
#define KILN_MISS(name, what) \
    case counter::missed_##name: return what;
#include <kiln/miss_table.def>
        default: return {};
    }
}

/// A compiler says what it is for people, then, in brackets, what tells it from all others.
std::string_view for_people(std::string_view value) { return value.substr(0, value.find(" [")); }

std::vector<std::string_view> words_in(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (end > 0) words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

/// The words that the other text has not: of two lists of options, those that matter.
std::string words_missing_in(std::string_view other, std::string_view text) {
    const std::vector<std::string_view> known = words_in(other);
    std::string out;
    for (const std::string_view each : words_in(text))
        if (std::find(known.begin(), known.end(), each) == known.end()) out.append(out.empty() ? "" : " ").append(each);
    return out;
}

std::string change_text(const jit_cache::field_difference& of) {
    if (of.field == "options")
        return text::format("{} -> {}", words_missing_in(of.wanted, of.stored), words_missing_in(of.stored, of.wanted));
    std::string_view before = for_people(of.stored);
    std::string_view now = for_people(of.wanted);
    if (before == now) before = of.stored, now = of.wanted;
    return text::format("{} -> {}", before, now);
}

}  // namespace

record::counter counter_of(const jit_cache::miss& of) {
    using jit_cache::miss_reason;
    switch (of.why) {
        case miss_reason::never_stored: return counter::missed_new_expression;
        case miss_reason::other_fields: break;
        case miss_reason::evicted: return counter::missed_evicted;
        case miss_reason::corrupt: return counter::missed_corrupt;
        case miss_reason::untrusted: return counter::missed_untrusted;
        case miss_reason::unreadable: return counter::missed_transient;
        case miss_reason::newer_format: return counter::missed_new_generator;
        case miss_reason::rejected: return counter::missed_rejected;
        case miss_reason::no_folder: return counter::missed_no_folder;
    }
    const meaning* const found = meaning_of(of);
    return found ? found->reason : counter::missed_new_expression;
}

std::string text_of(const jit_cache::miss& of) {
    std::string out(words_of(counter_of(of)));
    if (const meaning* const found = meaning_of(of); found && found->shows_values)
        out += ": " + change_text(*difference_in(of, found->field));
    if (!of.detail.empty()) out += " (" + of.detail + ")";
    return out;
}

}  // namespace kiln::detail
