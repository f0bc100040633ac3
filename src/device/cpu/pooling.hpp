// kiln/device/cpu/pooling: how a reduction on the CPU walks where few neighbours go, and other axes outside of some that stay: windows of
// images, channels last or not, a short axis before a short last one. What lies side by side in memory is computed at once and taken line by
// line, each value in the order that it has elsewhere (plan/host_order.hpp).
// in: a reduction's axes   out: units of work, what each reads   knows nothing of: kernels, threads
#pragma once

#include <device/cpu/reduced_axes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace kiln::backend {

/// Values of a line are neighbours, each of `run` elements. Lines of one line of values follow each other, and so do these blocks of lines.
struct pooling {
    bool of_rows =
        true;  // a value's elements are neighbours; else neighbours are of values side by side, and a run is 1
    std::int64_t run = 1;
    std::int64_t line_values = 1;
    std::int64_t lines = 1;
    std::int64_t blocks = 1;
    std::vector<axis_walk> outer_kept, outer_reduced;  // outside of blocks

    /// Of a unit: blocks, or where those are too long to be computed at once, values of one, line by line.
    std::int64_t blocks_of_unit = 1;
    std::int64_t values_of_unit = 1;
    bool has_whole_blocks = true;

    struct unit {
        std::int64_t begin;  // its first element, where all that goes is at 0
        std::int64_t value;  // its first value
        std::int64_t blocks;
        std::int64_t values;  // of each block
    };
    [[nodiscard]] std::int64_t unit_count() const;
    [[nodiscard]] unit unit_at(std::int64_t number) const;

    [[nodiscard]] std::int64_t line_elements() const { return line_values * run; }
    [[nodiscard]] std::int64_t block_elements() const { return lines * line_elements(); }
    /// Whether one line is too little for vectors, and for what taking it takes: lines of 12 floats of images of 3 colours a third of the time
    /// with others, of 128 values twice the time.
    [[nodiscard]] bool has_short_lines() const { return line_values < 64; }
    [[nodiscard]] std::int64_t outer_lines() const;  // blocks of lines of each value
};

/// The lines of one number of some blocks, which follow each other there: their values take them at once, however short they are.
class neighbouring_lines {
public:
    explicit neighbouring_lines(const pooling& of) : of_(of) {}

    /// `blocks`: memory of so many, in elements of so many bytes. What comes back stays until the next call.
    const std::byte* of(const std::byte* blocks, std::int64_t line, std::int64_t block_count, int element_bytes);

private:
    const pooling& of_;
    std::vector<std::byte> lines_;
};

/// None where the reduction had better go value by value, or column by column.
std::optional<pooling> pooling_of(const reduced_axes& of);

}  // namespace kiln::backend
