#include <plan/scan_finish.hpp>

#include <lower/lower.hpp>
#include <text/format.hpp>

#include <kiln/element_type.hpp>

#include <algorithm>
#include <atomic>
#include <iterator>

namespace kiln::plan {

namespace {

/// Where each array of a program stands first, in the program's order.
std::vector<int> slots_of_arrays(const lower::program& program, const std::vector<int>& numbers) {
    std::vector<int> out(program.arrays.size());
    for (std::size_t slot = numbers.size(); slot-- > 0;)
        if (numbers[slot] >= 0) out[static_cast<std::size_t>(numbers[slot])] = static_cast<int>(slot);
    return out;
}

kernel kernel_of(const lower::program& program, lower::value_id scanned) {
    kernel out;
    out.last_step = static_cast<int>(program.steps.size());
    const auto add_input = [&](lower::value_id value) {
        const auto array = static_cast<std::size_t>(value);
        operand each;
        each.value = value;
        each.type = program.arrays[array];
        each.is_position = program.is_position[array];
        out.inputs.push_back(each);
    };
    add_input(scanned);
    for (lower::value_id value = 0; value < program.scalar_value(0); ++value)
        if (value != scanned) add_input(value);
    for (std::size_t i = 0; i < program.scalars.size(); ++i)
        out.scalars.push_back(program.scalar_value(static_cast<int>(i)));
    for (const lower::value_id value : program.outputs) {
        operand each;
        each.value = value;
        each.type = program.type_of(value);
        out.outputs.push_back(each);
    }
    return out;
}

}  // namespace

finishing_steps make_finishing_steps(const detail::graph& described, const std::vector<int>& numbers, int value_slot,
                                     const options& wanted) {
    static std::atomic<std::uint64_t> count{0};
    lower::lowered lowered = lower::lower(described, numbers);
    finishing_steps out;
    out.program = std::move(lowered.code);
    out.program.portable = wanted.portable;
    out.program.any_order = wanted.fast_math;
    out.all = kernel_of(out.program, numbers[static_cast<std::size_t>(value_slot)]);
    const std::vector<int> slots = slots_of_arrays(out.program, numbers);
    for (const operand& each : out.all.inputs)
        out.slots_of_inputs.push_back(slots[static_cast<std::size_t>(each.value)]);
    out.slots_of_scalars = std::move(lowered.scalar_slots);
    out.number = ++count;
    return out;
}

kernel_signature signature_of(const scan_finish& of) {
    kernel_signature out(std::begin(scan_signature), std::end(scan_signature));
    const kernel& all = of.steps->all;
    for (int i = 1; i < static_cast<int>(all.outputs.size()); ++i) out.push_back({role::output, i});
    for (int i = 0; i < static_cast<int>(of.besides.size()); ++i) {
        out.push_back({of.beside(static_cast<std::size_t>(i)).is_position ? role::position : role::input, i});
        for (const role stride : {role::scan_beside_outer, role::scan_beside_count, role::scan_beside_inner})
            out.push_back({stride, i});
    }
    for (int i = 0; i < static_cast<int>(all.scalars.size()); ++i) out.push_back({role::scalar, i});
    return out;
}

std::string name_of(const scan_finish& of) {
    std::string out = text::format("_then{}", of.steps->program.steps.size());
    for (const operand& each : of.steps->all.outputs) out += text::format("_{}", info(each.type).suffix);
    if (!of.besides.empty()) out += "_";
    for (std::size_t i = 0; i < of.besides.size(); ++i) out += "lns"[static_cast<int>(of.walk(i))];
    return out;
}

}  // namespace kiln::plan
