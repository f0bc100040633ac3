#include <emit/c_functions.hpp>

#include <emit/helpers.hpp>
#include <text/format.hpp>

#include <string_view>
#include <unordered_set>
#include <vector>

namespace kiln::emit {

namespace {

enum class overloads : bool {
    none,  // sqrt would be of double alone
    all,   // and C++'s: of float, long double and integers, which count as double
};

/// R is float, double or long double, in the forms sqrtf, sqrt and sqrtl.
struct c_function {
    std::string_view name;
    std::string_view result;
    std::string_view parameters[3];
    overloads has;
};

// C11 7.12, less the macros, which helpers/c_names_host.inc has; and what POSIX and GNU add.
constexpr c_function functions[] = {
    {"acos", "R", {"R"}, overloads::all},
    {"acosh", "R", {"R"}, overloads::all},
    {"asin", "R", {"R"}, overloads::all},
    {"asinh", "R", {"R"}, overloads::all},
    {"atan", "R", {"R"}, overloads::all},
    {"atan2", "R", {"R", "R"}, overloads::all},
    {"atanh", "R", {"R"}, overloads::all},
    {"cbrt", "R", {"R"}, overloads::all},
    {"ceil", "R", {"R"}, overloads::all},
    {"copysign", "R", {"R", "R"}, overloads::all},
    {"cos", "R", {"R"}, overloads::all},
    {"cosh", "R", {"R"}, overloads::all},
    {"erf", "R", {"R"}, overloads::all},
    {"erfc", "R", {"R"}, overloads::all},
    {"exp", "R", {"R"}, overloads::all},
    {"exp2", "R", {"R"}, overloads::all},
    {"expm1", "R", {"R"}, overloads::all},
    {"fabs", "R", {"R"}, overloads::all},
    {"fdim", "R", {"R", "R"}, overloads::all},
    {"floor", "R", {"R"}, overloads::all},
    {"fma", "R", {"R", "R", "R"}, overloads::all},
    {"fmax", "R", {"R", "R"}, overloads::all},
    {"fmin", "R", {"R", "R"}, overloads::all},
    {"fmod", "R", {"R", "R"}, overloads::all},
    {"frexp", "R", {"R", "int*"}, overloads::all},
    {"hypot", "R", {"R", "R"}, overloads::all},
    {"ilogb", "int", {"R"}, overloads::all},
    {"ldexp", "R", {"R", "int"}, overloads::all},
    {"lgamma", "R", {"R"}, overloads::all},
    {"llrint", "long long", {"R"}, overloads::all},
    {"llround", "long long", {"R"}, overloads::all},
    {"log", "R", {"R"}, overloads::all},
    {"log10", "R", {"R"}, overloads::all},
    {"log1p", "R", {"R"}, overloads::all},
    {"log2", "R", {"R"}, overloads::all},
    {"logb", "R", {"R"}, overloads::all},
    {"lrint", "long", {"R"}, overloads::all},
    {"lround", "long", {"R"}, overloads::all},
    {"modf", "R", {"R", "R*"}, overloads::all},
    {"nan", "R", {"const char*"}, overloads::none},
    {"nearbyint", "R", {"R"}, overloads::all},
    {"nextafter", "R", {"R", "R"}, overloads::all},
    {"nexttoward", "R", {"R", "long double"}, overloads::all},
    {"pow", "R", {"R", "R"}, overloads::all},
    {"remainder", "R", {"R", "R"}, overloads::all},
    {"remquo", "R", {"R", "R", "int*"}, overloads::all},
    {"rint", "R", {"R"}, overloads::all},
    {"round", "R", {"R"}, overloads::all},
    {"scalbln", "R", {"R", "long"}, overloads::all},
    {"scalbn", "R", {"R", "int"}, overloads::all},
    {"sin", "R", {"R"}, overloads::all},
    {"sinh", "R", {"R"}, overloads::all},
    {"sqrt", "R", {"R"}, overloads::all},
    {"tan", "R", {"R"}, overloads::all},
    {"tanh", "R", {"R"}, overloads::all},
    {"tgamma", "R", {"R"}, overloads::all},
    {"trunc", "R", {"R"}, overloads::all},

    {"drem", "R", {"R", "R"}, overloads::none},
    {"exp10", "R", {"R"}, overloads::none},
    {"finite", "int", {"R"}, overloads::none},
    {"gamma", "R", {"R"}, overloads::none},
    {"j0", "R", {"R"}, overloads::none},
    {"j1", "R", {"R"}, overloads::none},
    {"jn", "R", {"int", "R"}, overloads::none},
    {"lgamma_r", "R", {"R", "int*"}, overloads::none},
    {"roundeven", "R", {"R"}, overloads::none},
    {"scalb", "R", {"R", "R"}, overloads::none},
    {"significand", "R", {"R"}, overloads::none},
    {"sincos", "void", {"R", "R*", "R*"}, overloads::none},
    {"y0", "R", {"R"}, overloads::none},
    {"y1", "R", {"R"}, overloads::none},
    {"yn", "R", {"int", "R"}, overloads::none},
};

struct c_constant {
    std::string_view name;
    std::string_view digits;
};

// Of X/Open: M_PI; of GNU: M_PIf, M_PIl.
constexpr c_constant constants[] = {
    {"M_E", "2.718281828459045235360287471352662498"},        {"M_LOG2E", "1.442695040888963407359924681001892137"},
    {"M_LOG10E", "0.434294481903251827651128918916605082"},   {"M_LN2", "0.693147180559945309417232121458176568"},
    {"M_LN10", "2.302585092994045684017991454684364208"},     {"M_PI", "3.141592653589793238462643383279502884"},
    {"M_PI_2", "1.570796326794896619231321691639751442"},     {"M_PI_4", "0.785398163397448309615660845819875721"},
    {"M_1_PI", "0.318309886183790671537767526745028724"},     {"M_2_PI", "0.636619772367581343075535053490057448"},
    {"M_2_SQRTPI", "1.128379167095512573896158903121545172"}, {"M_SQRT2", "1.414213562373095048801688724209698079"},
    {"M_SQRT1_2", "0.707106781186547524400844362104849039"},
};

struct real_type {
    const char* name;
    const char* suffix;
    bool on_cuda;
};
constexpr real_type reals[] = {{"double", "", true}, {"float", "f", true}, {"long double", "l", false}};

/// "R*" as "float*".
std::string of_type(std::string_view pattern, std::string_view real) {
    return pattern.starts_with("R") ? text::format("{}{}", real, pattern.substr(1)) : std::string(pattern);
}

/// What is said of each parameter, with commas between.
template <class Say>
std::string list_of(const c_function& of, Say say) {
    std::string out;
    char name = 'a';
    for (const std::string_view each : of.parameters)
        if (!each.empty()) out += (out.empty() ? "" : ", ") + say(each, name++);
    return out;
}

/// "extern "C" float sqrtf(float);"
std::string declaration(const c_function& of, const real_type& real) {
    return text::format("extern \"C\" {} {}{}({});\n", of_type(of.result, real.name), of.name, real.suffix,
                        list_of(of, [&](std::string_view each, char) { return of_type(each, real.name); }));
}

/// "static inline float sqrt(float a) { return __builtin_sqrtf(a); }"
std::string overload(const c_function& of, const real_type& real) {
    return text::format(
        "static inline {} {}({}) {{ return __builtin_{}{}({}); }}\n", of_type(of.result, real.name), of.name,
        list_of(of, [&](auto each, char name) { return text::format("{} {}", of_type(each, real.name), name); }),
        of.name, real.suffix, list_of(of, [](auto, char name) { return std::string(1, name); }));
}

/// Of integers, and of several types: "template <class A, class B, class R = (what both promote to)>
/// static inline R pow(A a, B b) { return pow(R(a), R(b)); }". Nothing where a pointer says the type.
std::string mixed_overload(const c_function& of) {
    std::string types;
    std::string sum;
    char name = 'a';
    for (const std::string_view each : of.parameters) {
        if (each == "R*") return {};
        const char type = static_cast<char>(name - 'a' + 'A');
        if (each == "R") {
            types += text::format("class {}, ", type);
            sum += text::format("{}kiln_promoted({}())", sum.empty() ? "" : " + ", type);
        }
        ++name;
    }
    const auto parameter = [](std::string_view each, char letter) {
        return each == "R" ? text::format("{} {}", static_cast<char>(letter - 'a' + 'A'), letter)
                           : text::format("{} {}", each, letter);
    };
    const auto argument = [](std::string_view each, char letter) {
        return each == "R" ? text::format("R({})", letter) : std::string(1, letter);
    };
    return text::format("template <{}class R = decltype({})>\nstatic inline {} {}({}) {{ return {}({}); }}\n", types,
                        sum, of.result, of.name, list_of(of, parameter), of.name, list_of(of, argument));
}

/// Macros may put other words together than stand there.
bool may_paste(std::string_view text) { return text.find("##") != text.npos || text.find("%:%:") != text.npos; }

/// Words may go on in the next line.
std::string with_joined_lines(std::string_view text) {
    std::string out(text);
    for (std::size_t at = out.find("\\\n"); at != out.npos; at = out.find("\\\n", at)) out.erase(at, 2);
    return out;
}

/// The names that are asked for: those that `text` has, or all.
class wanted_names {
public:
    explicit wanted_names(std::string_view text) : all_(may_paste(text)) {
        for_each_word(text, [this](std::string_view word) { words_.insert(word); });
    }
    [[nodiscard]] bool all() const { return all_; }
    [[nodiscard]] bool has(std::string_view name) const { return all_ || words_.count(name) > 0; }

private:
    bool all_;
    std::unordered_set<std::string_view> words_;
};

std::string constants_for(const wanted_names& wanted, plan::frame frame) {
    std::string out;
    for (const c_constant& each : constants)
        for (const real_type& real : reals) {
            const std::string name = text::format("{}{}", each.name, real.suffix);
            const bool is_there = frame == plan::frame::host || real.on_cuda;
            if (is_there && wanted.has(name)) out += text::format("#define {} {}{}\n", name, each.digits, real.suffix);
        }
    return out;
}

/// Adds what brings them into namespace std to `in_std`.
std::string functions_for(const wanted_names& wanted, std::string& in_std) {
    std::string out;
    for (const c_function& each : functions)
        for (const real_type& real : reals) {
            const std::string name = text::format("{}{}", each.name, real.suffix);
            if (!wanted.has(name)) continue;
            out += declaration(each, real);
            in_std += text::format(" using ::{};", name);
            if (*real.suffix || each.has == overloads::none) continue;
            out += overload(each, reals[1]) + overload(each, reals[2]) + mixed_overload(each);
        }
    return out;
}

}  // namespace

std::string c_names_for(std::string_view text, plan::frame frame) {
    const std::string joined = with_joined_lines(text);
    const wanted_names wanted(joined);
    std::string in_std;
    std::string out = constants_for(wanted, frame);
    if (frame == plan::frame::host) out += functions_for(wanted, in_std);
    const c_names irregular = irregular_c_names(joined, out, frame, wanted.all());
    for (const std::string_view each : irregular.also_in_std) in_std += text::format(" using ::{};", each);
    out.insert(0, irregular.text);
    if (wanted.has("std") && !in_std.empty()) out += text::format("namespace std {{{} }}\n", in_std);
    return out;
}

}  // namespace kiln::emit
