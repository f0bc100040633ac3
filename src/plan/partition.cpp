#include <plan/partition.hpp>

#include <lower/signs.hpp>
#include <plan/divisors.hpp>
#include <plan/element_mapping.hpp>
#include <plan/kernel_signature.hpp>
#include <plan/layout.hpp>
#include <plan/operands.hpp>
#include <plan/reduction_mapping.hpp>
#include <plan/repeated_conditions.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using lower::program;
using lower::value_id;

struct step_range {
    int first = 0;
    int last = 0;
    kernel_end why = kernel_end::complete;
};

/// What an operand takes of a kernel's parameters, in pointers' worth: its own, and its words in the layout.
int parameter_cost(const operand& of, int rank) {
    if (of.how == access::contiguous || kernel::is_known(of)) return 1;
    const auto words = [&](const linear_plan& form) { return 1 + rank + static_cast<int>(form.steps.size()); };
    int cost = 1 + words(of.address);
    for (const step_plan& step : of.steps) cost += 2 + words(step.input);
    return cost;
}

/// Counts the parameters that a growing range of steps needs.
class parameter_count {
public:
    parameter_count(const program& of, const std::vector<operand>& operands, int rank)
        : program_(of), seen_at_(static_cast<std::size_t>(of.first_step_value()) + of.steps.size(), -1) {
        for (std::size_t array = 0; array < of.arrays.size(); ++array)
            cost_.push_back(parameter_cost(operands[array], rank));
        output_cost_ = parameter_cost(operands[of.arrays.size()], rank);
        last_reader_.assign(of.steps.size(), -1);
        for (std::size_t step = 0; step < of.steps.size(); ++step)
            for (const value_id arg : of.steps[step].args)
                if (arg >= of.first_step_value()) last_reader_[at(arg)] = static_cast<int>(step);
        for (const value_id output : of.outputs)
            if (output >= of.first_step_value()) last_reader_[at(output)] = static_cast<int>(of.steps.size());
    }

    void restart(int first_step) { first_ = first_step, count_ = 1 + 2 * max_rank, stored_ = 0, scalars_ = 0; }

    /// Whether a step more is too much.
    bool pass(int step, const target& on) { return with(step) > on.max_parameters || scalars_ > on.max_scalars; }

    int with(int step) {
        count_stored(step);
        for (const value_id arg : program_.steps[static_cast<std::size_t>(step)].args) {
            if (arg < 0 || program_.is_constant(arg) || arg >= program_.step_value(first_)) continue;
            int& seen = seen_at_[static_cast<std::size_t>(arg)];
            if (seen == first_) continue;
            seen = first_;
            count_ += arg < static_cast<value_id>(cost_.size()) ? cost_[static_cast<std::size_t>(arg)] : 1;
            scalars_ += arg >= program_.scalar_value(0) && arg < program_.constant_value(0);
        }
        return count_ + stored_ + output_cost_;  // each step might have to be stored
    }

private:
    [[nodiscard]] std::size_t at(value_id step_value) const {
        return static_cast<std::size_t>(step_value - program_.first_step_value());
    }

    /// The values of the range so far that a later step reads.
    void count_stored(int step) {
        const auto& args = program_.steps[static_cast<std::size_t>(step)].args;
        for (auto arg = std::begin(args); arg != std::end(args); ++arg)
            if (*arg >= program_.step_value(first_) && last_reader_[at(*arg)] == step &&
                std::find(std::begin(args), arg, *arg) == arg)
                --stored_;
        stored_ += last_reader_[static_cast<std::size_t>(step)] > step;
    }

    const program& program_;
    std::vector<int> last_reader_;  // of each step's value, the last step that reads it; past them all: it is an output
    int stored_ = 0;
    int scalars_ = 0;
    std::vector<int> seen_at_;
    std::vector<int> cost_;  // of each array
    int output_cost_ = 1;
    int first_ = 0;
    int count_ = 1;
};

std::vector<step_range> cut(const program& of, parameter_count parameters, const target& on, bool fuse, bool reduces) {
    std::vector<step_range> ranges;
    const int count = static_cast<int>(of.steps.size());
    int first = 0;
    // Products that are not rounded are no operation of their own.
    const bool cuts = !fuse && !(reduces && of.stored.front().reduces == detail::reduction_kind::dot);
    parameters.restart(0);
    for (int step = 0; step < count; ++step) {
        const bool many_parameters = parameters.pass(step, on);
        if ((many_parameters || step - first >= max_steps) && step > first) {
            ranges.push_back({first, step, many_parameters ? kernel_end::parameters : kernel_end::steps});
            first = step;
            parameters.restart(step);
            parameters.with(step);
        }
        if (cuts && !of.steps[static_cast<std::size_t>(step)].conversion) {
            ranges.push_back({first, step + 1, kernel_end::unfused});
            first = step + 1;
            parameters.restart(first);
        }
    }
    // Unfused, a reduction has a kernel of its own, after the last step's.
    if (first < count || ranges.empty() || reduces) ranges.push_back({first, count});
    ranges.back().why = kernel_end::complete;
    return ranges;
}

/// For each value, the last range that reads it.
std::vector<int> last_readers(const program& of, const std::vector<step_range>& ranges, bool reduces) {
    std::vector<int> last(static_cast<std::size_t>(of.first_step_value()) + of.steps.size(), -1);
    for (std::size_t range = 0; range < ranges.size(); ++range)
        for (int step = ranges[range].first; step < ranges[range].last; ++step)
            for (const value_id arg : of.steps[static_cast<std::size_t>(step)].args)
                if (arg >= 0) last[static_cast<std::size_t>(arg)] = static_cast<int>(range);
    if (reduces)
        for (const value_id output : of.outputs)
            last[static_cast<std::size_t>(output)] = static_cast<int>(ranges.size()) - 1;
    return last;
}

std::vector<operand> operands_for(const call_class& call, const target& on) {
    std::vector<operand> out = operands_of(call);
    if (!on.known_shifts)
        for (operand& each : out) each.stencil = 0;
    return out;
}

class partitioner {
public:
    partitioner(program program, const call_class& call, const target& on)
        : call_(call), iteration_(call.iteration()), operands_(operands_for(call, on)), on_(on) {
        result_.program = std::move(program);
        result_.program.portable = call.wanted().portable && on.kind == frame::cuda;
        result_.program.any_order = call.wanted().fast_math && on.kind == frame::cuda;
        ranges_ = cut(code(), parameter_count(code(), operands_, iteration_.rank), on, call.wanted().fuse,
                      iteration_.reduces);
        if (call.wanted().fuse) repeat_in_each();
        last_reader_ = last_readers(code(), ranges_, iteration_.reduces);
        memory_of_.assign(last_reader_.size(), -1);
        for (std::size_t array = 0; array < code().arrays.size(); ++array) memory_of_[array] = static_cast<int>(array);
    }

    schedule run() {
        for (std::size_t range = 0; range < ranges_.size(); ++range) add_kernel(static_cast<int>(range));
        return std::move(result_);
    }

private:
    const program& code() const { return result_.program; }
    int array_count() const { return static_cast<int>(code().arrays.size()); }
    int output_count() const { return static_cast<int>(code().outputs.size()); }

    void repeat_in_each() {
        std::vector<int> ends;
        for (const step_range& each : ranges_) ends.push_back(each.last);
        repeat_conditions(result_.program, ends);
        for (std::size_t i = 0; i < ranges_.size(); ++i) {
            ranges_[i].first = i ? ends[i - 1] : 0;
            ranges_[i].last = ends[i];
        }
    }

    void add_kernel(int range) {
        kernel made;
        made.first_step = ranges_[static_cast<std::size_t>(range)].first;
        made.last_step = ranges_[static_cast<std::size_t>(range)].last;
        made.why = ranges_[static_cast<std::size_t>(range)].why;
        made.aliased = call_.aliased();
        for (int step = made.first_step; step < made.last_step; ++step)
            for (const value_id arg : code().steps[static_cast<std::size_t>(step)].args) add_input(made, arg);
        if (iteration_.reduces && range + 1 == static_cast<int>(ranges_.size())) {
            add_reductions(made);
        } else {
            add_outputs(made, range);
        }
        // All of such a kernel's steps are one function.
        if (on_.kind == frame::cuda && !made.reduces() && !iteration_.persistent_rows)
            made.divisors = divisors_of(code(), made);
        map(made);
        made.goes_both_ways = goes_both_ways(made);
        made.signature = signature_of(code(), made);
        result_.kernels.push_back(std::move(made));
    }

    /// Blocks of clusters are numbered by themselves. A stencil of many shifts waits for its first cache (the mean of 7 x 7 by shifts of 67M floats
    /// takes an H200 285 us, 312 to and fro), and what reads no array finds nothing.
    [[nodiscard]] bool goes_both_ways(const kernel& of) const {
        constexpr std::size_t many_shifts = 16;
        if (on_.kind != frame::cuda || of.panel.blocks > 1 || (of.is_stencil && of.inputs.size() > many_shifts))
            return false;
        return std::any_of(of.inputs.begin(), of.inputs.end(),
                           [](const operand& each) { return !each.is_position && each.how != access::uniform; });
    }

    void add_input(kernel& into, value_id value) {
        if (value < 0 || value >= code().step_value(into.first_step) || code().is_constant(value)) return;
        if (value >= array_count() && value < code().first_step_value()) {
            if (std::find(into.scalars.begin(), into.scalars.end(), value) == into.scalars.end())
                into.scalars.push_back(value);
        } else {
            for (const operand& known : into.inputs)
                if (known.value == value) return;
            into.inputs.push_back(operand_at(value, memory_of_[static_cast<std::size_t>(value)]));
        }
    }

    operand operand_at(value_id value, int memory) const {
        const bool temporary = memory >= array_count() + output_count();
        operand out = temporary ? operand{} : operands_[static_cast<std::size_t>(memory)];
        out.value = value;
        out.memory = memory;
        out.type = code().type_of(value);
        if (memory < array_count()) out.is_position = code().is_position[static_cast<std::size_t>(memory)];
        return out;
    }

    void add_reductions(kernel& into) {
        for (int i = 0; i < output_count(); ++i) {
            const value_id value = code().outputs[static_cast<std::size_t>(i)];
            const detail::graph::output& stored = code().stored[static_cast<std::size_t>(i)];
            if (value < code().step_value(into.first_step) || code().is_constant(value)) add_input(into, value);
            operand made = on_.kind == frame::cuda ? operands_[static_cast<std::size_t>(array_count() + i)] : operand{};
            made.value = value;
            made.memory = array_count() + i;
            made.type = on_.kind == frame::cuda ? stored.result : stored.as;
            into.outputs.push_back(std::move(made));
            into.reduced.push_back({stored.reduces, stored.as, stored.result,
                                    iteration_.persistent_rows && call_.is_of_row(i), stored.definition});
            reduced_output& reduced = into.reduced.back();
            reduced.of_unsigned_zeros = reduced.finds_position() && lower::is_never_negative_zero(code(), value);
        }
        into.reduced_axes = iteration_.reduced_axes;
        if (!iteration_.nested) return;
        into.crossed = !(into.reduced_axes >> (iteration_.rank - 1) & 1);
        if (into.crossed) return;
        into.nested_extent = iteration_.division.known_row;
        into.reduced_axes = static_cast<std::uint8_t>(into.reduced_axes & ~(1 << (iteration_.rank - 1)));
    }

    void add_outputs(kernel& into, int range) {
        const value_id first = code().step_value(into.first_step);
        const value_id last = code().step_value(into.last_step);
        const bool is_last_kernel = range + 1 == static_cast<int>(ranges_.size());
        for (int i = 0; i < output_count(); ++i) {
            const value_id value = code().outputs[static_cast<std::size_t>(i)];
            if (iteration_.reduces) continue;  // the last kernel's
            const bool is_leaf = value < code().first_step_value();
            if (is_leaf ? !is_last_kernel : value < first || value >= last) continue;
            if (is_leaf) add_input(into, value);
            into.outputs.push_back(operand_at(value, array_count() + i));
            if (!is_leaf) memory_of_[static_cast<std::size_t>(value)] = array_count() + i;
        }
        for (value_id value = first; value < last; ++value) {
            int& memory = memory_of_[static_cast<std::size_t>(value)];
            if (memory >= 0 || last_reader_[static_cast<std::size_t>(value)] <= range) continue;
            memory = array_count() + output_count() + static_cast<int>(result_.temporaries.size());
            result_.temporaries.push_back(code().type_of(value));
            into.outputs.push_back(operand_at(value, memory));
        }
    }

    void map(kernel& into) const {
        into.wide_index = call_.wide_index();
        into.threads_per_block = on_.threads_per_block;
        into.persistent_rows = iteration_.persistent_rows;
        into.rank = all_contiguous(into) && !into.persistent_rows && !into.crossed ? 1 : iteration_.rank;
        if (into.reduces() && on_.kind == frame::cuda) map_reduction(into, code(), call_, iteration_, on_);
        else map_elements(into, code(), call_, iteration_, on_);
        assign_words(into);
    }

    const call_class& call_;
    const iteration_class iteration_;
    const std::vector<operand> operands_;  // of the call's memories
    const target& on_;
    std::vector<step_range> ranges_;
    std::vector<int> last_reader_;
    std::vector<int> memory_of_;  // of each value; -1: in no memory
    schedule result_;
};

}  // namespace

schedule partition(lower::program program, const call_class& call, const target& on) {
    return partitioner(std::move(program), call, on).run();
}

}  // namespace kiln::plan
