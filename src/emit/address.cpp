#include <emit/address.hpp>

#include <emit/body.hpp>
#include <text/format.hpp>

namespace kiln::emit {

namespace {

using plan::linear_plan;
using plan::operand;
using plan::step_plan;
using step_kind = detail::index_step::kind;

struct index_function {
    const char* name;
    const char* text;              // {} is what stands before a function of this frame, I the type of an index
    const char* narrow = nullptr;  // where that is int, unless it is the same
};

constexpr index_function index_functions[] = {
    {"wrap_index", "I wrap_index(I i, I extent) { return i < extent ? i : i - extent; }\n"},
    {"clamp_index",
     "I clamp_index(I i, I extent)\n{\n    const I from_first = i < 0 ? 0 : i;\n    const I last = extent - 1;\n"
     "    return from_first < last ? from_first : last;\n}\n"},
    {"mirror_index",
     "I mirror_index(I i, I extent)\n{\n    const I from_first = i < 0 ? -i : i;\n"
     "    return from_first < extent ? from_first : 2 * (extent - 1) - from_first;\n}\n"},
    {"outside_index", "I outside_index(I i, I extent) { return i < 0 || i >= extent; }\n"},
    {"least_index", "I least_index(I a, I b) { return a < b ? a : b; }\n"},
    // How many inputs from i on, each one more than the last, go on alike: inside, as positions do; of a quotient and of
    // outside_index, without a change. 0: in no such way.
    {"wrap_run", "I wrap_run(I i, I extent) { return (i < extent ? extent : 2 * extent) - i; }\n"},
    {"inside_run", "I inside_run(I i, I extent) { return i < 0 || i >= extent ? 0 : extent - i; }\n"},
    {"outside_run",
     "I outside_run(I i, I extent) { return i < 0 ? -i : i < extent ? extent - i : 0x7fffffffffffffff; }\n"},
    {"divide_run", "I divide_run(I i, I extent) { return extent - i % extent; }\n"},
    {"lookup_index",
     // Without a branch: where i is one for a whole row, g++ would have a loop for each way through.
     "I lookup_index(i64 i, I extent)\n{\n    const i64 from_first = i + (extent & i >> 63);\n    const I last = "
     "extent - 1;\n"
     "    const i64 least = from_first < last ? from_first : last;\n    return least < 0 ? 0 : (I)least;\n}\n",
     // Most are made int64 of int: a compiler sees then that the halves agree, and the rest takes half of the instructions.
     "int lookup_index(i64 i, int extent)\n{\n    const int low = (int)i, high = (int)(i >> 32);\n"
     "    const int narrow = high == low >> 31 ? low : high >> 31 ^ 0x7fffffff;\n"
     "    const int from_first = narrow < 0 ? narrow + extent : narrow;\n"
     "    return from_first < 0 ? 0 : from_first < extent ? from_first : extent - 1;\n}\n"},
};

}  // namespace

address_text::address_text(const plan::kernel& of, plan::frame frame)
    : kernel_(of), cuda_(frame == plan::frame::cuda), wide_(!cuda_ || of.wide_index) {}

std::string address_text::word(int number) const {
    return wide_ ? (cuda_ ? text::format("at.word[{}]", number) : text::format("at[{}]", number))
                 : text::format("int(at.word[{}])", number);
}

std::string address_text::linear(const linear_plan& form, const std::string& name, const axis_name& axis) const {
    std::string out;
    const auto add = [&out](const std::string& term) { out += out.empty() ? term : " + " + term; };
    if (form.offset_word >= 0) add(word(form.offset_word));
    int next = form.axis_word;
    for (int i = 0; i < kernel_.rank; ++i) {
        if (!(form.axes >> i & 1)) continue;
        const std::string position = axis(i);
        const bool is_unit = form.unit_axes >> i & 1;
        if (position != "0") add(is_unit ? position : text::format("{} * {}", position, word(next)));
        next += !is_unit;
    }
    for (const linear_plan::step_word& each : form.steps) {
        const std::string value = text::format("{}_{}", name, each.step);
        add(each.word < 0 ? value : text::format("{} * {}", value, word(each.word)));
    }
    return out.empty() ? "0" : out;
}

std::string address_text::step(const step_plan& of, const std::string& name, const axis_name& axis,
                               const std::vector<std::string>& lookups) const {
    const std::string extent = word(of.extent_word);
    switch (of.how) {
        case step_kind::wrap: return text::format("wrap_index({}, {})", linear(of.input, name, axis), extent);
        case step_kind::clamp: return text::format("clamp_index({}, {})", linear(of.input, name, axis), extent);
        case step_kind::mirror: return text::format("mirror_index({}, {})", linear(of.input, name, axis), extent);
        case step_kind::outside: return text::format("outside_index({}, {})", linear(of.input, name, axis), extent);
        case step_kind::lookup:
            return text::format("lookup_index({}, {})", lookups[static_cast<std::size_t>(of.lookup)], extent);
        case step_kind::divide: break;
    }
    if (of.divisor_word >= 0 && cuda_)
        return text::format("int(divide({}, at.word[{}]))", linear(of.input, name, axis), of.divisor_word);
    return text::format("({}) / {}", linear(of.input, name, axis), extent);
}

std::string address_text::steps(const operand& of, const std::string& name, const axis_name& axis,
                                const std::vector<std::string>& lookups, const std::string& indent) const {
    std::string out;
    for (std::size_t i = 0; i < of.steps.size(); ++i)
        out += text::format("{}const {} {}_{} = {};\n", indent, index_type(), name, i,
                            step(of.steps[i], name, axis, lookups));
    return out;
}

std::string address_text::address(const operand& of, const std::string& name, const axis_name& axis) const {
    return linear(of.address, name, axis);
}

std::string address_text::functions(const std::string& text) const {
    const std::string before = cuda_ ? "__device__ __forceinline__ " : "static inline ";
    std::string out;
    for (const index_function& each : index_functions) {
        if (text.find(each.name) == text.npos) continue;
        out += before;
        for (const char* c = each.narrow && !wide_ ? each.narrow : each.text; *c; ++c) {
            const bool is_index_type = *c == 'I' && !(c[1] >= 'a' && c[1] <= 'z');
            out += is_index_type ? index_type() : std::string(1, *c);
        }
    }
    if (cuda_ && text.find("divide(") != text.npos)
        out +=
            "// By multiplication: divisor is multiplier | shift << 32.\n"
            "__device__ __forceinline__ unsigned int divide(unsigned int x, long long divisor)\n{\n"
            "    return (__umulhi(x, (unsigned int)divisor) + x) >> int(divisor >> 32);\n}\n";
    return out;
}

}  // namespace kiln::emit
