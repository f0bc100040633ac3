// The rows of operation_table.def as text, with the names of one step put in.
#include <emit/body.hpp>
#include <emit/library.hpp>

#include <fmt/format.h>

#include <cctype>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace kiln::emit {

namespace {

struct bodies {
    const char* of_kind[3];  // logical, integer, floating
};

constexpr bodies operation_bodies[] = {
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) {{#logical, #integer, #floating}},
#include <kiln/operation_table.def>
};

struct long_body {
    std::string_view name;
    int arity;
    std::string_view statements;
};

constexpr long_body long_body_table[] = {
#define KILN_LONG_BODY(name, arity, ...) {#name, arity, #__VA_ARGS__},
#include <emit/long_body_table.def>
};

bool long_body_uses_library(std::string_view name) {
    for (const long_body& each : long_body_table)
        if (each.name == name) return each.statements.find("LIBRARY") != std::string_view::npos;
    return false;
}

struct cast_body {
    element_kind from;
    element_kind to;
    const char* text;
};

constexpr cast_body cast_bodies[] = {
#define KILN_CAST(from, to, body) {element_kind::from, element_kind::to, #body},
#include <kiln/operation_table.def>
};

const char* body_of(const lower::step& step) {
    if (step.code != operation::cast)
        return operation_bodies[static_cast<int>(step.code)].of_kind[static_cast<int>(kind_of(step.operands))];
    for (const cast_body& each : cast_bodies)
        if (each.from == kind_of(step.operands) && each.to == kind_of(step.result)) return each.text;
    return "";
}

const char* unsigned_spelling(element_type type) {
    switch (bytes_of(type)) {
        case 1: return "u8";
        case 4: return "u32";
        default: return "u64";
    }
}

/// The first value past an integer type's largest, or its smallest, as a literal of a floating type; both are powers of
/// two (or 0) and so exact.
std::string bound_text(element_type integer, element_type floating, bool top) {
    const char* digits = nullptr;
    switch (integer) {
        case element_type::uint8: digits = top ? "256.0" : "0.0"; break;
        case element_type::int32: digits = top ? "2147483648.0" : "-2147483648.0"; break;
        default: digits = top ? "9223372036854775808.0" : "-9223372036854775808.0"; break;
    }
    return fmt::format("{}{}", digits, floating == element_type::float32 ? "f" : "");
}

const char* extreme_text(element_type integer, bool largest) {
    switch (integer) {
        case element_type::uint8: return largest ? "u8(255)" : "u8(0)";
        case element_type::int32: return largest ? "2147483647" : "(-2147483647 - 1)";
        default: return largest ? "9223372036854775807ll" : "(-9223372036854775807ll - 1)";
    }
}

/// "sqrtf" or "sqrt": C's name of a function for a type.
std::string c_function(std::string_view name, element_type type) {
    return fmt::format("{}{}", name, type == element_type::float32 ? "f" : "");
}

bool is_signed(element_type type) { return info(type).name[0] != 'u'; }

/// What a body's words stand for.
struct meanings {
    std::string operands[3];
    element_type type;    // that the operands meet in
    element_type result;  // T; another one in casts only
    plan::frame frame;
};

class substitution {
public:
    explicit substitution(const meanings& words) : words_(words) {}

    std::string run(std::string_view text) {
        while (!text.empty()) {
            const std::string_view word = leading_word(text);
            if (word.empty()) {
                out_ += text.front();
                text.remove_prefix(1);
                continue;
            }
            text.remove_prefix(word.size());
            if (word == "EXACT" || word == "LIBRARY" || word == "LONG") text = function(word, text);
            else if (word == "SIGNED") text = by_sign(text);
            else if (word == "ONES" || word == "LEADING" || word == "TRAILING") text = bit_count(word, text);
            else out_ += replacement(word);
        }
        return std::move(out_);
    }

private:
    static std::string_view leading_word(std::string_view text) {
        std::size_t length = 0;
        const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
        while (length < text.size() && is_word(text[length])) ++length;
        return text.substr(0, length);
    }

    /// Of "(x, y) rest": the position of the first `what` outside inner parentheses.
    static std::size_t find_outside(std::string_view text, char what) {
        int depth = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            depth += text[i] == '(';
            if (text[i] == what && depth == 1) return i;
            depth -= text[i] == ')';
        }
        return text.size();
    }

    // "(sqrt)(a)" after EXACT: takes "(sqrt)", and where the table of functions has to be slipped in the next parenthesis
    // too.
    std::string_view function(std::string_view word, std::string_view rest) {
        const std::string_view name = rest.substr(1, rest.find(')') - 1);
        rest.remove_prefix(name.size() + 2);
        const bool on_cuda = words_.frame == plan::frame::cuda;
        if (word == "EXACT") {
            out_ += (on_cuda ? "" : "__builtin_") + c_function(name, words_.type);
        } else if (word == "LIBRARY" && on_cuda) {
            out_ += c_function(name, words_.type);
        } else {
            out_ += fmt::format("{}_{}", name, info(words_.type).suffix);
            if (on_cuda || (word == "LONG" && !long_body_uses_library(name))) return rest;
            out_ += "(library, ";
            rest.remove_prefix(1);
        }
        return rest;
    }

    std::string_view by_sign(std::string_view rest) {
        const std::size_t comma = find_outside(rest, ',');
        const std::size_t end = find_outside(rest, ')');
        const std::string_view chosen =
            is_signed(words_.type) ? rest.substr(1, comma - 1) : rest.substr(comma + 2, end - comma - 2);
        out_ += substitution(words_).run(chosen);
        return rest.substr(end + 1);
    }

    std::string_view bit_count(std::string_view word, std::string_view rest) {
        const std::size_t end = find_outside(rest, ')');
        const std::string counted = substitution(words_).run(rest.substr(1, end - 1));
        const bool on_cuda = words_.frame == plan::frame::cuda;
        if (word == "ONES") out_ += fmt::format("{}({})", on_cuda ? "__popcll" : "__builtin_popcountll", counted);
        else if (word == "LEADING") out_ += fmt::format("{}({})", on_cuda ? "__clzll" : "__builtin_clzll", counted);
        else out_ += fmt::format(fmt::runtime(on_cuda ? "(__ffsll({}) - 1)" : "__builtin_ctzll({})"), counted);
        return rest.substr(end + 1);
    }

    std::string replacement(std::string_view word) const {
        if (word == "a" || word == "b" || word == "c") return words_.operands[word.front() - 'a'];
        if (word == "T") return spelling(words_.result);
        if (word == "A") return spelling(words_.type);
        if (word == "U") return unsigned_spelling(words_.type);
        if (word == "TOP" || word == "BOTTOM") return bound_text(words_.result, words_.type, word == "TOP");
        if (word == "T_MAX" || word == "T_MIN") return extreme_text(words_.result, word == "T_MAX");
        return std::string(word);
    }

    const meanings& words_;
    std::string out_;
};

/// The preprocessor made one line of it.
std::string on_lines(std::string_view statements) {
    std::string out;
    for (const char each : statements.substr(2, statements.size() - 4)) {  // less "{ " and " }"
        if (each == ' ' && !out.empty() && out.back() == '\n') continue;
        if (out.empty() || out.back() == '\n') out += "    ";
        out += each;
        if (each == ';') out += '\n';
    }
    if (!out.empty() && out.back() != '\n') out += '\n';
    return out;
}

}  // namespace

const char* spelling(element_type type) { return info(type).spelling; }

std::string step_text(const value_names& names, const lower::step& step, plan::frame frame) {
    if (step.code == operation::call) {
        std::string out = names.function(step.function) + "(";
        for (int i = 0; i < step.arity; ++i) out += (i ? ", " : "") + names(step.args[i]);
        return out + ")";
    }
    meanings words{{}, step.operands, step.code == operation::cast ? step.result : step.operands, frame};
    for (int i = 0; i < step.arity; ++i) words.operands[i] = names(step.args[i]);
    return substitution(words).run(body_of(step));
}

std::string long_bodies(std::string_view steps, plan::frame frame) {
    std::string out;
    for (const long_body& each : long_body_table) {
        for (int number = 0; number < element_type_count; ++number) {
            const auto type = static_cast<element_type>(number);
            const std::string name = fmt::format("{}_{}", each.name, info(type).suffix);
            if (kind_of(type) != element_kind::floating || !mentions(steps, name)) continue;
            const char* const t = spelling(type);
            const bool with_library = frame == plan::frame::host && long_body_uses_library(each.name);
            out += fmt::format("{} {} {}({}{} a",
                               frame == plan::frame::cuda ? "__device__ __forceinline__" : "static inline", t, name,
                               with_library ? "const void* const* library, " : "", t);
            if (each.arity > 1) out += fmt::format(", {} b", t);
            out += ")\n{\n" + substitution({{"a", "b", "c"}, type, type, frame}).run(on_lines(each.statements)) + "}\n";
        }
    }
    return out;
}

std::string literal(const lower::constant& of) {
    const char* const t = spelling(of.type);
    const auto held = [&of]<class T>(T value) {
        std::memcpy(&value, &of.bits, sizeof value);
        return value;
    };
    if (kind_of(of.type) == element_kind::logical) return of.bits & 1 ? "true" : "false";
    if (kind_of(of.type) == element_kind::integer) {
        const int unused_bits = 64 - 8 * bytes_of(of.type);
        const std::uint64_t at_top = of.bits << unused_bits;
        if (!is_signed(of.type)) return fmt::format("{}({}ull)", t, at_top >> unused_bits);
        const std::int64_t value = static_cast<std::int64_t>(at_top) >> unused_bits;
        if (value == INT64_MIN) return "(-9223372036854775807ll - 1)";
        if (of.type == element_type::int32 && value > INT32_MIN)
            return value < 0 ? fmt::format("({})", value) : fmt::format("{}", value);
        return fmt::format("{}({}ll)", t, value);
    }
    const bool single = of.type == element_type::float32;
    const double value = single ? static_cast<double>(held(float{})) : held(double{});
    const char* const suffix = single ? "f" : "";
    // No header, so no name for them; a division that the compiler does.
    if (value != value) return fmt::format("(0.0{0} / 0.0{0})", suffix);
    if (value - value != 0) return fmt::format("({0}1.0{1} / 0.0{1})", value < 0 ? "-" : "", suffix);
    // The shortest text that reads back as the same bits.
    std::string digits = single ? fmt::format("{}", held(float{})) : fmt::format("{}", value);
    if (digits.find_first_of(".e") == digits.npos) digits += ".0";
    return digits.front() == '-' ? fmt::format("({}{})", digits, suffix) : digits + suffix;
}

}  // namespace kiln::emit
