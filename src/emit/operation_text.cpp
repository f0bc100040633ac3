// The rows of operation_table.def as text, with the names of one step put in.
#include <emit/body.hpp>
#include <emit/library.hpp>

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace kiln::emit {

namespace {

struct bodies {
    const char* of_kind[3];  // logical, integer, floating
};

constexpr bodies operation_bodies[] = {
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) {{#logical, #integer, #floating}},
#include <kiln/operation_table.def>
};

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

bool is_signed(element_type type) {
    switch (type) {
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling) \
    case element_type::name: return std::is_signed_v<type>;
#include <kiln/element_type.def>
    }
    return false;
}

/// Bits that hold an integer's magnitude.
int magnitude_bits(element_type integer) { return 8 * bytes_of(integer) - (is_signed(integer) ? 1 : 0); }

const char* unsigned_spelling(element_type type) {
    switch (bytes_of(type)) {
        case 1: return "u8";
        case 2: return "u16";
        case 4: return "u32";
        default: return "u64";
    }
}

/// The first value past an integer type's largest, or its smallest, as a literal of a floating type; both are powers of
/// two (or 0) and so exact.
std::string bound_text(element_type integer, element_type floating, bool top) {
    const double power = std::ldexp(1.0, magnitude_bits(integer));
    const double bound = top ? power : is_signed(integer) ? -power : 0.0;
    return fmt::format("{:.1f}{}", bound, floating == element_type::float32 ? "f" : "");
}

std::string extreme_text(element_type integer, bool largest) {
    if (!is_signed(integer) && !largest) return fmt::format("{}(0)", info(integer).spelling);
    const std::uint64_t top = ~std::uint64_t{0} >> (64 - magnitude_bits(integer));
    const char* const suffix = bytes_of(integer) < 8 ? is_signed(integer) ? "" : "u" : is_signed(integer) ? "ll" : "ull";
    const std::string text = largest ? fmt::format("{}{}", top, suffix) : fmt::format("(-{}{} - 1)", top, suffix);
    return bytes_of(integer) < 4 ? fmt::format("{}({})", info(integer).spelling, text) : text;
}

/// "sqrtf" or "sqrt": C's name of a function for a type.
std::string c_function(std::string_view name, element_type type) {
    return fmt::format("{}{}", name, type == element_type::float32 ? "f" : "");
}

class substitution {
public:
    substitution(const value_names& names, const lower::step& step, plan::frame frame)
        : names_(names), step_(step), frame_(frame) {}

    std::string run(std::string_view text) {
        while (!text.empty()) {
            const std::string_view word = leading_word(text);
            if (word.empty()) {
                out_ += text.front();
                text.remove_prefix(1);
                continue;
            }
            text.remove_prefix(word.size());
            if (word == "EXACT" || word == "LIBRARY") text = function(word == "LIBRARY", text);
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

    // "(sqrt)(a)" after EXACT: takes "(sqrt)", and of LIBRARY on the host the next parenthesis too, to slip in the table.
    std::string_view function(bool in_library, std::string_view rest) {
        const std::string_view name = rest.substr(1, rest.find(')') - 1);
        rest.remove_prefix(name.size() + 2);
        if (frame_ == plan::frame::cuda) {
            out_ += c_function(name, step_.operands);
        } else if (!in_library) {
            out_ += "__builtin_" + c_function(name, step_.operands);
        } else {
            out_ += fmt::format("{}_{}(library, ", name, info(step_.operands).suffix);
            rest.remove_prefix(1);
        }
        return rest;
    }

    std::string replacement(std::string_view word) const {
        if (word == "a" || word == "b" || word == "c") return names_(step_.args[word.front() - 'a']);
        if (word == "T") return spelling(step_.code == operation::cast ? step_.result : step_.operands);
        if (word == "A") return spelling(step_.operands);
        if (word == "U") return unsigned_spelling(step_.operands);
        if (word == "TOP" || word == "BOTTOM") return bound_text(step_.result, step_.operands, word == "TOP");
        if (word == "T_MAX" || word == "T_MIN") return extreme_text(step_.result, word == "T_MAX");
        return std::string(word);
    }

    const value_names& names_;
    const lower::step& step_;
    plan::frame frame_;
    std::string out_;
};

}  // namespace

const char* spelling(element_type type) { return info(type).spelling; }

std::string step_text(const value_names& names, const lower::step& step, plan::frame frame) {
    return substitution(names, step, frame).run(body_of(step));
}

}  // namespace kiln::emit
