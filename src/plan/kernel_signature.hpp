// kiln/plan/kernel_signature: what a kernel takes, parameter by parameter: the one place that says in which order. Printers
// declare parameters by it, the interpreter and who packs a launch find values by it, recordings which of them are addresses.
// in: a planned kernel   out: its parameters   knows nothing of: text, values
#pragma once

#include <lower/program.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace kiln::plan {

struct kernel;

enum class role : std::uint8_t {
    output,         // index: of kernel.outputs
    input,          // of kernel.inputs
    position,       // the same; its value is the first position
    scalar,         // of kernel.scalars
    divisor,        // of kernel.divisors: what a quotient by that scalar is multiplied by
    workspace,      // where the blocks of a split reduction leave their parts
    counters,       // by which the last of those blocks knows that it is the last
    element_count,  // where all operands are contiguous
    layout,         // elsewhere: layout.hpp
    turned,         // all bits or none (kernel::goes_both_ways)
    // Of a step of a scan (scan.hpp).
    scan_result,
    scan_operand,
    scan_offsets,
    scan_outer,
    scan_count,
    scan_inner,
    scan_part,
    scan_parts,
    // Of what is made of its values (scan_finish.hpp), beside those of a kernel's operands: strides of an array.
    scan_beside_outer,
    scan_beside_count,
    scan_beside_inner,
    // Of a step by segments (segments.hpp).
    segment_result,
    segment_table,
    segment_numbers,
    segment_values,
    segment_elements,
    segment_count,
    segment_stride,
    segment_copies,
    segment_setting,
    segment_low,
    segment_high,
    segment_width,
    segment_magnitudes,
    // Of rows by segments (segment_rows.hpp), beside those.
    segment_places,
    segment_rows,
    segment_parts,
    segment_inside,
    // Of a step of a sort (sort.hpp).
    sort_to,
    sort_from,
    sort_places_to,
    sort_places_from,
    sort_counts,
    sort_states,
    sort_rows,
    sort_count,
    sort_digit,
    sort_kept,
    sort_parts,
    // Of a library's product (library_product.hpp).
    product_result,
    product_left,
    product_right,
    product_workspace,
};

/// Whether a parameter is the address of memory that its kernel reads or writes.
constexpr bool is_address(role what) {
    switch (what) {
        case role::output:
        case role::input:
        case role::workspace:
        case role::counters:
        case role::scan_result:
        case role::scan_operand:
        case role::scan_offsets:
        case role::segment_result:
        case role::segment_table:
        case role::segment_numbers:
        case role::segment_values:
        case role::segment_magnitudes:
        case role::segment_places:
        case role::sort_to:
        case role::sort_from:
        case role::sort_places_to:
        case role::sort_places_from:
        case role::sort_counts:
        case role::sort_states:
        case role::product_result:
        case role::product_left:
        case role::product_right:
        case role::product_workspace: return true;
        default: return false;
    }
}

struct parameter {
    role what = role::output;
    int index = 0;  // among those of its role; inputs and positions are numbered together
    int bytes = 8;  // a multiple of 8: narrower scalars have 8 to lie in
};

using kernel_signature = std::vector<parameter>;

/// Of a kernel whose operands have their words in the layout.
kernel_signature signature_of(const lower::program& program, const kernel& of);

/// Of every step of a scan, on every device.
inline constexpr parameter scan_signature[] = {{role::scan_result}, {role::scan_operand}, {role::scan_offsets},
                                               {role::scan_outer},  {role::scan_count},   {role::scan_inner},
                                               {role::scan_part},   {role::scan_parts}};

/// Of every step by segments, on every device.
inline constexpr parameter segment_signature[] = {
    {role::segment_result},   {role::segment_table}, {role::segment_numbers}, {role::segment_values},
    {role::segment_elements}, {role::segment_count}, {role::segment_stride},  {role::segment_copies},
    {role::segment_setting},  {role::segment_low},   {role::segment_high},    {role::segment_width}};

/// After those, of sums of floats by rows (segment_step::in_sectors).
inline constexpr parameter segment_magnitudes = {role::segment_magnitudes};

/// Which parameter plays a role; -1: none.
constexpr int find_parameter(std::span<const parameter> of, role what, int index = 0) {
    for (std::size_t i = 0; i < of.size(); ++i)
        if (of[i].what == what && of[i].index == index) return static_cast<int>(i);
    return -1;
}

}  // namespace kiln::plan
