// Inputs are one memory shifted by constant distances along several axes. A thread makes an element of several rows, whose neighbours
// it reads once each, into registers, at constant distances from its first element: the mean of 7 x 7 neighbours reads 12 of them an
// element. There nothing is outside, which the body is told. Threads near an edge, of a block of rows or one warp at each end of
// one, take one row after the other and look at each neighbour's position.
#include <plan/policy/elementwise.hpp>

#include <plan/nest/operands.hpp>
#include <plan/stencil.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using nest::builder;
using nest::runner;
using nest::value;
namespace types = nest::types;

class stencils_policy {
public:
    stencils_policy(const lower::program& program, const kernel& of)
        : of_(of),
          to_({}, of.threads_per_block, of.wide_index),
          operands_(to_, program, of),
          columns_(stencil_columns_of(of)) {}

    nest::tree run() {
        const int grid = of_.grid_word;
        const value block = to_.loop_of(runner::grid, "block");
        const value thread = to_.loop_of(runner::thread, "thread", of_.threads_per_block);
        operands_.begin_block(thread);
        const value group = to_.let("group", types::number, to_.quotient(block, grid, grid + 1));
        along_ = to_.let("p" + std::to_string(inner()), types::index,
                         (block - group * to_.word(grid)) * of_.threads_per_block + thread);
        extent_ = to_.let("extent", types::index, operands_.extent(inner()));
        const value rows = to_.let("rows", types::number, to_.word(grid + 2, types::word));
        const value first_row = to_.let("first_row", types::number, group * height());
        to_.when(along_ >= extent_, [&] { to_.end(); });
        const std::vector<value> first = positions_of(first_row);
        to_.when(
            to_.let("inside", is_inside(first)), [&] { inside(first_row, first); },
            [&] {
                to_.loop(
                    runner::serial, "row", first_row, to_.least(rows, first_row + height()), 1,
                    [&](value row) { near_edge(row); }, 1, types::number);
            });
        return to_.finish();
    }

private:
    [[nodiscard]] int inner() const { return of_.rank - 1; }
    [[nodiscard]] int height() const { return of_.elements_per_thread; }
    [[nodiscard]] std::size_t axis_of_rows() const { return static_cast<std::size_t>(of_.rank - 2); }

    std::vector<value> positions_of(value row) {
        std::vector<value> positions = operands_.positions(row, inner() - 1);
        positions[static_cast<std::size_t>(inner())] = along_;
        return positions;
    }

    /// Whether all neighbours of all of the thread's elements are elements, and its rows are of one plane.
    value is_inside(const std::vector<value>& first) {
        value out;
        const auto add = [&out](value each) { out = out.is_there() ? out && each : each; };
        for (std::size_t axis = 0; axis < first.size(); ++axis) {
            int least = 0;
            int most = 0;
            for (const operand& each : of_.inputs) {
                if (each.stencil == 0) continue;
                least = std::min<int>(least, each.shifted[axis]);
                most = std::max<int>(most, each.shifted[axis]);
            }
            if (axis == axis_of_rows()) most += height() - 1;
            if (least < 0) add(first[axis] >= -least);
            if (most > 0) add(first[axis] + most < operands_.extent(static_cast<int>(axis)));
        }
        return out;
    }

    void inside(value first_row, const std::vector<value>& first) {
        const std::vector<nest::id> columns = load_columns(first);
        to_.unrolled("k", height(), [&](value k) {
            const value row = to_.let("row", types::number, first_row + k);
            compute(row, positions_of(row), [&](std::size_t i) {
                const operand& each = of_.inputs[i];
                if (each.stencil == 0) return value{};
                if (each.is_position) return to_.constant(0, types::position);
                const std::size_t column = column_of(columns_, each);
                return to_.at(columns[column],
                              k + (each.shifted[axis_of_rows()] - columns_[column].distances[axis_of_rows()]));
            });
        });
    }

    void near_edge(value row) {
        compute(row, positions_of(row), [](std::size_t) { return value{}; });
    }

    /// All of them by one index: the compiler sees how far apart they are.
    std::vector<nest::id> load_columns(const std::vector<value>& first) {
        std::vector<nest::id> out;
        value at;
        for (std::size_t axis = 0; axis < first.size(); ++axis)
            at = at.is_there() ? at * operands_.extent(static_cast<int>(axis)) + first[axis] : first[axis];
        at = to_.let("at_first", types::index, at);
        for (const stencil_column& each : columns_) {
            const int count = height() + each.last - each.distances[axis_of_rows()];
            out.push_back(to_.own("near_" + operands_.input_name(each.memory),
                                  types::element(of_.inputs[each.memory].type), count));
            const std::size_t memory = memory_of(each);
            const value in_plane = planes_apart(each, at);
            to_.unrolled("r", count, [&](value r) {
                const value row = r + static_cast<int>(each.distances[axis_of_rows()]);
                to_.assign(
                    to_.at(out.back(), r),
                    operands_.element(memory, in_plane + row * extent_ + static_cast<int>(each.distances.back())));
            });
        }
        return out;
    }

    /// One input for all that are of one memory.
    std::size_t memory_of(const stencil_column& of) const {
        for (const stencil_column& each : columns_)
            if (each.stencil == of.stencil) return each.memory;
        return of.memory;
    }

    /// `at`, as many planes further as the column is.
    value planes_apart(const stencil_column& of, value at) {
        value planes;
        for (std::size_t axis = 0; axis < axis_of_rows(); ++axis) {
            const auto distance = static_cast<int>(of.distances[axis]);
            planes = planes.is_there() ? planes * operands_.extent(static_cast<int>(axis)) + distance
                                       : to_.constant(distance, types::index);
        }
        if (!planes.is_there()) return at;
        return to_.let("at_plane", types::index,
                       at + planes * operands_.extent(static_cast<int>(axis_of_rows())) * extent_);
    }

    /// `known`: of each input, what is at hand of it.
    template <class Known>
    void compute(value row, const std::vector<value>& positions, Known known) {
        const value number = to_.let("i", types::number, row * extent_ + along_);
        std::vector<value> elements(of_.inputs.size());
        for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
            const operand& each = of_.inputs[i];
            elements[i] = known(i);
            if (elements[i].is_there()) continue;
            elements[i] = operands_.element(i, each.how == access::contiguous
                                                   ? number
                                                   : operands_.address(each, operands_.input_name(i), positions));
        }
        operands_.compute([&](std::size_t i) { return elements[i]; },
                          [&](std::size_t i) { return operands_.output(i, number); }, positions);
    }

    const kernel& of_;
    builder to_;
    nest::operands operands_;
    const std::vector<stencil_column> columns_;
    value along_, extent_;
};

}  // namespace

nest::tree stencils_nest(const lower::program& program, const kernel& of) { return stencils_policy(program, of).run(); }

}  // namespace kiln::plan
