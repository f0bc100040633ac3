#include <emit/rounded_steps.hpp>

#include <text/format.hpp>

#include <algorithm>
#include <unordered_set>

namespace kiln::emit {

namespace {

constexpr std::string_view begin_of_line = "    const f16 ";
constexpr std::string_view rounds = " = f16_from_f32(";
constexpr std::string_view end_of_line = ");\n";

/// Of "    const f16 t0 = f16_from_f32(x + y);\n", "t0" and "x + y". Nothing of other lines: in what a step makes of more than
/// one call, the parenthesis that ends it is another's.
struct rounded {
    std::string_view name;
    std::string_view value;
};

rounded read(std::string_view line) {
    if (!line.starts_with(begin_of_line) || !line.ends_with(end_of_line)) return {};
    line.remove_prefix(begin_of_line.size());
    const std::size_t at = line.find(rounds);
    if (at == line.npos || line.find(' ') != at) return {};
    const rounded out{line.substr(0, at),
                      line.substr(at + rounds.size(), line.size() - at - rounds.size() - end_of_line.size())};
    int depth = 0;
    for (const char each : out.value) {
        depth += (each == '(') - (each == ')');
        if (depth < 0) return {};
    }
    return out;
}

constexpr std::string_view converts = "f32_from_f16(";

/// Of "f32_from_f16(t0) + f32_from_f16(x1)", the operands' names and what stands between them, in order.
template <class Between, class Operand>
void each_operand(std::string_view value, Between between, Operand operand) {
    for (;;) {
        const std::size_t at = value.find(converts);
        if (at == value.npos) return between(value);
        between(value.substr(0, at));
        value.remove_prefix(at + converts.size());
        const std::size_t end = value.find(')');
        operand(value.substr(0, end));
        value.remove_prefix(end + 1);
    }
}

template <class Visit>
void each_line(std::string_view text, Visit visit) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        visit(text.substr(0, end));
        text.remove_prefix(end);
    }
}

}  // namespace

std::string round_in_float(std::string_view steps) {
    std::unordered_set<std::string_view> taken;  // by a step that rounds
    each_line(steps, [&](std::string_view line) {
        each_operand(
            read(line).value, [](std::string_view) {}, [&](std::string_view name) { taken.insert(name); });
    });
    std::unordered_set<std::string_view> floats;  // of those, what is rounded in float
    std::string out;
    each_line(steps, [&](std::string_view line) {
        const rounded of = read(line);
        if (of.name.empty()) {
            out += line;
            return;
        }
        std::string value;
        each_operand(
            of.value, [&](std::string_view between) { value += between; },
            [&](std::string_view name) {
                value +=
                    floats.contains(name) ? text::format("{}_in_float", name) : text::format("f32_from_f16({})", name);
            });
        if (taken.contains(of.name)) {
            out += text::format("    const float {0}_in_float = f16_rounded({1});\n", of.name, value);
            value = text::format("{}_in_float", of.name);
            floats.insert(of.name);
        }
        out += text::format("    const f16 {} = f16_from_f32({});\n", of.name, value);
    });
    return out;
}

}  // namespace kiln::emit
