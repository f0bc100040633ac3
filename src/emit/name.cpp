// Names that a profiler's user can read, and expressions as people write them.
#include <emit/body.hpp>

#include <capture/function_table.hpp>
#include <capture/reduction_table.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace kiln::emit {

namespace {

constexpr std::size_t longest_name_part = 40;
constexpr std::size_t longest_expression = 120;

std::string name_of(const lower::step& step) {
    if (step.code == operation::call) return detail::function_at(step.function).name;
    if (step.code == operation::reduce) return std::string(step.scans ? "cum" : "") + detail::info(step.reduces).name;
    return detail::operations[static_cast<int>(step.code)].name;
}

const char* reduction_name(const plan::reduced_output& of) { return detail::name_of(of.what, of.definition); }

/// "add4", "mul_add": operations in order of first appearance, counted; conversions are not worth a word.
std::string operation_summary(const lower::program& program, const plan::kernel& kernel) {
    std::vector<std::pair<std::string, int>> counts;
    for (int step = kernel.first_step; step < kernel.last_step; ++step) {
        const lower::step& each = program.steps[static_cast<std::size_t>(step)];
        if (each.conversion) continue;
        const std::string name = name_of(each);
        bool known = false;
        for (auto& [word, count] : counts)
            if (word == name) ++count, known = true;
        if (!known) counts.emplace_back(name, 1);
    }
    std::string out;
    for (const auto& [name, count] : counts) {
        const std::string word = count == 1 ? name : text::format("{}{}", name, count);
        if (out.size() + word.size() > longest_name_part) return out + "_etc";
        out += out.empty() ? word : "_" + word;
    }
    std::string reduced;
    for (const plan::reduced_output& each : kernel.reduced)
        if (each.what != detail::reduction_kind::none)
            reduced += text::format("{}{}", reduced.empty() ? "" : "_", reduction_name(each));
    if (!reduced.empty()) return out.empty() ? reduced : reduced + "_of_" + out;
    if (!out.empty()) return out;
    if (kernel.inputs.empty()) return "fill";
    return kernel.inputs.front().is_position ? "index" : "copy";
}

const char* symbol_of(operation code) {
    static constexpr const char* symbols[] = {
#define KILN_OPERATOR(name, symbol, arity, rule, complex_, floating, integer, logical) #symbol,
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) nullptr,
#include <kiln/operation_table.def>
        nullptr,  // cast
        nullptr,  // call
        nullptr,  // take
        nullptr,  // reduce
    };
    if (code == operation::scale) code = operation::mul;
    if (code == operation::scale_down) code = operation::div;
    return symbols[static_cast<int>(code)];
}

class infix_writer {
public:
    infix_writer(const lower::program& program, const plan::kernel& kernel)
        : program_(program), names_(program, kernel), first_step_(kernel.first_step) {}

    // Recursion ends with the budget, however deep the graph is.
    std::string write(lower::value_id value) {
        const lower::step* step = step_of(value);
        if (!step) return spend(names_(value));
        if (budget_ == 0) return "...";
        if (const char* symbol = symbol_of(step->code)) {
            spend(" + ");
            if (step->arity == 1) return symbol + operand(*step, 0);
            const std::string left = operand(*step, 0);
            return text::format("{} {} {}", left, symbol, operand(*step, 1));
        }
        std::string out = spend(step->code == operation::cast ? info(step->result).name : name_of(*step));
        out += "(";
        for (int i = 0; i < step->arity; ++i) out += (i ? ", " : "") + write(step->args[i]);
        return out + ")";
    }

private:
    const lower::step* step_of(lower::value_id value) const {
        const int step = value - program_.first_step_value();
        return step < first_step_ ? nullptr : &program_.steps[static_cast<std::size_t>(step)];
    }

    std::string spend(std::string text) {
        budget_ -= std::min(budget_, text.size());
        return text;
    }

    // x + x + x needs no parentheses on its left; any other operator inside an operator gets them.
    std::string operand(const lower::step& of, int i) {
        const lower::step* inner = step_of(of.args[i]);
        const bool chain = inner && i == 0 && inner->code == of.code && of.code == operation::add;
        const std::string text = write(of.args[i]);
        return inner && symbol_of(inner->code) && !chain && text != "..." ? "(" + text + ")" : text;
    }

    const lower::program& program_;
    const value_names names_;
    const int first_step_;
    std::size_t budget_ = longest_expression;
};

// FNV-1a, 64 bits: the same in every process. Nothing is trusted because of it. Values by the names that they have in the kernel: of
// a long chain many kernels are the same, and one compile serves them.
std::uint64_t hash_of_steps(const lower::program& program, const plan::kernel& kernel) {
    const value_names names(program, kernel);
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto take = [&hash](std::uint64_t number) { hash = (hash ^ number) * 0x100000001b3u; };
    for (int i = kernel.first_step; i < kernel.last_step; ++i) {
        const lower::step& each = program.steps[static_cast<std::size_t>(i)];
        take(static_cast<std::uint64_t>(each.code));
        take(static_cast<std::uint64_t>(each.result));
        for (int k = 0; k < each.arity; ++k)
            for (const char one : names(each.args[k])) take(static_cast<unsigned char>(one));
    }
    return hash;
}

}  // namespace

std::string typed_expression_text(const lower::program& program, const plan::kernel& kernel) {
    std::string out = expression_text(program, kernel) + ":";
    for (const plan::operand& each : kernel.inputs) out += text::format(" {}", info(each.type).name);
    for (const lower::value_id each : kernel.scalars)
        out +=
            text::format(" {}", info(program.scalars[static_cast<std::size_t>(each - program.scalar_value(0))]).name);
    out += " ->";
    for (const plan::operand& each : kernel.outputs) out += text::format(" {}", info(each.type).name);
    // What the text leaves out tells expressions apart all the same.
    if (out.find("...") != std::string::npos) out += text::format(" #{:016x}", hash_of_steps(program, kernel));
    return out;
}

std::string kernel_name(const lower::program& program, const plan::kernel& kernel) {
    std::string out =
        text::format("kiln_{}_{}", operation_summary(program, kernel), info(kernel.outputs.front().type).suffix);
    if (kernel.vectorised) out += text::format("_v{}", kernel.elements_per_thread);
    if (kernel.skewed && !kernel.reduces()) out += text::format("_skewed{}", kernel.elements_per_thread);
    if (kernel.free_rows) out += text::format("_free{}", kernel.threads_per_output);
    if (kernel.turns > 1) out += text::format("_turns{}", kernel.turns);
    if (kernel.has_window()) out += "_window";
    if (kernel.is_stencil) out += "_stencil";
    if (kernel.has_row_tables) out += "_tables";
    if (kernel.has_layout()) out += text::format("_axes{}", kernel.rank);
    if (kernel.mapping == plan::thread_mapping::rows) out += "_rows";
    if (kernel.persistent_rows) out += "_persistent";
    if (kernel.side_by_side) out += kernel.in_tiles ? "_tiles" : "_side_by_side";
    if (kernel.rows_in_lanes) out += "_rows_in_lanes";
    if (kernel.parts_in_lanes) out += "_parts_in_lanes";
    if (kernel.panel.items) out += text::format("_columns{}", kernel.panel.items + kernel.panel.slots);
    if (kernel.panel.blocks > 1) out += text::format("_cluster{}", kernel.panel.blocks);
    if (kernel.panel.splits_of_block > 1) out += text::format("x{}", kernel.panel.splits_of_block);
    if (kernel.panel.blocks_of_split > 1) out += text::format("_lanes{}", kernel.panel.blocks_of_split);
    if (kernel.vector_width > 1 && kernel.persistent_rows)
        out += text::format("{}", kernel.items_per_thread * kernel.vector_width);
    if (kernel.mapping == plan::thread_mapping::tiles) out += text::format("_tile{}", kernel.tile_side);
    if (kernel.mapping == plan::thread_mapping::contraction)
        out += text::format("_contraction{}x{}", kernel.contraction.rows, kernel.contraction.columns);
    if (kernel.contraction.mirrored) out += "_mirrored";
    if (kernel.reduces() && kernel.rows_per_thread > 1) out += text::format("_values{}", kernel.rows_per_thread);
    if (kernel.values_in_lanes) out += kernel.tiles_of_lanes ? "_lane_tiles" : "_lanes";
    if (kernel.nested_extent > 0) out += text::format("_nested{}", kernel.nested_extent);
    if (kernel.crossed) out += "_crossed";
    if (kernel.ends_in_partial_sums) out += "_partial_sums";
    if (kernel.aliased) out += "_inplace";
    if (kernel.wide_index) out += "_wide";
    return out;
}

namespace {

/// With the type that results are rounded to, where it is another: on the host the source does not have it, and kernels of equal sources
/// are one.
std::string reduced_text(const plan::reduced_output& of, const std::string& elements) {
    const std::string out = text::format("{}({})", reduction_name(of), elements);
    return of.finds_position() || of.result == of.accumulated ? out : text::format("{}({})", info(of.result).name, out);
}

}  // namespace

std::string expression_text(const lower::program& program, const plan::kernel& kernel) {
    std::string out;
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
        if (i > 0) out += ", ";
        const std::string elements = infix_writer(program, kernel).write(kernel.outputs[i].value);
        const bool becomes_fewer = kernel.reduces() && kernel.reduced[i].what != detail::reduction_kind::none;
        out += becomes_fewer ? reduced_text(kernel.reduced[i], elements) : elements;
    }
    return out;
}

}  // namespace kiln::emit
