// Inputs are views of one memory, a few elements apart. A thread makes a vector of neighbouring elements, and reads each vector that
// their neighbours lie in once, where loads of one element each would be as many as there are views: the mean of 16 neighbours of
// 67M floats takes an H200 as long as its bytes, and took 2.5 times that. Nothing is read outside of the views: the first and the
// last threads read element by element.
#include <plan/policy/elementwise.hpp>

#include <plan/nest/operands.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using nest::builder;
using nest::runner;
using nest::value;
namespace types = nest::types;

class windows_policy {
public:
    windows_policy(const lower::program& program, const kernel& of)
        : of_(of),
          to_({}, of.threads_per_block, of.wide_index),
          operands_(to_, program, of),
          vectors_(of.inputs.size()) {
        for (std::size_t i = 0; i < of.inputs.size(); ++i) {
            const operand& each = of.inputs[i];
            if (each.in_window == 0) first_view_ = i;
            span_ = std::max<int>(span_, each.in_window);
        }
    }

    nest::tree run() {
        const value block = to_.loop_of(runner::grid, "block");
        const value thread = to_.loop_of(runner::thread, "thread", of_.threads_per_block);
        first_ = to_.let("first", types::number, (block * of_.threads_per_block + thread) * width());
        count_ = operands_.count();
        to_.when(first_ >= count_, [&] { to_.end(); });
        whole_ = to_.let("whole", first_ + width() <= count_);
        load_window();
        load_others();
        std::vector<value> results;
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            results.push_back(to_.variable("v_" + operands_.output_name(i), vector_of(of_.outputs[i].type)));
        to_.unrolled("k", width(), [&](value k) {
            operands_.compute(
                [&](std::size_t i) {
                    const operand& each = of_.inputs[i];
                    return each.in_window < 0 ? to_.lane(vectors_[i], k) : in_window(k + each.in_window);
                },
                [&](std::size_t i) { return to_.lane(results[i], k); }, {});
        });
        to_.when(
            whole_,
            [&] {
                for (std::size_t i = 0; i < results.size(); ++i)
                    to_.assign(to_.at(operands_.memory_of_output(i), first_, results[i].is()), results[i]);
            },
            [&] {
                each_of_rest([&](value k) {
                    for (std::size_t i = 0; i < results.size(); ++i)
                        to_.assign(operands_.output(i, first_ + k), to_.lane(results[i], k));
                });
            });
        return to_.finish();
    }

private:
    [[nodiscard]] int width() const { return of_.elements_per_thread; }
    [[nodiscard]] nest::type vector_of(element_type type) const { return types::vector(type, width()); }

    /// Element j of those that the thread reads.
    value in_window(value j) {
        const value place = j + of_.window_first;
        return to_.lane(to_.at(window_, place / width()), place % width());
    }

    void load_window() {
        const nest::type vector = vector_of(of_.inputs[first_view_].type);
        const nest::id memory = operands_.memory_of_input(first_view_);
        const int vectors = (of_.window_first + span_ + width() - 1) / width() + 1;
        window_ = to_.own("window", vector, vectors);
        // From the multiple of 16 bytes before the thread's first element to the end of the last vector.
        value inside = first_ + (vectors * width() - of_.window_first) <= count_ + span_;
        if (of_.window_first > 0) inside = first_ >= of_.window_first && inside;
        to_.when(
            to_.let("inside", inside),
            [&] {
                to_.unrolled("v", vectors, [&](value v) {
                    to_.assign(to_.at(window_, v), to_.at(memory, first_ + v * width() - of_.window_first, vector));
                });
            },
            [&] {
                to_.unrolled("v", vectors, [&](value v) {
                    to_.assign(to_.at(window_, v), to_.make(nest::operation::zeros, vector));
                });
                to_.unrolled("j", span_ + width(), [&](value j) {
                    to_.when(first_ + j < count_ + span_,
                             [&] { to_.assign(in_window(j), to_.at(memory, first_ + j)); });
                });
            });
    }

    void load_others() {
        std::vector<std::size_t> others;
        for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
            if (of_.inputs[i].in_window >= 0) continue;
            const nest::type is = vector_of(of_.inputs[i].type);
            vectors_[i] = to_.variable("v_" + operands_.input_name(i), is, to_.make(nest::operation::zeros, is));
            others.push_back(i);
        }
        if (others.empty()) return;
        to_.when(
            whole_,
            [&] {
                for (const std::size_t i : others)
                    to_.assign(vectors_[i], to_.at(operands_.memory_of_input(i), first_, vectors_[i].is()));
            },
            [&] {
                each_of_rest([&](value k) {
                    for (const std::size_t i : others)
                        to_.assign(to_.lane(vectors_[i], k), operands_.element(i, first_ + k));
                });
            });
    }

    /// At least one is missing.
    template <class Each>
    void each_of_rest(Each each) {
        to_.unrolled("k", width() - 1, [&](value k) { to_.when(first_ + k < count_, [&] { each(k); }); });
    }

    const kernel& of_;
    builder to_;
    nest::operands operands_;
    std::vector<value> vectors_;  // of inputs that are of no window
    std::size_t first_view_ = 0;
    int span_ = 0;  // elements from the first view to the last
    nest::id window_ = nest::none;
    value first_, count_, whole_;
};

}  // namespace

nest::tree windows_nest(const lower::program& program, const kernel& of) { return windows_policy(program, of).run(); }

}  // namespace kiln::plan
