#include <run/missed.hpp>

#include <text/format.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace kiln::inline v0_1::detail {

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

/// What a miss of "other fields" comes to: the field that explains most of those in which the nearest kernel differs.
struct found_meaning {
    const meaning* what = nullptr;  // none: that kernel is gone by now
    jit_cache::field_difference difference;
};

found_meaning meaning_of(const jit_cache::miss& of, std::string_view free_field) {
    if (of.why != jit_cache::miss_reason::other_fields) return {};
    const std::vector<jit_cache::field_difference> differences = of.differences();
    // The other version's source may well be the same kernel's, but a source alone that differs is another layout.
    for (const meaning& each : meanings)
        for (const jit_cache::field_difference& difference : differences)
            if (difference.field == each.field && each.field != free_field) return {&each, difference};
    return {};
}

std::string_view words_of(counter reason) {
    switch (reason) {
#define KILN_MISS(name, what) \
    case counter::missed_##name: return what;
#include <kiln/miss_table.def>
        default: return {};
    }
}

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

counter counter_of(jit_cache::miss_reason why) {
    using jit_cache::miss_reason;
    switch (why) {
        case miss_reason::never_stored:
        case miss_reason::other_fields: break;
        case miss_reason::evicted: return counter::missed_evicted;
        case miss_reason::corrupt: return counter::missed_corrupt;
        case miss_reason::untrusted: return counter::missed_untrusted;
        case miss_reason::unreadable: return counter::missed_transient;
        case miss_reason::newer_format: return counter::missed_new_generator;
        case miss_reason::rejected: return counter::missed_rejected;
        case miss_reason::no_folder: return counter::missed_no_folder;
    }
    return counter::missed_new_expression;
}

}  // namespace

std::string_view for_people(std::string_view fingerprint) { return fingerprint.substr(0, fingerprint.find(" [")); }

miss_reading read(const jit_cache::miss& of, std::string_view free_field) {
    const found_meaning found = meaning_of(of, free_field);
    miss_reading result{found.what ? found.what->reason : counter_of(of.why), {}};
    result.text = words_of(result.counter);
    if (found.what && found.what->shows_values) result.text += ": " + change_text(found.difference);
    if (!of.detail.empty()) result.text += " (" + of.detail + ")";
    return result;
}

}  // namespace kiln::inline v0_1::detail
