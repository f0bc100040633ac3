// The rows of operation_table.def as text, with the names of one step put in.
#include <capture/function_table.hpp>
#include <emit/body.hpp>
#include <emit/helpers.hpp>
#include <emit/library.hpp>
#include <lower/function_body.hpp>
#include <plan/divisors.hpp>
#include <text/format.hpp>

#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace kiln::emit {

namespace {

struct bodies {
    const char* of_kind[4];  // logical, integer, floating, complex
};

constexpr bodies operation_bodies[] = {
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) \
    {{#logical, #integer, #floating, #complex_}},
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

const char* body_of(const lower::step& step, plan::frame frame, bool portable) {
    const bool is_float = kind_of(step.operands) == element_kind::floating;
    if (step.code == operation::clamp && is_float) return "clamped(a, b, c)";
    if (frame == plan::frame::cuda && !(portable && computed_in(step.operands) == element_type::float32)) {
        // Made of what the device has.
        if (step.code == operation::rsqrt) return "EXACT(rsqrt)(a)";
        if (step.code == operation::sigmoid) return "logistic(KILN_LIBRARY a)";
        if (step.code == operation::gelu) return "a * LIBRARY(normcdf)(a)";
    }
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
    return text::format("{:.1f}{}", bound, floating == element_type::float32 ? "f" : "");
}

std::string extreme_text(element_type integer, bool largest) {
    if (!is_signed(integer) && !largest) return text::format("{}(0)", info(integer).spelling);
    const std::uint64_t top = ~std::uint64_t{0} >> (64 - magnitude_bits(integer));
    const char* const of_width = bytes_of(integer) < 8 ? "" : "ll";
    const char* const of_sign = is_signed(integer) || bytes_of(integer) < 4 ? "" : "u";
    const std::string suffix = std::string(of_sign) + of_width;
    const std::string text = largest ? text::format("{}{}", top, suffix) : text::format("(-{}{} - 1)", top, suffix);
    return bytes_of(integer) < 4 ? text::format("{}({})", info(integer).spelling, text) : text;
}

/// "sqrtf" or "sqrt": C's name of a function for a type.
std::string c_function(std::string_view name, element_type type) {
    return text::format("{}{}", name, type == element_type::float32 ? "f" : "");
}

class substitution {
public:
    substitution(const value_names& names, const lower::step& step, plan::frame frame)
        : names_(names), step_(step), frame_(frame), operands_(computed_in(step.operands)) {}

    std::string run(std::string_view text) {
        while (!text.empty()) {
            const std::string_view word = leading_word(text);
            if (word.empty()) {
                out_ += text.front();
                text.remove_prefix(1);
                continue;
            }
            text.remove_prefix(word.size());
            if (word == "KILN_LIBRARY") {
                if (frame_ == plan::frame::host) out_ += "library,";
                else text.remove_prefix(1);
                continue;
            }
            if (word == "EXACT" || word == "LIBRARY") text = function(word == "LIBRARY", text);
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

    // "(sqrt)(a)" after EXACT: takes "(sqrt)", and of LIBRARY on the host the next parenthesis too, to slip in the table.
    std::string_view function(bool in_library, std::string_view rest) {
        const std::string_view name = rest.substr(1, rest.find(')') - 1);
        rest.remove_prefix(name.size() + 2);
        if (frame_ == plan::frame::cuda) {
            const std::string own = text::format("{}_{}", info(operands_).suffix, name);
            const std::string_view portable =
                in_library && names_.portable() && operands_ == element_type::float32 ? portable_function(name) : "";
            if (!portable.empty()) out_ += portable;
            else out_ += in_library && has_helper(own, frame_) ? own : c_function(name, operands_);
        } else if (!in_library) {
            out_ += "__builtin_" + c_function(name, operands_);
        } else {
            out_ += text::format("{}_{}(library, ", name, info(operands_).suffix);
            rest.remove_prefix(1);
        }
        return rest;
    }

    std::string_view by_sign(std::string_view rest) {
        const std::size_t comma = find_outside(rest, ',');
        const std::size_t end = find_outside(rest, ')');
        const std::string_view chosen =
            is_signed(operands_) ? rest.substr(1, comma - 1) : rest.substr(comma + 2, end - comma - 2);
        out_ += substitution(names_, step_, frame_).run(chosen);
        return rest.substr(end + 1);
    }

    std::string_view bit_count(std::string_view word, std::string_view rest) {
        const std::size_t end = find_outside(rest, ')');
        const std::string counted = substitution(names_, step_, frame_).run(rest.substr(1, end - 1));
        const bool on_cuda = frame_ == plan::frame::cuda;
        if (word == "ONES") out_ += text::format("{}({})", on_cuda ? "__popcll" : "__builtin_popcountll", counted);
        else if (word == "LEADING") out_ += text::format("{}({})", on_cuda ? "__clzll" : "__builtin_clzll", counted);
        else out_ += text::format(fmt::runtime(on_cuda ? "(__ffsll({}) - 1)" : "__builtin_ctzll({})"), counted);
        return rest.substr(end + 1);
    }

    std::string replacement(std::string_view word) const {
        if (word == "a" || word == "b" || word == "c") return operand(word.front() - 'a');
        if (word == "T") return spelling(step_.code == operation::cast ? step_.result : operands_);
        if (word == "A") return spelling(operands_);
        if (word == "R") return spelling(component_of(step_.result));
        if (word == "U") return unsigned_spelling(operands_);
        if (word == "TOP" || word == "BOTTOM") return bound_text(step_.result, operands_, word == "TOP");
        if (word == "T_MAX" || word == "T_MIN") return extreme_text(step_.result, word == "T_MAX");
        return std::string(word);
    }

    std::string operand(int i) const {
        const std::string name = names_(step_.args[i]);
        const element_type type = step_.operands;
        return type == operands_ ? name : text::format("f32_from_{}({})", info(type).suffix, name);
    }

    const value_names& names_;
    const lower::step& step_;
    plan::frame frame_;
    element_type operands_;
    std::string out_;
};

}  // namespace

const char* spelling(element_type type) { return info(type).spelling; }

element_type computed_in(element_type type) { return is_small_float(type) ? element_type::float32 : type; }

namespace {

/// float16 and bfloat16 from anything, with one rounding: by way of what holds the operand exactly, or rounded to odd.
std::string small_float_from(const std::string& operand, element_type from, element_type to, plan::frame frame) {
    const bool is_real = kind_of(from) == element_kind::floating;
    const char* by = "f32";
    if (is_real) by = from == element_type::float64 ? "f64" : "f32";
    else if (bytes_of(from) == 8) by = is_signed(from) ? "i64" : "u64";
    // On CUDA a float64 holds each; the host has more of them in a vector where they stay integers.
    else if (bytes_of(from) == 4) by = frame == plan::frame::cuda ? "f64" : is_signed(from) ? "i32" : "u32";
    return text::format("{}_from_{}({})", info(to).suffix, by, operand);
}

/// Operations of 16-bit floats that have a helper of their own (f16_add); all others but functions of the library are computed in float and
/// rounded.
std::string own_helper(const value_names& names, const lower::step& step, plan::frame frame) {
    const std::string name =
        text::format("{}_{}", info(step.operands).suffix, detail::operations[static_cast<int>(step.code)].name);
    if (!has_helper(name, frame)) return {};
    std::string out = name + "(" + names(step.args[0]);
    for (int i = 1; i < step.arity; ++i) out += ", " + names(step.args[i]);
    return out + ")";
}

/// A step of 16-bit floats that is a function of the library. On the host of its own type; in portable kernels float32's, its result set
/// right where it would be rounded twice (float32/rounded_twice.inc). "" for all others.
std::string function_of_small(const value_names& names, const lower::step& step, plan::frame frame) {
    const char* const body =
        operation_bodies[static_cast<int>(step.code)].of_kind[static_cast<int>(element_kind::floating)];
    const std::string function(lower::function_of_body(body));
    if (function.empty()) return {};
    const char* const suffix = info(step.operands).suffix;
    std::string arguments;
    for (int i = 0; i < step.arity; ++i) {
        const std::string& name = names(step.args[i]);
        arguments +=
            text::format(fmt::runtime(frame == plan::frame::cuda ? "f32_from_{1}({0}), " : "{0}, "), name, suffix);
    }
    if (frame == plan::frame::host)
        return text::format("{}_{}(library, {})", function, suffix, arguments.substr(0, arguments.size() - 2));
    if (!names.portable()) return {};
    const std::string in_float =
        text::format("{}({})", portable_function(function), arguments.substr(0, arguments.size() - 2));
    const std::string_view set_right = portable_helper(text::format("{}_for_{}", function, suffix));
    return set_right.empty() ? text::format("{}_from_f32({})", suffix, in_float)
                             : text::format("{}_from_f32({}({}{}))", suffix, set_right, arguments, in_float);
}

/// A quotient by a scalar, or what is made of it: helpers/divisors_cuda.inc.
std::string divided_text(const value_names& names, const lower::step& step, const std::string& by) {
    const std::string operands = names(step.args[0]) + ", " + names(step.args[1]);
    const std::string quotient = text::format("quotient_by_{}({}, {})", info(step.operands).suffix, operands, by);
    if (step.code == operation::div || step.code == operation::trunc_divide) return quotient;
    const bool downwards = is_signed(step.operands) && step.code != operation::rem;
    if (step.code == operation::floor_divide && !downwards) return quotient;
    return text::format("whole_{}{}<{}>({}, {})", step.code == operation::floor_divide ? "quotient" : "rest",
                        downwards ? "_downwards" : "", unsigned_spelling(step.operands), operands, quotient);
}

/// Operations of integers, and casts to them, that have a helper on CUDA in place of their row: integers_cuda.inc. "" for
/// all others.
std::string integer_helper(const value_names& names, const lower::step& step) {
    if (step.code == operation::cast) {
        if (kind_of(step.operands) != element_kind::floating || kind_of(step.result) != element_kind::integer)
            return {};
        std::string from = names(step.args[0]);
        if (is_small_float(step.operands)) from = text::format("f32_from_{}({})", info(step.operands).suffix, from);
        if (has_conversion(step)) return converted(from, step.result, "rzi");
        return text::format("{}_from({})", info(step.result).suffix, from);
    }
    if (plan::divides_integers(step))
        if (const std::string by = names.divisor(step.args[1]); !by.empty()) return divided_text(names, step, by);
    const bool divides = step.code == operation::div || step.code == operation::trunc_divide;
    if (kind_of(step.operands) != element_kind::integer || !(divides || step.code == operation::rem)) return {};
    const bool sign = is_signed(step.operands);
    const int bytes = bytes_of(step.operands);
    const char* const kind = bytes < 4 ? "narrow" : sign ? "signed" : "unsigned";
    const char* const computed = bytes < 4 ? "int" : info(step.operands).spelling;
    return text::format("{0}({1}_{2}({3}({4}), {3}({5})))", spelling(step.result), kind, divides ? "quotient" : "rest",
                        computed, names(step.args[0]), names(step.args[1]));
}

}  // namespace

bool has_conversion(const lower::step& cast) {
    return computed_in(cast.operands) == element_type::float32 && bytes_of(cast.result) <= 4;
}

std::string converted(const std::string& from, element_type to, const char* rounding) {
    return text::format("{}(CONVERTED(\"{}.{}{}\", {}))", spelling(to), rounding, is_signed(to) ? 's' : 'u',
                        8 * bytes_of(to), from);
}

namespace {

/// Casts to integers that have a helper on the host in place of their row: saturated_host.inc. "" for all others.
std::string saturated_text(const value_names& names, const lower::step& step) {
    if (step.code != operation::cast || kind_of(step.operands) != element_kind::floating ||
        kind_of(step.result) != element_kind::integer || bytes_of(step.result) > 2)
        return {};
    const element_type from = computed_in(step.operands);
    const std::string name = names(step.args[0]);
    const std::string number =
        from == step.operands ? name : text::format("f32_from_{}({})", info(step.operands).suffix, name);
    return text::format("saturated_{}<{}>({}, {:.1f}{})", is_signed(step.result) ? "signed" : "unsigned",
                        spelling(step.result), number, std::ldexp(1.0, magnitude_bits(step.result)) - 1,
                        from == element_type::float32 ? "f" : "");
}

/// AArch64 has one instruction for what g++ 12 takes a cast to an integer and back for, once they are of vectors and rounded() is behind
/// them; and that leaves -0 of -0.25.
constexpr bool casts_back_by_rounding =
#if defined(__aarch64__)
    true;
#else
    false;
#endif

/// On the host, an integer that is a floating number again, where it might be -0 but for a sum with 0. "" for all others.
std::string whole_text(const std::string& integer, const lower::step& step) {
    if (!casts_back_by_rounding || step.code != operation::cast || kind_of(step.operands) != element_kind::integer ||
        bytes_of(step.operands) < 4 || kind_of(step.result) != element_kind::floating)
        return {};
    return text::format("rounded({0}({1})) + {0}(0)", spelling(step.result), integer);
}

}  // namespace

std::string step_text(const value_names& names, const lower::step& step, plan::frame frame) {
    if (step.code == operation::call) {
        std::vector<std::string> arguments;
        for (int i = 0; i < step.arity; ++i) arguments.push_back(names(step.args[i]));
        return function_call(names, step.function, arguments);
    }
    const std::string first = names(step.args[0]);
    // A choice is a move, whatever is moved.
    // On the host a complex number is chosen part by part: as a whole it may be so by a branch, which the processor has to guess.
    if (step.code == operation::where && frame == plan::frame::host && kind_of(step.result) == element_kind::complex)
        return text::format("complex_where({}, {}, {})", first, names(step.args[1]), names(step.args[2]));
    if (step.code == operation::where)
        return text::format("{} ? {} : {}", first, names(step.args[1]), names(step.args[2]));
    if (step.code == operation::cast && is_small_float(step.result))
        return small_float_from(
            is_small_float(step.operands) ? text::format("f32_from_{}({})", info(step.operands).suffix, first) : first,
            step.operands, step.result, frame);
    if (frame == plan::frame::cuda)
        if (std::string own = integer_helper(names, step); !own.empty()) return own;
    if (frame == plan::frame::host) {
        if (std::string own = saturated_text(names, step); !own.empty()) return own;
        if (std::string own = whole_text(first, step); !own.empty()) return own;
    }
    const bool small = is_small_float(step.operands);
    if (small && step.code != operation::cast) {
        if (std::string own = function_of_small(names, step, frame); !own.empty()) return own;
        if (std::string own = own_helper(names, step, frame); !own.empty()) return own;
    }
    std::string text = substitution(names, step, frame).run(body_of(step, frame, names.portable()));
    return small && step.result == step.operands ? text::format("{}_from_f32({})", info(step.result).suffix, text)
                                                 : text;
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
        if (!is_signed(of.type)) return text::format("{}({}ull)", t, at_top >> unused_bits);
        const std::int64_t value = static_cast<std::int64_t>(at_top) >> unused_bits;
        if (value == INT64_MIN) return "(-9223372036854775807ll - 1)";
        if (of.type == element_type::int32 && value > INT32_MIN)
            return value < 0 ? text::format("({})", value) : text::format("{}", value);
        return text::format("{}({}ll)", t, value);
    }
    const bool single = of.type == element_type::float32;
    const double value = single ? static_cast<double>(held(float{})) : held(double{});
    const char* const suffix = single ? "f" : "";
    // No header, so no name for them. A division by 0 NVRTC leaves to each thread, which takes forty instructions; not so a product that is
    // too large.
    if (value != value) return text::format("(0.0{0} / 0.0{0})", suffix);
    if (value - value != 0) {
        const char* const large = single ? "1e38f" : "1e300";
        return text::format("({0}{1} * {1})", value < 0 ? "-" : "", large);
    }
    // The shortest text that reads back as the same bits.
    std::string digits = single ? text::format("{}", held(float{})) : text::format("{}", value);
    if (digits.find_first_of(".e") == digits.npos) digits += ".0";
    return digits.front() == '-' ? text::format("({}{})", digits, suffix) : digits + suffix;
}

}  // namespace kiln::emit
