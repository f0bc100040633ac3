// What users wrote, as functions of the kernel.
#include <emit/body.hpp>

#include <capture/function_table.hpp>
#include <text/format.hpp>

#include <algorithm>

namespace kiln::emit {

namespace {

const char* parameter_spelling(element_type type) { return spelling(computed_in(type)); }

}  // namespace

std::string function_call(const value_names& names, std::uint64_t function, const std::vector<std::string>& arguments) {
    const detail::function_definition& of = detail::function_at(function);
    std::string out = names.function(function) + "(";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const element_type type = of.parameter_types[i];
        out += i ? ", " : "";
        out += is_small_float(type) ? text::format("f32_from_{}({})", info(type).suffix, arguments[i]) : arguments[i];
    }
    out += ")";
    return is_small_float(of.result) ? text::format("{}_from_f32({})", info(of.result).suffix, out) : out;
}

std::string user_functions(const value_names& names, plan::frame frame) {
    if (names.functions().empty()) return {};
    const bool on_cuda = frame == plan::frame::cuda;
    // The only header of any kernel, and 100 ms of its compile: users call what they know from C.
    std::string out = on_cuda ? "" : "#include <math.h>\n";
    std::vector<std::string> files;
    for (const std::uint64_t number : names.functions()) {
        const detail::function_definition& of = detail::function_at(number);
        out += text::format("{} {} {}(", on_cuda ? "__device__ __forceinline__" : "static inline",
                            parameter_spelling(of.result), names.function(number));
        for (std::size_t i = 0; i < of.parameter_names.size(); ++i)
            out += text::format("{}{} {}", i ? ", " : "", parameter_spelling(of.parameter_types[i]),
                                of.parameter_names[i]);
        // Two of one name are told apart where the compiler complains.
        const auto same = std::count(files.begin(), files.end(), of.name);
        files.push_back(of.name);
        const std::string file = same ? text::format("{} ({})", of.name, same + 1) : of.name;
        out += text::format(")\n{{\n#line 1 \"{}\"\n{}\n}}\n", file, of.body);
    }
    return out + text::format("#line 1 \"{}\"\n", kernel_file);
}

}  // namespace kiln::emit
