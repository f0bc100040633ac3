// Ranges are of values. Those of a block along the innermost axis that stays are reduced side by side, in the lanes that
// plan/host_order.hpp gives each of them. Blocks outside, rows of values inside: what is turned for a block serves all rows.
#include <plan/policy/host_elementwise.hpp>

#include <plan/host_order.hpp>
#include <plan/side_by_side.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace kiln::plan {

namespace {

using nest::builder;
using nest::movement;
using nest::runner;
using nest::value;
namespace types = nest::types;

constexpr int lanes = host_order::lanes;

class side_by_side_policy {
public:
    side_by_side_policy(const lower::program& program, const kernel& of)
        : of_(of),
          to_({}, 1, /*wide=*/true),
          operands_(to_, program, of),
          range_(to_.call_range()),
          block_values_(values_side_by_side(of)),
          turned_(of.inputs.size(), nest::none),
          positions_(static_cast<std::size_t>(of.rank)) {
        for (std::size_t i = 0; i < of.outputs.size(); ++i) {
            reduction_set set{.members = {{i, of.reduced[i]}}, .side_by_side = true};
            sets_.push_back(to_.set(std::move(set)));
            if (of.row_extent > 0) continue;
            const nest::type is = types::accumulators(sets_.back());
            lanes_.push_back(to_.own("lanes_" + operands_.output_name(i), is, lanes * block_values_, nest::line_bytes));
            if (of.lies_across)
                so_far_.push_back(to_.own("all_" + operands_.output_name(i), is, block_values_, nest::line_bytes));
        }
        for (std::size_t i = 0; i < of.inputs.size(); ++i)
            if (is_turned(of, of.inputs[i]))
                turned_[i] = to_.scratch("turned_" + operands_.input_name(i), types::element(of.inputs[i].type));
    }

    nest::tree run() {
        columns_ = name("columns", operands_.extent(beside()));
        count_ = name("count", operands_.extent(along()));
        if (turns()) to_.allocate(name("room", count_ * block_values_));
        first_row_ = name("first_row", range_.begin / columns_);
        last_row_ = name("last_row", (range_.end - 1) / columns_);
        first_ = name("first_column", range_.begin - first_row_ * columns_);
        last_ = name("last_column", range_.end - last_row_ * columns_);
        const value several = last_row_ > first_row_;
        const value from = name(
            "first_block", to_.select(several, to_.constant(0, types::index), first_ / block_values_ * block_values_));
        const value to = name("end_of_blocks", to_.select(several, columns_, last_));
        to_.loop(
            runner::serial, "block", from, to, block_values_, [&](value block) { take_block(block); },
            /*written_out=*/0, types::index);
        return to_.finish();
    }

private:
    [[nodiscard]] int along() const { return of_.rank - 1; }   // a value's elements
    [[nodiscard]] int beside() const { return of_.rank - 2; }  // neighbouring values
    value name(const char* as, value of) { return to_.let(as, types::index, of); }
    [[nodiscard]] bool turns() const {
        for (const nest::id each : turned_)
            if (each != nest::none) return true;
        return false;
    }
    template <class Inside>
    void loop(const char* called, value from, value to, Inside inside, runner by = runner::serial) {
        to_.loop(by, called, from, to, 1, inside, /*written_out=*/0, types::index);
    }

    void take_block(value block) {
        const value block_end = name("block_end", to_.least(block + block_values_, columns_));
        for (std::size_t i = 0; i < turned_.size(); ++i)
            if (turned_[i] != nest::none && serves_all_rows(of_, of_.inputs[i])) turn(i, block, block, block_end);
        if (beside() > 0) operands_.first_positions(first_row_, 0, beside() - 1, positions_);
        loop("row", first_row_, last_row_ + 1, [&](value row) {
            const auto part = [&](const char* as, value is_cut, value cut, value whole) {
                return name(as, to_.select(is_cut, cut, whole));
            };
            const value most = to_.select(first_ > block, first_, block);
            const value begin = part("begin_of_row", row == first_row_, most, block);
            const value end = part("end_of_row", row == last_row_, to_.least(block_end, last_), block_end);
            to_.when(begin < end, [&] { take_values(block, row, begin, end); });
            if (beside() > 0) operands_.next_positions(positions_, 0, beside() - 1);
        });
    }

    /// Elements of the values from `begin` on, those of one value a block apart. `row`: of what does not serve all of them.
    void turn(std::size_t input, value block, value begin, value end, value row = {}) {
        const operand& of = of_.inputs[input];
        const value to = row.is_there() ? begin - block : to_.constant(0);
        value apart, from;
        if (of.how == access::contiguous) {
            apart = count_;
            from = (row.is_there() ? row * columns_ + begin : begin) * count_;
        } else {
            std::vector<value> positions = positions_;
            if (!row.is_there()) positions.assign(positions.size(), to_.constant(0));
            positions[static_cast<std::size_t>(beside())] = begin;
            positions[static_cast<std::size_t>(along())] = to_.constant(0);
            apart = operands_.stride(of, beside());
            from = operands_.linear(of.address, positions, {});
        }
        to_.move(movement::turn,
                 {to_.place(turned_[input], to), to_.place(operands_.memory_of_input(input), from), apart, end - begin,
                  count_},
                 block_values_);
    }

    void take_values(value block, value row, value begin, value end) {
        for (std::size_t i = 0; i < turned_.size(); ++i)
            if (turned_[i] != nest::none && !serves_all_rows(of_, of_.inputs[i])) turn(i, block, begin, end, row);
        const value first = name("first_value", row * columns_);
        if (of_.row_extent > 0) return take_known(block, row, begin, end, first);
        const value none = to_.constant(0, types::index);
        if (of_.lies_across) take_pieces(block, begin, end);
        else take_piece(none, count_, block, begin, end);
        loop(
            "i", begin, end,
            [&](value i) {
                for (std::size_t o = 0; o < lanes_.size(); ++o)
                    store(o, first + i, to_.at(of_.lies_across ? so_far_[o] : lanes_[o], i - block));
            },
            runner::simd);
    }

    /// Of rows of any length.
    void take_pieces(value block, value begin, value end) {
        const auto each_value = [&](const auto& take) {
            loop(
                "i", begin, end,
                [&](value i) {
                    for (std::size_t o = 0; o < lanes_.size(); ++o) take(o, to_.at(so_far_[o], i - block), i);
                },
                runner::simd);
        };
        each_value([&](std::size_t o, value all, value) { to_.assign(all, to_.identity(sets_[o])); });
        to_.loop(
            runner::serial, "piece", 0, count_, host_order::piece,
            [&](value piece) {
                take_piece(piece, name("piece_end", to_.least(piece + host_order::piece, count_)), block, begin, end);
                each_value([&](std::size_t o, value all, value i) {
                    to_.assign(all, to_.combine(all, to_.at(lanes_[o], i - block)));
                });
            },
            /*written_out=*/0, types::index);
    }

    /// What elements from `from` on come to is in the first lanes in the end.
    void take_piece(value from, value to, value block, value begin, value end) {
        const value filled = name("filled", to_.least(to - from, lanes));
        loop("k", from, from + filled, [&](value k) {
            take_elements(block, k, begin, end, [&](value lane, value one) { to_.assign(lane, one); });
        });
        loop("k", from + lanes, to, [&](value k) {
            take_elements(block, k, begin, end,
                          [&](value lane, value one) { to_.assign(lane, to_.combine(lane, one)); });
        });
        // Lanes without elements are left out: what they have changes nothing.
        to_.halving(
            "apart", lanes / 2,
            [&](value apart) {
                loop("lane", to_.constant(0, types::index), to_.least(filled - apart, apart), [&](value lane) {
                    loop(
                        "i", begin, end,
                        [&](value i) {
                            for (std::size_t o = 0; o < lanes_.size(); ++o) {
                                const value into = at_lane(o, lane, i - block);
                                to_.assign(into, to_.combine(into, at_lane(o, lane + apart, i - block)));
                            }
                        },
                        runner::simd);
                });
            },
            runner::serial);
    }

    /// What a value's elements come to.
    void store(std::size_t output, value at, value made) {
        const value all = to_.combine(to_.identity(sets_[output]), made);
        to_.assign(operands_.output(output, at), to_.finish(to_.member(all, output), output, count_));
    }

    /// Each value's elements, and what they come to, in the same order, without memory.
    void take_known(value block, value row, value begin, value end, value first) {
        const int extent = of_.row_extent;
        std::vector<std::vector<std::function<value(value)>>> inputs(static_cast<std::size_t>(extent));
        for (int k = 0; k < extent; ++k)
            for (std::size_t i = 0; i < of_.inputs.size(); ++i)
                inputs[static_cast<std::size_t>(k)].push_back(known_element(i, k, block, row));
        loop(
            "i", begin, end,
            [&](value i) {
                std::vector<std::vector<value>> made(of_.outputs.size());
                for (const auto& of_element : inputs) {
                    std::vector<value> read;
                    for (const auto& each : of_element) read.push_back(each(i));
                    const std::vector<value> ones = computed(read, {});
                    for (std::size_t o = 0; o < ones.size(); ++o) made[o].push_back(ones[o]);
                }
                for (std::size_t o = 0; o < made.size(); ++o) {
                    for (int apart = lanes / 2; apart > 0; apart /= 2)
                        for (int lane = 0; lane < apart && lane + apart < extent; ++lane) {
                            value& into = made[o][static_cast<std::size_t>(lane)];
                            const value other = made[o][static_cast<std::size_t>(lane + apart)];
                            into = to_.let("both_" + operands_.output_name(o), into.is(), to_.combine(into, other));
                        }
                    store(o, first + i, made[o].front());
                }
            },
            runner::simd);
    }

    /// Of an input: the `k`th element of value i.
    std::function<value(value)> known_element(std::size_t input, int k, value block, value row) {
        const operand& of = of_.inputs[input];
        const std::string called = operands_.input_name(input) + "_" + std::to_string(k);
        if (turned_[input] != nest::none)
            return [this, input, k, block](value i) {
                return to_.at(turned_[input], to_.constant(k * block_values_, types::index) + (i - block));
            };
        if (of.how == access::contiguous) {
            const value at = name(("at_" + called).c_str(), row * columns_ * of_.row_extent + k);
            return [this, input, at](value i) { return operands_.element(input, at + i * of_.row_extent); };
        }
        std::vector<value> positions = positions_;
        positions[static_cast<std::size_t>(beside())] = to_.constant(0);
        positions[static_cast<std::size_t>(along())] = to_.constant(k);
        const value at = name(("at_" + called).c_str(), operands_.linear(of.address, positions, {}));
        const value by = operands_.stride(of, beside());
        if (!nest::is_constant(by, 0))
            return [this, input, at, by](value i) { return operands_.element(input, at + i * by); };
        const value read = operands_.element(input, at);
        return [one = to_.let(called, read.is(), read)](value) { return one; };
    }

    /// The body's results, as accumulators of one element.
    std::vector<value> computed(const std::vector<value>& inputs, const std::vector<value>& positions) {
        std::vector<value> made, out;
        for (std::size_t o = 0; o < of_.outputs.size(); ++o)
            made.push_back(to_.variable("of_" + operands_.output_name(o), types::element(of_.reduced[o].accumulated)));
        operands_.compute([&](std::size_t i) { return inputs[i]; }, [&](std::size_t o) { return made[o]; }, positions);
        for (std::size_t o = 0; o < made.size(); ++o) {
            out.push_back(
                to_.variable("one_" + operands_.output_name(o), types::accumulators(sets_[o]), to_.identity(sets_[o])));
            to_.assign(to_.member(out.back(), o), made[o]);
        }
        return out;
    }

    value at_lane(std::size_t output, value lane, value place) {
        return to_.at(lanes_[output], lane * block_values_ + place);
    }

    /// The `k`th elements of values; `append` is given each, and its value's lane.
    template <class Append>
    void take_elements(value block, value k, value begin, value end, Append append) {
        const value lane = name("lane", k % lanes);
        row_elements of;
        for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
            const operand& each = of_.inputs[i];
            row_operand added{&each,
                              operands_.input_name(i),
                              [this, i](value place) { return operands_.element(i, place); },
                              false,
                              nest::none,
                              each.value};
            if (turned_[i] != nest::none) {
                added.is_elsewhere = true;
                added.element = [this, i, k, block](value at) {
                    return to_.at(turned_[i], k * block_values_ + (at - block));
                };
            }
            of.inputs.push_back(std::move(added));
        }
        for (std::size_t o = 0; o < of_.outputs.size(); ++o)
            of.outputs.push_back({&anywhere_, operands_.output_name(o),
                                  [this, o, lane, block](value at) { return at_lane(o, lane, at - block); }, true,
                                  nest::none});
        of.compute = [&](const std::vector<value>& inputs, const std::vector<value>& outputs,
                         const std::vector<value>& positions) {
            const std::vector<value> ones = computed(inputs, positions);
            for (std::size_t o = 0; o < outputs.size(); ++o) append(outputs[o], ones[o]);
        };
        std::vector<value> positions = positions_;
        positions[static_cast<std::size_t>(along())] = k;
        add_row(to_, operands_, beside(), of, {begin, end, {}, positions}, {});
    }

    const operand anywhere_ = {};  // what is found where the code around a row says
    const kernel& of_;
    builder to_;
    nest::operands operands_;
    const builder::range range_;
    const int block_values_;
    std::vector<nest::id> turned_;  // of each input
    std::vector<value> positions_;  // of the row of values
    std::vector<int> sets_;
    std::vector<nest::id> lanes_;   // of each output: a lane's values beside each other
    std::vector<nest::id> so_far_;  // of each output, of rows that lie across: what pieces came to
    value columns_, count_, first_row_, last_row_, first_, last_;
};

}  // namespace

nest::tree host_side_by_side_nest(const lower::program& program, const kernel& of) {
    return side_by_side_policy(program, of).run();
}

}  // namespace kiln::plan
