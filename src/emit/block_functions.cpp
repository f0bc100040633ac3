// The library's functions of a block as a host kernel calls them: through the table of pointers, of 16-bit floats by way of float32, as one element
// is computed.
#include <emit/body.hpp>
#include <emit/helpers.hpp>
#include <emit/library.hpp>
#include <plan/strips.hpp>
#include <text/format.hpp>

namespace kiln::emit {

namespace {

std::string of_table(const library_entry& of, int row, precision in) {
    const bool two = of.arity == 2;
    const std::string_view type = in == precision::float64 ? "double" : "float";
    return text::format(
        "static inline void block_{0}_{6}(const void* const* library, const {5}* a, {1}{5}* out, i64 count)\n{{\n"
        "    reinterpret_cast<void (*)(const {5}*, {2}{5}*, i64)>(const_cast<void*>(library[{3}]))(a, {4}out, "
        "count);\n"
        "}}\n\n",
        of.name, two ? text::format("const {}* b, ", type) : "", two ? text::format("const {}*, ", type) : "",
        block_slot(row, in), two ? "b, " : "", type, in == precision::float64 ? "f64" : "f32");
}

std::string of_small_floats(const library_entry& of, element_type type) {
    const bool two = of.arity == 2;
    const auto widened = [type](const char* name) {
        return text::format(
            "    alignas(64) float wide_{0}[{1}];\n"
            "    block_widen_{2}(library, {0}, wide_{0}, count);\n",
            name, plan::strip_elements, info(type).suffix);
    };
    return text::format(
        "static inline void block_{0}_{1}(const void* const* library, const {2}* a, {3}{2}* out, i64 count)\n{{\n{4}"
        "    block_{0}_f32(library, wide_a, {5}wide_a, count);\n"
        "    block_narrow_{1}(library, wide_a, out, count);\n"
        "}}\n\n",
        of.name, info(type).suffix, spelling(type), two ? text::format("const {}* b, ", spelling(type)) : "",
        widened("a") + (two ? widened("b") : ""), two ? "wide_b, " : "");
}

/// "block_widen_f16"
std::string name_of(conversion what, element_type type) {
    return text::format("block_{}_{}", what == conversion::widen ? "widen" : "narrow", info(type).suffix);
}

std::string conversion_text(conversion what, element_type type) {
    const bool widens = what == conversion::widen;
    const char* const small = spelling(type);
    return text::format(
        "static inline void {0}(const void* const* library, const {1}* a, {2}* out, i64 count)\n{{\n"
        "    reinterpret_cast<void (*)(const void*, void*, i64)>(const_cast<void*>(library[{3}]))(a, out, count);\n"
        "}}\n\n",
        name_of(what, type), widens ? small : "float", widens ? "float" : small, conversion_slot(what, type));
}

}  // namespace

std::string block_functions(std::string_view text) {
    std::string out;
    if (text.find("block_") == text.npos) return out;  // as most
    for (int row = 0; row < library_rows; ++row) {
        const library_entry& entry = library_entries[row];
        std::string small;
        for (const element_type type : {element_type::float16, element_type::bfloat16})
            if (mentions(text, text::format("block_{}_{}", entry.name, info(type).suffix)))
                small += of_small_floats(entry, type);
        if (!small.empty() || mentions(text, text::format("block_{}_f32", entry.name)))
            out += of_table(entry, row, precision::float32) + small;
        if (mentions(text, text::format("block_{}_f64", entry.name))) out += of_table(entry, row, precision::float64);
    }
    std::string conversions;
    for (const element_type type : {element_type::float16, element_type::bfloat16})
        for (const conversion what : {conversion::widen, conversion::narrow}) {
            const std::string name = name_of(what, type);
            if (mentions(text, name) || mentions(out, name)) conversions += conversion_text(what, type);
        }
    return conversions + out;
}

}  // namespace kiln::emit
