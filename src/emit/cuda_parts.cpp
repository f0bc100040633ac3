#include <emit/cuda_parts.hpp>
#include <emit/partial_sums.hpp>
#include <plan/layout.hpp>

namespace kiln::emit {

using plan::access;
using plan::kernel;
using plan::operand;
using plan::role;

namespace {

std::string declaration(const cuda_parts& parts, const plan::parameter& of, bool of_kernel) {
    const kernel& kernel = parts.kernel;
    const char* restrict_ = kernel.aliased ? "" : " __restrict__";
    const auto index = static_cast<std::size_t>(of.index);
    switch (of.what) {
        case role::output: return text::format("{}*{} y{}", spelling(kernel.outputs[index].type), restrict_, index);
        case role::input: {
            const operand& input = kernel.inputs[index];
            const std::string name = parts.names(input.value);
            return text::format("const {}*{} {}", spelling(input.type), restrict_,
                                of_kernel && input.is_partial ? partial_sums_name(name) : name);
        }
        case role::position: return text::format("const i64 {}", parts.names(kernel.inputs[index].value));
        case role::scalar: {
            const lower::value_id scalar = kernel.scalars[index];
            return text::format("const {} {}", spelling(parts.program.type_of(scalar)), parts.names(scalar));
        }
        case role::workspace: return "unsigned char* workspace";
        case role::counters: return "unsigned int* counters";
        case role::layout: return of_kernel ? "const __grid_constant__ layout at" : "const layout& at";
        default: return text::format("const {} count", parts.number_type());
    }
}

/// What a parameter is called in the kernel.
std::string name_of(const cuda_parts& parts, const plan::parameter& of) {
    const auto index = static_cast<std::size_t>(of.index);
    switch (of.what) {
        case role::output: return text::format("y{}", index);
        case role::input:
        case role::position: return parts.names(parts.kernel.inputs[index].value);
        case role::scalar: return parts.names(parts.kernel.scalars[index]);
        case role::workspace: return "workspace";
        case role::counters: return "counters";
        case role::layout: return "at";
        default: return "count";
    }
}

}  // namespace

std::string cuda_parts::parameters(bool of_kernel) const {
    std::string out;
    for (const plan::parameter& each : kernel.signature)
        out += (out.empty() ? "" : ", ") + declaration(*this, each, of_kernel);
    return out;
}

std::string cuda_parts::arguments() const {
    std::string out;
    for (const plan::parameter& each : kernel.signature) out += (out.empty() ? "" : ", ") + name_of(*this, each);
    return out;
}

namespace {

std::string address_lines(const cuda_parts& parts, const operand& of, const std::string& name,
                          const address_text::axis_name& axis, const std::string& indent) {
    return parts.addresses.steps(of, name, axis, {}, indent) + text::format("{}const {} at_{} = {};\n", indent,
                                                                            parts.addresses.index_type(), name,
                                                                            parts.addresses.address(of, name, axis));
}

}  // namespace

namespace {

std::string addresses_of(const cuda_parts& parts, const operand& of, const std::string& name,
                         const std::string& indent) {
    if (of.how == access::contiguous || of.gathered || parts.kernel.tiled(of) || parts.kernel.by_lane(of)) return {};
    return address_lines(parts, of, name, axis_position, indent);
}

}  // namespace

std::string cuda_parts::input_addresses(const std::string& indent,
                                        const std::function<bool(const plan::operand&)>& wanted) const {
    std::string out;
    for (const operand& input : kernel.inputs)
        if (wanted(input)) out += addresses_of(*this, input, names(input.value), indent);
    return out;
}

std::string indented(const std::string& lines) {
    std::string out;
    for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = lines.find('\n', begin) + 1;
        out += "    " + lines.substr(begin, end - begin);
        begin = end;
    }
    return out;
}

std::string cuda_parts::quotient(const std::string& number, int extent_word, int divisor_word) const {
    return kernel.wide_index ? text::format("{} / at.word[{}]", number, extent_word)
                             : text::format("divide({}, at.word[{}])", number, divisor_word);
}

std::string cuda_parts::positions(const std::string& number, int last, const std::string& indent) const {
    const char* const index = addresses.index_type();
    if (last == 0) return text::format("{}const {} p0 = {};\n", indent, index, number);
    std::string out;
    std::string rest = number;
    for (int axis = last; axis > 0; --axis) {
        const int extent = plan::layout_extent(axis);
        const std::string outer = axis == 1 ? "p0" : text::format("rest{}", axis - 1);
        out += text::format("{}const {} {} = {};\n", indent, axis == 1 ? index : number_type(), outer,
                            quotient(rest, extent, plan::layout_divisor(kernel.rank, axis)));
        out +=
            text::format("{}const {} p{} = {} - {} * {};\n", indent, index, axis, rest, outer, addresses.word(extent));
        rest = outer;
    }
    return out;
}

}  // namespace kiln::emit
