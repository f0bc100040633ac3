// The library's functions of a block as a host kernel calls them: through the table of pointers.
#include <emit/body.hpp>
#include <emit/helpers.hpp>
#include <emit/library.hpp>
#include <text/format.hpp>

namespace kiln::emit {

namespace {

int block_slot_of(int row, element_type type) {
    if (is_small_float(type)) return small_slot(row, form::of_block, type);
    return block_slot(row, type == element_type::float64 ? precision::float64 : precision::float32);
}

/// `type`: of the elements; `slot`: where in the table.
std::string of_table(const library_entry& of, element_type type, int slot) {
    const bool two = of.arity == 2;
    return text::format(
        "static inline void block_{0}_{6}(const void* const* library, const {5}* a, {1}{5}* out, i64 count)\n{{\n"
        "    reinterpret_cast<void (*)(const {5}*, {2}{5}*, i64)>(const_cast<void*>(library[{3}]))(a, {4}out, "
        "count);\n"
        "}}\n\n",
        of.name, two ? text::format("const {}* b, ", spelling(type)) : "",
        two ? text::format("const {}*, ", spelling(type)) : "", slot, two ? "b, " : "", spelling(type),
        info(type).suffix);
}

std::string widening(element_type small) {
    return text::format(
        "static inline void block_widen_{0}(const void* const* library, const {1}* a, float* out, i64 count)\n{{\n"
        "    reinterpret_cast<void (*)(const {1}*, float*, i64)>(const_cast<void*>(library[{2}]))(a, out, count);\n"
        "}}\n\n",
        info(small).suffix, spelling(small), widen_slot(small));
}

}  // namespace

std::string block_functions(std::string_view text) {
    std::string out;
    if (text.find("block_") == text.npos) return out;  // as most
    for (int row = 0; row < library_rows; ++row) {
        const library_entry& entry = library_entries[row];
        for (const element_type type :
             {element_type::float32, element_type::float64, element_type::float16, element_type::bfloat16})
            if (mentions(text, text::format("block_{}_{}", entry.name, info(type).suffix)))
                out += of_table(entry, type, block_slot_of(row, type));
    }
    for (const element_type small : {element_type::float16, element_type::bfloat16})
        if (mentions(text, text::format("block_widen_{}", info(small).suffix))) out += widening(small);
    return out;
}

}  // namespace kiln::emit
