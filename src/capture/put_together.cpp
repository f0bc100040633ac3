#include <capture/put_together.hpp>

#include <capture/source_tokens.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace kiln::inline v0_1::detail {

namespace {

/// Where one of these is, a string may reach an assembler: that of a section's name does so as it stands.
constexpr std::string_view assembly_words[] = {"asm",         "__asm", "__asm__", "__attribute__",
                                               "__attribute", "gnu",   "__gnu__"};
/// Assemblers' directives that read files, and those that can put the name of another together. In small letters.
constexpr std::string_view assembly_directives[] = {".incbin", ".include", ".macro", ".irp", ".altmacro", ".mri"};

/// Whether some of `words`, one after the other, are `wanted`.
bool can_be_pasted(std::string_view wanted, const std::vector<std::string>& words) {
    std::vector<bool> reached(wanted.size() + 1, false);
    reached[0] = true;
    for (std::size_t at = 0; at < wanted.size(); ++at)
        for (const std::string& each : words)
            if (reached[at] && wanted.substr(at).starts_with(each)) reached[at + each.size()] = true;
    return reached[wanted.size()];
}

/// Whether `wanted` is in one of `literals`, or in some of them one after the other.
bool can_be_joined(std::string_view wanted, const std::vector<std::string>& literals) {
    std::vector<bool> reached(wanted.size(), false);  // by the end of a literal
    for (const std::string& each : literals) {
        if (each.find(wanted) != std::string::npos) return true;
        for (std::size_t length = 1; length < wanted.size(); ++length)
            if (each.ends_with(wanted.substr(0, length))) reached[length] = true;
    }
    for (std::size_t at = 1; at < wanted.size(); ++at) {
        if (!reached[at]) continue;
        const std::string_view rest = wanted.substr(at);
        for (const std::string& each : literals) {
            if (each.starts_with(rest)) return true;
            if (!each.empty() && rest.starts_with(each)) reached[at + each.size()] = true;
        }
    }
    return false;
}

/// As assemblers read: letters' case does not count, and braces part the dialects of one instruction.
std::string as_assembly(std::string_view literal) {
    std::string out;
    for (const char c : literal)
        if (std::string_view("{|}").find(c) == std::string_view::npos)
            out += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return out;
}

struct found_at {
    user_text_place place;
    int line = 0;
};

/// What the texts have, all together.
struct vocabulary {
    std::vector<std::string> words;
    std::vector<std::string> literals;
    std::optional<found_at> pasting;   // the first ##
    std::optional<found_at> assembly;  // the first of assembly_words

    void add(const user_text& of) {
        for (source_token& each : tokenise(of.text).tokens) {
            const found_at here{of.place, each.line};
            switch (each.kind) {
                case token_kind::word:
                    if (!assembly && is_one_of(assembly_words, each.spelling)) assembly = here;
                    words.push_back(std::move(each.spelling));
                    break;
                case token_kind::mark:
                    if (!pasting && each.spelling == "##") pasting = here;
                    break;
                case token_kind::literal: literals.push_back(as_assembly(unescaped(each.spelling))); break;
                case token_kind::raw_literal: literals.push_back(as_assembly(each.spelling)); break;
                case token_kind::number:
                case token_kind::header_name: break;
            }
        }
    }
    template <std::size_t N>
    [[nodiscard]] static bool is_one_of(const std::string_view (&list)[N], std::string_view word) {
        return std::find(std::begin(list), std::end(list), word) != std::end(list);
    }
};

[[noreturn]] void refuse(const found_at& where, const std::string& why) {
    throw compile_error(text::format("kiln: {}: {}", to_words(where.place, where.line), why), {}, {});
}

}  // namespace

void check_put_together(std::span<const user_text> texts) {
    vocabulary all;
    for (const user_text& each : texts) all.add(each);
    std::sort(all.words.begin(), all.words.end());
    all.words.erase(std::unique(all.words.begin(), all.words.end()), all.words.end());

    if (all.pasting) {
        const auto check = [&all](std::string_view wanted) {
            if (!std::binary_search(all.words.begin(), all.words.end(), wanted) && can_be_pasted(wanted, all.words))
                refuse(*all.pasting, text::format("## could make {} of the words here, which must not be in a kernel's "
                                                  "source; name them otherwise",
                                                  wanted));
        };
        for (const asking_word& each : asking_words) check(each.word);
        for (const std::string_view each : pragma_operators) check(each);
        for (const std::string_view each : assembly_words)
            if (!all.assembly && can_be_pasted(each, all.words)) all.assembly = all.pasting;
    }
    if (!all.assembly) return;
    for (const std::string_view each : assembly_directives)
        if (can_be_joined(each, all.literals))
            refuse(*all.assembly,
                   text::format("a string has {}, with which an assembler may read a file; a kernel holds all that it "
                                "is made of",
                                each));
}

}  // namespace kiln::inline v0_1::detail
