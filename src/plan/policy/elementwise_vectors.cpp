// Operands move in vectors: one access per operand and thread (or several of neighbouring rows), a one-shot grid, stores past
// the caches, the rest at the end element by element. Positions come from the element's number without a division.
#include <plan/policy/elementwise.hpp>

#include <plan/along_row.hpp>
#include <plan/compile_weight.hpp>
#include <plan/nest/operands.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using nest::builder;
using nest::runner;
using nest::value;
namespace types = nest::types;

class vector_policy {
public:
    vector_policy(const lower::program& program, const kernel& of)
        : program_(program),
          of_(of),
          to_({}, of.threads_per_block, of.wide_index),
          operands_(to_, program, of),
          rolls_(rolls_lanes(program, of)),
          places_(of.inputs.size()),
          vectors_(of.inputs.size()),
          ends_(of.inputs.size()) {}

    nest::tree run() {
        if (!of_.has_layout()) {
            if (of_.vectorised) contiguous();
            else misaligned();
        } else if (of_.mapping == thread_mapping::rows) {
            several_rows();
        } else {
            along_rows();
        }
        return to_.finish();
    }

private:
    [[nodiscard]] int inner() const { return of_.rank - 1; }
    [[nodiscard]] int width() const { return of_.elements_per_thread; }
    [[nodiscard]] nest::type vector_of(element_type type) const { return types::vector(type, width()); }

    /// "block" and "thread", and the thread's number in the grid.
    value number_of_thread() {
        const value block = to_.loop_of(runner::grid, "block");
        const value thread = to_.loop_of(runner::thread, "thread", of_.threads_per_block);
        operands_.begin_block(thread);
        return block * of_.threads_per_block + thread;
    }

    /// Every operand is contiguous.
    void contiguous() {
        first_ = to_.let("first", types::number, number_of_thread() * width());
        count_ = operands_.count();
        to_.when(first_ >= count_, [&] { to_.end(); });
        vector(places(), /*may_have_rest=*/true);
    }

    /// Neighbouring threads on neighbouring elements, several rounds of them.
    void misaligned() {
        count_ = operands_.count();
        const auto one = [&](value i) {
            operands_.compute([&](std::size_t input) { return operands_.element(input, i); },
                              [&](std::size_t output) { return operands_.output(output, i); }, {});
        };
        const int threads = of_.threads_per_block;
        if (width() == 1) {
            const value i = to_.let("i", types::number, number_of_thread());
            to_.when(i < count_, [&] { one(i); });
            return;
        }
        const value block = to_.loop_of(runner::grid, "block");
        const value thread = to_.loop_of(runner::thread, "thread", threads);
        operands_.begin_block(thread);
        const value first = to_.let("first", types::number, block * (threads * width()) + thread);
        to_.when(
            first - thread + threads * width() <= count_,
            [&] {
                to_.unrolled("k", width(), [&](value k) { one(to_.let("i", types::number, first + k * threads)); });
            },
            [&] { to_.loop(runner::serial, "i", first, count_, threads, one, 1, types::number); });
    }

    /// Along rows. Rows of several axes are whole vectors; only one axis can have a rest.
    void along_rows() {
        count_ = to_.let("count", types::number, to_.word(0, types::word));
        first_ = to_.let("first", types::number, number_of_thread() * width());
        to_.when(first_ >= count_, [&] { to_.end(); });
        positions_ = operands_.positions(first_, inner());
        vector(places(), of_.rank == 1);
    }

    // A thread takes the same vector of several rows, of which each reads what another does: past the last row it computes
    // that once more, so that no load waits for a branch, and stores nothing.
    void several_rows() {
        const int grid = of_.grid_word;
        const value thread = to_.let("number", types::number, number_of_thread());
        const value group = to_.let("group", types::number, to_.quotient(thread, grid, grid + 1));
        const value along =
            to_.let("p" + std::to_string(inner()), types::index, (thread - group * to_.word(grid)) * width());
        const value rows = to_.let("rows", types::number, to_.word(grid + 2, types::word));
        to_.when(group * of_.rows_per_thread >= rows, [&] { to_.end(); });
        to_.unrolled("r", of_.rows_per_thread, [&](value r) {
            is_there_ = to_.let("is_there", group * of_.rows_per_thread + r < rows);
            const value row =
                to_.let("row", types::number, to_.select(is_there_, group * of_.rows_per_thread + r, rows - 1));
            first_ = to_.let("first", types::number, row * operands_.extent(inner()) + along);
            positions_ = operands_.positions(row, inner() - 1);
            positions_[static_cast<std::size_t>(inner())] = along;
            vector(places(), false);
        });
    }

    /// Where the vectors of inputs begin, and of outputs.
    std::vector<value> places() {
        for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
            const operand& each = of_.inputs[i];
            if (each.how == access::contiguous) places_[i] = first_;
            else if (each.block == row_block::neighbours && !each.is_position) places_[i] = place_of_block(i);
            else if (!each.gathered && !of_.by_lane(each))
                places_[i] = operands_.address(each, operands_.input_name(i), positions_);
        }
        std::vector<value> out;
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            out.push_back(of_.outputs[i].how == access::contiguous
                              ? first_
                              : operands_.address(of_.outputs[i], operands_.output_name(i), positions_));
        return out;
    }

    /// Of a vector that lies in memory as one: where that is, or, where it would be beyond an end, the last one before it.
    value place_of_block(std::size_t input) {
        const operand& of = of_.inputs[input];
        const std::string name = operands_.input_name(input);
        const int clamped = clamped_along_row(of, inner());
        if (clamped < 0) return operands_.address(of, name, positions_);
        return operands_.address_of_block(of, name, positions_, clamped, width(), ends_[input]);
    }

    /// Elements beyond an end are the one there.
    void end_blocks() {
        for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
            if (!ends_[i].is_there()) continue;
            to_.when(!(ends_[i] == 0), [&] {
                const value first =
                    to_.let("end_of_" + operands_.input_name(i),
                            to_.select(ends_[i] < 0, to_.lane(vectors_[i], 0), to_.lane(vectors_[i], width() - 1)));
                to_.unrolled("k", width(), [&](value k) { to_.assign(to_.lane(vectors_[i], k), first); });
            });
        }
    }

    /// Loads of all operands, then the body of each element, then the stores. The rest at the end is loaded and stored
    /// element by element, and computed with the others: the body stands in the kernel once per element of a vector, and
    /// not once more.
    void vector(const std::vector<value>& stored_at, bool may_have_rest) {
        // A vector of one element is whole where it begins before the end. NVRTC does not see that, and compiles a rest.
        const bool has_rest = may_have_rest && width() > 1;
        // Of two elements the rest is one, which stands beside the loop: 2 % fewer instructions of NVRTC than in it (13.0,
        // quotients of float64 and int64).
        const bool rest_in_loop = has_rest && rolls_ && width() > 2;
        load(has_rest, rest_in_loop);
        end_blocks();
        results_.clear();
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            results_.push_back(to_.variable("v_y" + std::to_string(i), vector_of(of_.outputs[i].type)));
        if (rolls_) compute_rolled(stored_at, rest_in_loop);
        else compute();

        const auto store_vectors = [&] {
            for (std::size_t i = 0; i < of_.outputs.size(); ++i)
                to_.assign(to_.at(operands_.memory_of_output(i), stored_at[i], vector_of(of_.outputs[i].type)),
                           results_[i]);
        };
        if (is_there_.is_there()) to_.when(is_there_, store_vectors);
        else if (!has_rest) store_vectors();
        else if (rest_in_loop) to_.when(whole_, store_vectors);
        else
            to_.when(whole_, store_vectors, [&] {
                each_of_rest([&](value k) {
                    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
                        to_.assign(operands_.output(i, stored_at[i] + k), to_.lane(results_[i], k));
                });
            });
    }

    /// At least one is missing.
    template <class Each>
    void each_of_rest(Each each) {
        to_.unrolled("k", width() - 1, [&](value k) { to_.when(first_ + k < count_, [&] { each(k); }); });
    }

    void load(bool has_rest, bool rest_in_loop) {
        std::vector<std::size_t> as_bits;
        std::vector<std::size_t> as_vectors;
        std::vector<value> bits(of_.inputs.size());
        for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
            const operand& each = of_.inputs[i];
            const std::string name = operands_.input_name(i);
            if ((each.how == access::uniform || each.block == row_block::one) && !each.is_position && !each.gathered)
                vectors_[i] = to_.let("v_" + name, operands_.element(i, places_[i]));
            if (!of_.is_vector(each) || each.gathered) continue;
            const nest::type is = vector_of(each.type);
            if (each.block == row_block::pairs) {
                // Rows are whole vectors: there is no rest.
                const nest::type half = types::vector(each.type, std::max(1, width() / 2));
                vectors_[i] = to_.let("v_" + name, to_.at(operands_.memory_of_input(i), places_[i], half));
            } else if (!has_rest) {
                vectors_[i] = to_.variable("v_" + name, is, operands_.vector(i, places_[i]));
            } else if (operands_.moves_as_bits(each.type) && !rolls_) {
                bits[i] = to_.variable("bits_" + name, types::bits(each.type, width()));
                as_bits.push_back(i);
            } else {
                vectors_[i] = to_.variable("v_" + name, is, to_.make(nest::operation::zeros, is));
                as_vectors.push_back(i);
            }
        }
        if (has_rest) whole_ = to_.let("whole", first_ + width() <= count_);
        if (as_bits.empty() && as_vectors.empty()) return;
        const auto load_whole = [&] {
            for (const std::size_t i : as_vectors) operands_.load_vector(vectors_[i], i, places_[i]);
            for (const std::size_t i : as_bits) to_.assign(bits[i], operands_.vector(i, places_[i]));
        };
        if (rest_in_loop) {
            to_.when(whole_, load_whole);
        } else {
            to_.when(whole_, load_whole, [&] {
                rest_of_bits(as_bits, bits);
                if (as_vectors.empty()) return;
                each_of_rest([&](value k) {
                    for (const std::size_t i : as_vectors)
                        to_.assign(to_.lane(vectors_[i], k), operands_.element(i, places_[i] + k));
                });
            });
        }
        for (const std::size_t i : as_bits)
            vectors_[i] = to_.let("v_" + operands_.input_name(i),
                                  to_.make(nest::operation::reinterpret, vector_of(of_.inputs[i].type), bits[i]));
    }

    /// One loop for all operands, not unrolled: with one for each, two of float16 took NVRTC 5 % more instructions (13.0).
    void rest_of_bits(const std::vector<std::size_t>& inputs, const std::vector<value>& bits) {
        if (inputs.empty()) return;
        std::vector<value> parts(of_.inputs.size());
        for (const std::size_t i : inputs) {
            const nest::type is = vector_of(of_.inputs[i].type);
            parts[i] = to_.variable("part_" + operands_.input_name(i), is, to_.make(nest::operation::zeros, is));
        }
        to_.loop(runner::serial, "k", 0, count_ - first_, 1, [&](value k) {
            for (const std::size_t i : inputs) to_.assign(to_.lane(parts[i], k), operands_.element(i, places_[i] + k));
        });
        for (const std::size_t i : inputs)
            to_.assign(bits[i],
                       to_.make(nest::operation::reinterpret, types::bits(of_.inputs[i].type, width()), parts[i]));
    }

    void compute() {
        to_.unrolled("k", width(), [&](value k) {
            std::vector<value> by_lane(of_.inputs.size());
            std::vector<value> positions = positions_;
            if (!positions.empty()) {
                value& along = positions[static_cast<std::size_t>(inner())];
                along = along + k;
            }
            for (std::size_t i = 0; i < of_.inputs.size(); ++i)
                if (of_.by_lane(of_.inputs[i]) && !of_.inputs[i].gathered)
                    by_lane[i] =
                        operands_.element(i, operands_.address(of_.inputs[i], operands_.input_name(i), positions));
            operands_.compute([&](std::size_t i) { return by_lane[i].is_there() ? by_lane[i] : lane_of(i, k, k); },
                              [&](std::size_t i) { return to_.lane(results_[i], k); }, positions);
        });
    }

    /// The body once, for one lane after the other: the first lane of each vector is the one at hand, and the others move up,
    /// since registers have no index. A heavy body (rolls_lanes) waits for its branches and calls, and so does not overlap
    /// with that of another lane where it is unrolled either; the moves are what this costs.
    void compute_rolled(const std::vector<value>& stored_at, bool rest_in_loop) {
        const int last = width() - 1;
        to_.loop(runner::serial, "k", 0, width(), 1, [&](value k) {
            if (rest_in_loop)
                to_.when(!whole_, [&] {
                    to_.when(first_ + k >= count_, [&] { to_.leave(); });
                    for (std::size_t i = 0; i < of_.inputs.size(); ++i)
                        if (of_.is_vector(of_.inputs[i]))
                            to_.assign(to_.lane(vectors_[i], 0), operands_.element(i, places_[i] + k));
                });
            std::vector<value> ones;
            for (std::size_t i = 0; i < of_.outputs.size(); ++i)
                ones.push_back(to_.variable("one_y" + std::to_string(i), types::element(of_.outputs[i].type)));
            operands_.compute([&](std::size_t i) { return lane_of(i, k, to_.constant(0)); },
                              [&](std::size_t i) { return ones[i]; }, positions_);
            if (rest_in_loop)
                to_.when(!whole_, [&] {
                    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
                        to_.assign(operands_.output(i, stored_at[i] + k), ones[i]);
                });
            to_.unrolled("j", last, [&](value j) {
                const auto move = [&](value vector) { to_.assign(to_.lane(vector, j), to_.lane(vector, j + 1)); };
                for (std::size_t i = 0; i < of_.inputs.size(); ++i)
                    if (of_.is_vector(of_.inputs[i])) move(vectors_[i]);
                for (const value& each : results_) move(each);
            });
            for (std::size_t i = 0; i < of_.outputs.size(); ++i) to_.assign(to_.lane(results_[i], last), ones[i]);
        });
    }

    /// What the body of lane k is given, lane `in_vector` of what moved as a vector.
    value lane_of(std::size_t input, value k, value in_vector) {
        const operand& each = of_.inputs[input];
        if (each.is_position) return position_of_lane(input, k);
        if (each.how == access::uniform || each.block == row_block::one) return vectors_[input];
        if (each.block == row_block::alternating) return operands_.element(input, places_[input] + k % 2);
        if (each.block == row_block::twos) return operands_.element(input, places_[input] + k / 2 * 2);
        return to_.lane(vectors_[input], each.block == row_block::pairs ? in_vector / 2 : in_vector);
    }

    value position_of_lane(std::size_t input, value k) {
        const operand& of = of_.inputs[input];
        const value first = operands_.element(input, places_[input]);
        // The first of a contiguous vector is a multiple of its length. Said like this, the compiler sees it too, and
        // makes one block of random numbers for all that share it (nvcc 13.0, float: 20 wide products in place of 71).
        if (of.how == access::contiguous && draws()) return (first & -width()) | k;
        switch (of.block) {
            case row_block::none: break;
            case row_block::one: return first;
            case row_block::neighbours: return first + k;
            case row_block::pairs: return first + k / 2;
            case row_block::alternating: return first + k % 2;
            case row_block::twos: return first + k / 2 * 2;
        }
        switch (of.how) {
            case access::uniform: return first;
            case access::strided: return first + k * operands_.stride(of, inner());
            default: return first + k;
        }
    }

    [[nodiscard]] bool draws() const {
        return std::any_of(program_.steps.begin() + of_.first_step, program_.steps.begin() + of_.last_step,
                           [](const lower::step& each) { return detail::is_draw(each.code); });
    }

    const lower::program& program_;
    const kernel& of_;
    builder to_;
    nest::operands operands_;
    const bool rolls_;
    std::vector<value> positions_;  // of the vector's first element
    std::vector<value> places_;     // of inputs
    std::vector<value> vectors_;    // of inputs, or one element for all lanes
    std::vector<value> ends_;       // of inputs that end within rows: how far beyond, below 0 before the first
    std::vector<value> results_;    // of outputs
    value first_, count_, whole_;
    value is_there_;  // of several rows: whether there is one
};

}  // namespace

nest::tree vectors_nest(const lower::program& program, const kernel& of) { return vector_policy(program, of).run(); }

}  // namespace kiln::plan
