// What users wrote, as headers and functions of the kernel.
#include <emit/body.hpp>

#include <capture/function_table.hpp>
#include <capture/put_together.hpp>
#include <emit/c_functions.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <algorithm>

namespace kiln::emit {

namespace {

const char* parameter_spelling(element_type type) { return spelling(computed_in(type)); }

/// The names by which compilers call what users wrote: two of one name are told apart.
class file_names {
public:
    std::string unused(const std::string& name) {
        std::string out = name;
        for (int count = 2; std::find(taken_.begin(), taken_.end(), out) != taken_.end(); ++count)
            out = text::format("{} ({})", name, count);
        taken_.push_back(out);
        return out;
    }

private:
    std::vector<std::string> taken_{std::string(kernel_file)};
};

struct used_header {
    const detail::header_definition* header;
    const std::string& function;  // that brings it
};

/// Those of all functions, each once. A header stands behind all that the function which first brings it has before it.
std::vector<used_header> headers_of(const std::vector<std::uint64_t>& functions) {
    std::vector<used_header> out;
    for (const std::uint64_t number : functions) {
        const detail::function_definition& of = detail::function_at(number);
        for (const detail::header_definition& each : of.headers) {
            const auto found = std::find_if(
                out.begin(), out.end(), [&each](const used_header& other) { return other.header->name == each.name; });
            if (found == out.end()) out.push_back({&each, of.name});
            else if (found->header->text != each.text)
                throw type_error(text::format(
                    "kiln: functions {} and {} are in one kernel and bring different texts of a header {}; name one of "
                    "them otherwise",
                    found->function, of.name, each.name));
        }
    }
    return out;
}

/// Each was checked by itself when it was made; they may also mean something together.
void check_together(const std::vector<std::uint64_t>& functions) {
    if (functions.size() < 2) return;
    std::vector<detail::user_text> texts;
    for (const std::uint64_t number : functions)
        for (const detail::user_text& each : detail::texts_of(detail::function_at(number))) texts.push_back(each);
    detail::check_put_together(texts);
}

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
    check_together(names.functions());
    const bool on_cuda = frame == plan::frame::cuda;
    file_names files;

    std::string headers;
    for (const used_header& each : headers_of(names.functions()))
        headers += text::format("\n#line 1 \"{}\"\n{}\n", files.unused(each.header->name), each.header->text);
    // Nobody else's function of the same name takes the place of a header's, and the compiler may inline it.
    if (!headers.empty() && !on_cuda)
        headers = "#pragma GCC visibility push(hidden)\n" + headers + "#pragma GCC visibility pop\n";

    std::string functions;
    for (const std::uint64_t number : names.functions()) {
        const detail::function_definition& of = detail::function_at(number);
        functions += text::format("{} {} {}(", on_cuda ? "__device__ __forceinline__" : "static inline",
                                  parameter_spelling(of.result), names.function(number));
        for (std::size_t i = 0; i < of.parameter_names.size(); ++i)
            functions += text::format("{}{} {}", i ? ", " : "", parameter_spelling(of.parameter_types[i]),
                                      of.parameter_names[i]);
        functions += text::format(")\n{{\n#line 1 \"{}\"\n{}\n}}\n", files.unused(of.name), of.body);
    }
    const std::string users = headers + functions;
    return c_names_for(users, frame) + users + text::format("#line 1 \"{}\"\n", kernel_file);
}

}  // namespace kiln::emit
