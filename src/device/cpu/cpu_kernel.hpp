// kiln/device/cpu/cpu_kernel: what compiled and interpreted kernels have in common on the CPU.
// knows nothing of: threads, programs' steps
#pragma once

#include <device/cpu/host_reducer.hpp>
#include <device/cpu/streaming_store.hpp>
#include <device/device.hpp>
#include <plan/byte_tables.hpp>
#include <plan/ceil_div.hpp>
#include <plan/side_by_side.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kiln::backend {

class cpu_kernel : public loaded_kernel {
public:
    /// `grain`: the least count of elements that is worth a thread.
    cpu_kernel(const lower::program& program, const plan::kernel& kernel, std::int64_t grain)
        : loaded_kernel(kernel.signature),
          grain_(grain),
          reduces_by_itself_(kernel.reduces_by_itself()),
          adds_up_(kernel.parts_in_lanes),
          reduced_(kernel.reduced) {
        // Views are mostly several of one array, which is read once; shifted ones, and others that have to look where
        // their elements are, of one that stands beside them as it is.
        int views = 0;
        int shifted = 0;
        const int all_axes = (1 << kernel.rank) - 1;
        for (const plan::operand& each : kernel.inputs) {
            if (each.is_position || (each.axes_read() & all_axes) != all_axes) continue;  // few, read again and again
            if (each.how == plan::access::contiguous) bytes_per_element_ += bytes_of(each.type);
            else if (each.steps.empty()) views = std::max(views, bytes_of(each.type));
            else shifted = std::max(shifted, bytes_of(each.type));
        }
        bytes_per_element_ = std::max<std::int64_t>(bytes_per_element_ + views, shifted);
        for (const plan::operand& each : kernel.outputs) bytes_per_element_ += bytes_of(each.type);
        // An output in an input's place has been read into the cache before it is stored: there is nothing to save.
        may_stream_ = !kernel.aliased && streaming_store() != nullptr;
        if (kernel.reduces() && !kernel.reduces_by_itself()) {
            find_arrays(kernel);
            for (std::size_t i = 0; i < kernel.inputs.size(); ++i)
                if (is_in_order(kernel.inputs[i]))
                    in_order_.push_back({static_cast<int>(i), bytes_of(kernel.inputs[i].type)});
        }
        // Kernels that know their rows are fastest from a row's first element on.
        if (kernel.row_extent > 0) multiple_ *= kernel.row_extent;
        if (plan::gains_from_large_table(program, kernel)) result_bytes_ = bytes_of(kernel.outputs.front().type);
        // Columns that are neighbours are taken together.
        if (kernel.has_persistent_columns()) rows_multiple_ = 64;
        if (kernel.in_tiles) values_of_tile_ = plan::rows_of_tile(kernel) * plan::columns_of_tile;
    }

    /// While it lives, the code stays where it is; where it was unloaded it is loaded again first, which may throw
    /// load_postponed or compile_error.
    class use {
    public:
        explicit use(const cpu_kernel& of) : of_(of) { of_.begin_use(); }
        ~use() { of_.end_use(); }
        use(const use&) = delete;
        use& operator=(const use&) = delete;

    private:
        const cpu_kernel& of_;
    };

    /// Computes elements [begin, end), or tiles, or rows. Called by several threads at once, on ranges apart.
    virtual void run(void* const* parameters, std::int64_t begin, std::int64_t end, stores how) const = 0;

    /// What threads divide among them: elements, 64 or as many short rows at a time, unless a kernel takes tiles or keeps
    /// rows.
    struct division {
        std::int64_t count;
        std::int64_t grain;
        std::int64_t multiple;
    };
    [[nodiscard]] division divided(const launch_arguments& by) const noexcept {
        const auto whole = [this](std::int64_t count, std::int64_t elements, std::int64_t multiple = 1) {
            return division{count, plan::ceil_div(grain_, elements), multiple};
        };
        if (reduces_by_itself_) {
            const std::int64_t row = elements_of_row(*by.reduced);
            if (values_of_tile_ > 0) return whole(by.block_count, values_of_tile_ * row);
            return whole(by.element_count / row, row, rows_multiple_);
        }
        return tile_elements_ == 0 ? division{by.element_count, grain_, multiple_}
                                   : whole(by.block_count, tile_elements_);
    }
    [[nodiscard]] bool may_stream() const noexcept { return may_stream_; }
    /// Bytes that a launch reads and writes.
    [[nodiscard]] std::int64_t bytes_touched(std::int64_t element_count) const noexcept {
        return element_count * bytes_per_element_;
    }

    /// Whether so many elements are looked up among all that their 16 bits can give (result_table.hpp).
    [[nodiscard]] bool looks_up(std::int64_t element_count) const noexcept {
        return result_bytes_ > 0 && element_count >= least_looked_up;
    }
    /// Of kernels that may look up: bytes of a result.
    [[nodiscard]] int result_bytes() const noexcept { return result_bytes_; }

    [[nodiscard]] bool reduces_by_itself() const noexcept { return reduces_by_itself_; }
    /// Whether a range's elements are put to accumulators, which are the outputs: those of one part, from a piece's first on.
    [[nodiscard]] bool adds_up() const noexcept { return adds_up_; }
    /// Of each output; empty: they are stored as they are.
    [[nodiscard]] const std::vector<plan::reduced_output>& reduced() const noexcept { return reduced_; }
    /// Which parameter an output's address is.
    [[nodiscard]] std::size_t output_parameter(std::size_t output) const noexcept {
        return static_cast<std::size_t>(
            plan::find_parameter(parameters(), plan::role::output, static_cast<int>(output)));
    }
    /// Whether what is reduced are arrays as they are, which are read where they are: a sum of 8M floats that are copied to the first
    /// cache on their way takes one core of an EPYC 1.8 ms, and 1.35 so.
    [[nodiscard]] bool reduces_arrays() const noexcept { return !arrays_.empty(); }
    /// Then: which parameter an output's array is.
    [[nodiscard]] std::size_t array_parameter(std::size_t output) const noexcept {
        return static_cast<std::size_t>(plan::find_parameter(parameters(), plan::role::input, arrays_[output]));
    }
    /// An array whose elements are read one after the other: which of the parameters it is.
    struct array_in_order {
        std::size_t parameter;
        int bytes;  // of an element
    };
    /// Of a kernel whose results are reduced.
    [[nodiscard]] std::vector<array_in_order> arrays_in_order() const {
        std::vector<array_in_order> out;
        for (const auto& [input, bytes] : in_order_)
            out.push_back(
                {static_cast<std::size_t>(plan::find_parameter(parameters(), plan::role::input, input)), bytes});
        return out;
    }
    /// How those of an output become one.
    [[nodiscard]] virtual const host_reducer& reducer(std::size_t output) const {
        return reducer_for(reduced_[output]);
    }

protected:
    virtual void begin_use() const {}
    virtual void end_use() const noexcept {}

    std::int64_t tile_elements_ = 0;  // of kernels whose ranges are of tiles

private:
    // Enough that the table is a small part of it, whatever the body takes.
    static constexpr std::int64_t least_looked_up = 4 * plan::values_of_two_bytes;

    static bool is_in_order(const plan::operand& each) noexcept {
        return each.how == plan::access::contiguous && !each.is_position && !each.is_partial && !each.gathered;
    }

    void find_arrays(const plan::kernel& kernel) {
        for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
            const auto is_array = [&](const plan::operand& each) {
                return each.value == kernel.outputs[i].value && is_in_order(each) &&
                       each.type == reduced_[i].accumulated;
            };
            const auto found = std::find_if(kernel.inputs.begin(), kernel.inputs.end(), is_array);
            if (found == kernel.inputs.end() || reduced_[i].what == kiln::detail::reduction_kind::none)
                return arrays_.clear();
            arrays_.push_back(static_cast<int>(found - kernel.inputs.begin()));
        }
    }

    static std::int64_t elements_of_row(const reduced_iteration& of) noexcept {
        std::int64_t out = 1;
        for (int axis = 0; axis < of.extents->rank(); ++axis) out *= of.axes >> axis & 1 ? (*of.extents)[axis] : 1;
        return out;
    }

    std::int64_t grain_;
    bool reduces_by_itself_;
    bool adds_up_;
    std::int64_t multiple_ = 64;          // elements
    std::int64_t rows_multiple_ = 1;      // of what is kept, rows or columns
    std::int64_t values_of_tile_ = 0;     // of kernels that reduce by themselves, in tiles; 0: others
    std::int64_t bytes_per_element_ = 0;  // read and written; a kernel has an output at least
    bool may_stream_ = false;
    int result_bytes_ = 0;  // 0: it looks up nothing
    std::vector<plan::reduced_output> reduced_;
    std::vector<int> arrays_;  // of each output, an input; empty: not all of them are of one
    struct input_in_order {
        int input;
        int bytes;
    };
    std::vector<input_in_order> in_order_;
};

}  // namespace kiln::backend
