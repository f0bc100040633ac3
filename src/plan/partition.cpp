#include <plan/partition.hpp>

#include <plan/column_panels.hpp>
#include <plan/contraction.hpp>
#include <plan/interleaved.hpp>
#include <plan/kernel_signature.hpp>
#include <plan/layout.hpp>
#include <plan/operands.hpp>
#include <plan/reduction.hpp>
#include <plan/repeated_conditions.hpp>
#include <plan/row_slots.hpp>
#include <plan/row_window.hpp>
#include <plan/shared_rows.hpp>
#include <plan/tensor_contraction.hpp>
#include <plan/window.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

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
    if (of.how == access::contiguous) return 1;
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

class partitioner {
public:
    partitioner(program program, const call_class& call, const target& on)
        : call_(call), iteration_(call.iteration()), operands_(operands_of(call)), on_(on) {
        result_.program = std::move(program);
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
        choose_width(made);
        made.signature = signature_of(code(), made);
        result_.kernels.push_back(std::move(made));
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
        }
        into.reduced_axes = iteration_.reduced_axes;
        if (!iteration_.nested) return;
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

    // 16 bytes of the widest type per thread, but at least 4 elements where a narrow type takes part: its warps then
    // still cover whole 32-byte sectors. Misalignment narrows it.
    void choose_width(kernel& into) const {
        int widest = 1;
        int narrowest = max_element_bytes;
        const auto look = [&](const operand& each) {
            widest = std::max(widest, bytes_of(each.type));
            narrowest = std::min(narrowest, bytes_of(each.type));
        };
        for (const operand& each : into.outputs) look(each);
        for (const operand& each : into.inputs)
            if (!each.is_position) look(each);

        into.wide_index = call_.wide_index();
        into.threads_per_block = on_.threads_per_block;
        into.persistent_rows = iteration_.persistent_rows;
        into.rank = all_contiguous(into) && !into.persistent_rows ? 1 : iteration_.rank;
        if (into.reduces() && on_.kind == frame::cuda) {
            map_reduction(into);
            if (into.persistent_rows && into.vector_width > 1) choose_slots(into, code(), on_);
        } else if (on_.vector_bytes > 0) choose_threads(into, widest, narrowest);
        else if (!into.persistent_rows && (into.reduces() || !choose_tile(into))) choose_short_rows(into);
        assign_words(into);
    }

    /// An output of elements; or a sum whose parts are of its own type, so that nothing but adding is left to be done.
    static bool needs_no_finish(const reduced_output& of) {
        if (of.what == detail::reduction_kind::none) return !of.of_row;
        const bool adds = of.what == detail::reduction_kind::sum || of.what == detail::reduction_kind::dot;
        return adds && of.accumulated == of.result;
    }

    /// Neighbours that a thread takes move in vectors where they are neighbours in memory: of a row its next elements, of
    /// columns the next ones.
    void map_reduction(kernel& into) const {
        const reduction_class& division = iteration_.division;
        into.mapping = thread_mapping::reduction;
        into.rank = iteration_.rank;
        into.threads_per_output = division.threads_per_output;
        into.threads_per_block = division.threads_per_output * division.outputs_per_block;
        into.vector_width = division.vector_width;
        into.items_per_thread = division.items_per_thread;
        into.loads_in_flight = division.loads_in_flight;
        into.splits = division.splits;
        into.ends_in_partial_sums = on_.reduces && division.ends_in_partial_sums &&
                                    std::all_of(into.reduced.begin(), into.reduced.end(), needs_no_finish);
        into.elements_per_thread = division.vector_width;
        if (into.nested_extent > 0) {
            map_nested(into);
            return;
        }
        if (choose_tensor_contraction(into, code(), iteration_, on_)) return;
        if (into.persistent_rows && division.vector_width == 1) return choose_panel(into);
        if (choose_contraction(into, code(), iteration_, on_)) return;
        choose_shared_rows(into, iteration_);
        if (choose_interleaved(into, code(), iteration_, call_.alignment())) return;
        const bool inner_goes = into.reduced_axes >> (iteration_.rank - 1) & 1;
        // A single row may end between vectors.
        if (into.persistent_rows && iteration_.rank == 1) return;
        if (inner_goes != (division.vector_width > 1) || into.gathers() ||
            iteration_.row_multiple % reduction_sizes::widest != 0)
            return;
        int widest = 0;
        for (const operand& each : into.inputs) {
            if (each.how == access::strided) return;
            if (!each.is_position && each.how != access::uniform) widest = std::max(widest, bytes_of(each.type));
        }
        // Positions alone are worth it to random numbers, of which neighbours share a block.
        if (widest == 0 && into.persistent_rows && !into.inputs.empty()) widest = on_.vector_bytes;
        if (widest == 0 || call_.alignment() < std::min(widest * reduction_sizes::widest, on_.vector_bytes)) return;
        into.vectorised = true;
        into.elements_per_thread = reduction_sizes::widest;
    }

    /// What all threads read at the same time serves two outer rows of each. The rows that are reduced first move in vectors
    /// where they are whole ones.
    void map_nested(kernel& into) const {
        into.rows_per_thread = 2;
        int widest = 0;
        for (const operand& each : into.inputs)
            if (!each.is_position && (each.how == access::contiguous || each.how == access::row))
                widest = std::max(widest, bytes_of(each.type));
        into.vectorised = widest > 0 && iteration_.row_multiple % reduction_sizes::widest == 0 &&
                          call_.alignment() >= std::min(widest * reduction_sizes::widest, on_.vector_bytes);
    }

    /// Whether a thread can have neighbouring columns of all that is kept, and the threads of a column are of one warp.
    bool columns_move_in_vectors(const kernel& of) const {
        const reduction_class& division = iteration_.division;
        const int threads = division.threads_per_output;
        if (division.cluster > 1 || !on_.async_copies || of.gathers() ||
            iteration_.row_multiple % reduction_sizes::widest != 0 || threads > warp ||
            division.outputs_per_block % reduction_sizes::widest != 0 ||
            threads * division.outputs_per_block % warp != 0)
            return false;
        int widest = widest_of(of.outputs);
        for (const operand& each : of.inputs) {
            if (each.how == access::strided && !is_read_in_place(each, of.rank)) return false;
            if (!each.is_position && each.how != access::uniform) widest = std::max(widest, bytes_of(each.type));
        }
        return call_.alignment() >= std::min(widest * reduction_sizes::widest, on_.vector_bytes);
    }

    /// That there is room for it, row_limits.cpp has seen before these reductions became one kernel.
    void choose_panel(kernel& into) const {
        std::vector<bool> read_in_place(code().arrays.size());
        for (const operand& each : into.inputs)
            read_in_place[static_cast<std::size_t>(each.value)] = is_read_in_place(each, into.rank);
        std::optional<panel_plan> made;
        if (columns_move_in_vectors(into))
            made = panel_of(code(), read_in_place, iteration_.division, on_, reduction_sizes::widest);
        into.vectorised = made.has_value();
        if (!made) made = panel_of(code(), read_in_place, iteration_.division, on_);
        if (!made) throw std::logic_error("kiln: columns that do not fit on chip");
        into.panel = made->panel;
        into.elements_per_thread = made->panel.width;
        into.threads_per_block = made->columns * into.threads_per_output;
        into.dynamic_shared_bytes = made->dynamic_shared_bytes;
    }

    /// Neighbours of an element: each thread reads the vectors that they lie in, once.
    bool choose_window(kernel& into, int widest, int narrowest) const {
        const window of = window_of(call_);
        const int width = on_.vector_bytes / widest;
        if (of.from.empty() || widest != narrowest || into.aliased) return false;
        const auto from = [&of](const operand& each) {
            const auto memory = static_cast<std::size_t>(each.memory);
            return memory < of.from.size() ? of.from[memory] : -1;
        };
        int first = std::numeric_limits<int>::max();
        int last = -1;
        int views = 0;
        for (const operand& each : into.inputs) {
            if (each.is_position || each.is_partial || each.gathered || each.how != access::contiguous) return false;
            if (from(each) < 0) continue;
            first = std::min(first, from(each));
            last = std::max(last, from(each));
            ++views;
        }
        if (!pays_in_vectors(width, last - first, views)) return false;
        for (operand& each : into.inputs)
            if (from(each) >= 0) each.in_window = static_cast<std::int8_t>(from(each) - first);
        into.window_first = (of.first + first) % width;
        into.vectorised = true;
        into.elements_per_thread = width;
        return true;
    }

    void choose_threads(kernel& into, int widest, int narrowest) const {
        if (choose_window(into, widest, narrowest)) return;
        const bool needs_layout = !all_contiguous(into);
        // A store in several accesses fills sectors by halves; a load finds the other half in the first cache.
        int elements = std::min(std::max(on_.vector_bytes / widest, std::min(4, on_.vector_bytes / narrowest)),
                                on_.vector_bytes / widest_of(into.outputs));
        // The body stands in the kernel once per element: long ones get fewer, or they take long to compile.
        const int steps = into.last_step - into.first_step;
        while (elements > 4 && steps * elements > most_unrolled_steps) elements /= 2;
        if (moves_in_vectors(into)) {
            if (call_.alignment() < on_.vector_bytes)
                elements = std::min(elements, std::max(1, call_.alignment() / widest));
            if (needs_layout) elements = std::min(elements, iteration_.row_multiple);
            // One element of 16 bytes is a vector too.
            into.vectorised = elements > 1 || (widest == on_.vector_bytes && call_.alignment() >= widest);
            if (into.vectorised) into.elements_per_thread = elements;
            // Where bytes become floats, blocks of half as many threads take 0.5 % less on an H200.
            const int loaded = widest_of(into.inputs);
            if (into.vectorised && loaded > 0 && 4 * loaded <= widest_of(into.outputs))
                into.threads_per_block = on_.threads_per_block / 2;
        }
        if (into.vectorised) {
            choose_rows(into);
            return forget_row_groups(into);
        }
        // Neighbouring threads on neighbouring elements, several rounds of them: as many bytes on their way as vectors have.
        into.elements_per_thread = std::clamp(on_.vector_bytes / widest, 1, 4);
        if (!needs_layout || choose_tile(into) || !iteration_.long_rows) return forget_row_groups(into);
        into.mapping = thread_mapping::rows;
        into.elements_per_thread *= 2;
        choose_row_groups(into);
    }

    /// Whether short rows are taken many at a time. Outputs stay where they are, and bodies that say where to read need
    /// positions.
    bool gains_from_staging(const kernel& of) const {
        constexpr int most_staged_bytes = 64;  // of each element: buffers of two thousand are in the caches
        if (!iteration_.short_rows || of.rank == 1 || of.gathers()) return false;
        for (const operand& each : of.outputs)
            if (each.how != access::contiguous) return false;
        int bytes = 0;
        for (const operand& each : of.inputs) bytes += each.how == access::contiguous ? 0 : bytes_of(each.type);
        return bytes <= most_staged_bytes;
    }

    void choose_short_rows(kernel& into) const {
        constexpr int most_steps = 64;  // the body stands in the kernel once more: long ones take long to compile
        into.short_rows = gains_from_staging(into);
        if (into.last_step - into.first_step > most_steps) return;
        for (const operand& each : into.inputs)
            if (into.spread(each)) into.row_extent = iteration_.known_row;
    }

    /// What the rows around a row read, too, is loaded once, or comes from the first cache, if the same thread does them:
    /// two where rows share an operand, four where they read their neighbours'. More take longer on an H200.
    static void choose_rows(kernel& into) {
        int most = 1;
        for (const operand& each : into.inputs)
            if (into.rank > 1 && each.how != access::contiguous) {
                const bool is_shared = !(each.address.axes >> (into.rank - 2) & 1);
                most = std::max(most, !each.steps.empty() ? 4 : is_shared ? 2 : 1);
            }
        const int steps = (into.last_step - into.first_step) * into.elements_per_thread;
        while (into.rows_per_thread < most && 2 * into.rows_per_thread * steps <= most_unrolled_steps)
            into.rows_per_thread *= 2;
        if (into.rows_per_thread > 1) into.mapping = thread_mapping::rows;
    }

    /// In bytes; 0 of none.
    static int widest_of(const std::vector<operand>& operands) {
        int widest = 0;
        for (const operand& each : operands)
            if (!each.is_position) widest = std::max(widest, bytes_of(each.type));
        return widest;
    }

    /// Operands whose neighbours are along another axis than the rows' move through a square: on CUDA in shared memory, with
    /// a column more than needed against bank conflicts, on the host in the first cache.
    bool choose_tile(kernel& into) const {
        int bytes = 0;
        for (const operand& each : into.inputs) {
            if (each.unit_axis < 0 || each.is_position) continue;
            if (into.tile_axis < 0) into.tile_axis = each.unit_axis;
            if (into.tile_axis == each.unit_axis) bytes += bytes_of(each.type);
        }
        if (into.tile_axis < 0) return false;
        const bool on_cuda = on_.kind == frame::cuda;
        for (int side = 64; side >= (on_cuda ? 32 : 16); side /= 2) {
            if (bytes * side * (side + on_cuda) > on_.shared_bytes) continue;
            into.mapping = thread_mapping::tiles;
            into.tile_side = side;
            if (on_cuda) into.elements_per_thread = side * side / into.threads_per_block;
            return true;
        }
        into.tile_axis = -1;
        return false;
    }

    static bool all_contiguous(const kernel& of) {
        for (const auto* operands : {&of.outputs, &of.inputs})
            for (const operand& each : *operands)
                if (each.how != access::contiguous) return false;
        return true;
    }

    /// Whether each operand's elements of one thread are neighbours in memory, or one element. Some may be read lane by
    /// lane beside as many that do move in vectors: a stencil's left and right.
    static bool moves_in_vectors(const kernel& of) {
        for (const operand& each : of.outputs)
            if (each.guarded_axes || (each.how != access::contiguous && each.how != access::row)) return false;
        int vectors = 0;
        int by_lane = 0;
        for (const operand& each : of.inputs) {
            if (each.how == access::contiguous || each.how == access::row) vectors += !each.is_position;
            if (each.how != access::strided || (each.is_position && each.steps.empty())) continue;
            if (each.steps.empty() || each.unit_axis >= 0) return false;
            by_lane += !each.is_position;
        }
        return !of.gathers() && (by_lane == 0 || (of.rank > 1 && by_lane <= vectors));
    }

    static constexpr int max_element_bytes = 16;
    static constexpr int most_unrolled_steps = 128;

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
