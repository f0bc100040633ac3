#include <plan/policy/scan.hpp>

#include <capture/reduction_table.hpp>
#include <plan/policy/scan_nest.hpp>
#include <text/format.hpp>

#include <kiln/element_type.hpp>

#include <string_view>
#include <utility>

namespace kiln::plan {

namespace {

/// Words of 64 bits, which blocks count themselves in and publish elements in.
nest::tree clear_nest(const scan_step& of) {
    using nest::runner;
    using nest::types::word;
    nest::builder to(scan_name(of), scan_threads, /*wide=*/true);
    const nest::id result = to.memory_parameter(scan_signature[0], "to", nest::types::element(of.type), true);
    to.memory_parameter(scan_signature[1], "from", nest::types::element(of.type), false);
    to.memory_parameter(scan_signature[2], "offsets", nest::types::element(of.type), false);
    to.number_parameter(scan_signature[3], "outer", word);
    const nest::value count = to.number_parameter(scan_signature[4], "count", word);
    for (const auto& [number, name] : {std::pair{5, "inner"}, {6, "part"}, {7, "parts"}})
        to.number_parameter(scan_signature[number], name, word);
    const nest::value block = to.loop_of(runner::grid, "block");
    const nest::value thread = to.loop_of(runner::thread, "thread", scan_threads);
    const nest::value i = to.let("i", block * scan_threads + thread);
    to.when(i < count, [&] { to.assign(to.at(result, i), 0); });
    return to.finish();
}

std::string name_of_mapping(const scan_step& of) {
    switch (of.mapping) {
        case scan_mapping::columns:
            return of.is_exclusive() ? "before_column" : of.narrow_level ? "narrow_column" : "column";
        case scan_mapping::short_rows: return text::format("{}_round_row", row_rounds(of));
        case scan_mapping::rows:
            return row_warps(of) * warp < scan_threads ? text::format("{}_warp_row", row_warps(of)) : "row";
        case scan_mapping::lines: return text::format("{}_line", line_threads(of));
        case scan_mapping::walked_rows: return "walked_row";
        case scan_mapping::row_parts: return carry_of(of) == scan_carry::sequence ? "few_row_part" : "row_part";
        case scan_mapping::served_parts: return "served_row_part";
        case scan_mapping::panels: {
            const scan_panel panel = panel_of(of);
            return text::format("{}x{}_level{}_panel", panel.rows, panel.columns, levels_of(of));
        }
        case scan_mapping::narrow_panels: return text::format("{}x{}_narrow_panel", of.slots, of.part);
        case scan_mapping::clear: break;
    }
    return {};
}

/// "_of_f16_reversed"; of what is as usual nothing.
std::string name_of_access(const scan_access& how, std::string_view word) {
    if (how.is_plain()) return {};
    return text::format("_{}{}{}", word, how.type ? text::format("_{}", info(*how.type).suffix) : "",
                        how.backward ? "_reversed" : "");
}

std::string made_of(const scan_access& how, element_type type, std::string of) {
    if (how.type) of = text::format("{}({})", info(type).name, of);
    return how.backward ? text::format("flip({})", of) : of;
}

}  // namespace

std::string scan_word(const scan_step& of) {
    return std::string(of.definition ? "scan_" : "cum") + detail::name_of(of.what, of.definition);
}

std::string scan_name(const scan_step& of) {
    if (of.mapping == scan_mapping::clear) return "kiln_scan_clear";
    return text::format("kiln_{}_{}{}_{}{}{}{}", scan_word(of), info(of.type).suffix, name_of_access(of.reads, "of"),
                        name_of_mapping(of), of.totals_only ? "_totals" : "s", name_of_access(of.writes, "to"),
                        of.finish ? name_of(*of.finish) : std::string());
}

std::string scan_expression(const scan_step& of, std::string_view operand) {
    const std::string scan = text::format("{}({})", scan_word(of), made_of(of.reads, of.type, std::string(operand)));
    return made_of(of.writes, of.value_type(), scan);
}

std::string scan_text(const scan_step& of) {
    if (of.mapping == scan_mapping::clear) return "nothing published";
    if (of.reads.is_plain() && of.writes.is_plain()) return text::format("{} of {}", scan_word(of), info(of.type).name);
    return text::format("{} of {}", scan_expression(of), info(of.operand_type()).name);
}

nest::tree scan_nest(const scan_step& of) {
    switch (of.mapping) {
        case scan_mapping::clear: return clear_nest(of);
        case scan_mapping::lines: return line_scan_nest(of);
        case scan_mapping::columns:
        case scan_mapping::panels: return column_scan_nest(of);
        case scan_mapping::narrow_panels: return narrow_column_scan_nest(of);
        default: return row_scan_nest(of);
    }
}

}  // namespace kiln::plan
