#include <plan/fast_paths.hpp>
#include <plan/policy/values_of_row.hpp>

namespace kiln::plan {

using nest::runner;
using nest::value;
namespace types = nest::types;

values_of_row::values_of_row(const lower::program& program, const kernel& of)
    : of_(of),
      to_({}, of.threads_per_block, of.wide_index),
      operands_(to_, program, of),
      threads_(to_, operands_, of),
      tests_(!program.any_order && choose_fast_paths(program, of).has_unbranched_tests()),
      have_any_(choose_fast_paths(program, of).have_any()),
      inputs_(of.inputs.size()) {
    to_.set(reductions_of_outputs(of));
    for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i].of_row = of.inputs[i].axes_read() & of.reduced_axes;
    find_sets();
}

/// Those that the kernel reads from their first element on: others of it may be read by another.
void values_of_row::find_sets() {
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        if (const row_element is = row_element_of(of_.inputs[i]); is.extent > 0 && is.place == 0)
            sets_[is.extent].first = i;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        if (const row_element is = row_element_of(of_.inputs[i]); sets_.count(is.extent)) inputs_[i].in_set = is;
}

value values_of_row::part(value v, nest::value_or_number k) { return to_.at(parts_, goes_on_ ? v : v * width() + k); }

void values_of_row::keep_what_stays(const std::function<value(value v)>& number_of) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        if (inputs_[i].of_row) continue;
        inputs_[i].own = to_.own("v_" + operands_.input_name(i), types::element(of_.inputs[i].type), values());
    }
    each_value([&](value v) {
        value_threads::place at =
            threads_.place_of_value(to_.let("which", types::number, to_.least(number_of(v), threads_.kept - 1)));
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if (!inputs_[i].of_row)
                to_.assign(to_.at(inputs_[i].own, v), operands_.element(i, threads_.address(i, at)));
    });
}

void values_of_row::declare_parts() { parts_ = to_.own("part", types::accumulators(), values() * places()); }

void values_of_row::begin_anew() {
    to_.unrolled("k", values() * places(), [&](value k) { to_.assign(to_.at(parts_, k), to_.identity()); });
}

void values_of_row::count_whole() { whole_ = to_.let("whole", types::number, threads_.reduced / width() * width()); }

void values_of_row::take_elements(value thread) {
    take_elements(thread, [&](value is_right) { take_vectors(thread, is_right); });
}

void values_of_row::take_elements(value thread, const std::function<void(value is_right)>& take_whole) {
    value is_right;
    if (tests_) is_right = to_.variable("in_range", types::boolean, to_.constant(1, types::boolean));
    take_whole(is_right);
    take_others(thread, is_right);
}

void values_of_row::take_vectors(value thread, value is_right) {
    to_.loop(
        runner::serial, "next", thread * width(), whole_, threads_.round(),
        [&](value next) {
            load(next);
            take_vector(next, is_right, [&](value k) { return [this, k](std::size_t i) { return loaded(i, k); }; });
        },
        /*written_out=*/1, types::number);
}

void values_of_row::take_vector(value first, value is_right, const std::function<of_row(value k)>& place) {
    to_.unrolled("k", width(), [&](value k) {
        const of_row elements = place(k);
        each_value([&](value v) { append(part(v, k), one(v, first + k, elements, is_right)); });
    });
}

void values_of_row::load_set(row_set& of, int extent, value next) {
    const operand& first = of_.inputs[of.first];
    const nest::type vector = types::vector(first.type, width());
    of.loaded = to_.own("rows_" + operands_.input_name(of.first), vector, extent);
    value_threads::place at = threads_.place_of(next);
    const value from = threads_.address(of.first, at);
    to_.unrolled("i", extent, [&](value i) {
        to_.assign(to_.at(of.loaded, i), to_.at(operands_.memory_of_input(of.first), from + i * width(), vector));
    });
}

/// Of what load() brought, element `k`.
value values_of_row::loaded(std::size_t which, value k) {
    const input& of = inputs_[which];
    if (of.in_set.extent > 0) {
        const value number = k * of.in_set.extent + of.in_set.place;
        return to_.lane(to_.at(sets_.at(of.in_set.extent).loaded, number / width()), number % width());
    }
    return of.vector.is_there() ? to_.lane(of.vector, k) : to_.at(of.loaded, k);
}

void values_of_row::load(value next) {
    for (auto& [extent, each] : sets_) load_set(each, extent, next);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        if (!inputs_[i].of_row || inputs_[i].in_set.extent > 0) continue;
        const std::string name = "v_" + operands_.input_name(i);
        if (of_.vectorised && of_.inputs[i].how != access::uniform && !of_.inputs[i].is_position) {
            value_threads::place at = threads_.place_of(next);
            inputs_[i].vector = to_.let(name, operands_.vector(i, threads_.address(i, at)));
            continue;
        }
        inputs_[i].loaded = to_.own(name, types::element(of_.inputs[i].type), width());
        to_.unrolled("k", width(), [&](value k) { to_.assign(to_.at(inputs_[i].loaded, k), element(i, next + k)); });
    }
}

value values_of_row::element(std::size_t which, value number) {
    value_threads::place at = threads_.place_of(number);
    return operands_.element(which, threads_.address(which, at));
}

void values_of_row::take_others(value thread, value all_are_right) {
    const bool has_rest = !of_.vectorised;  // rows that move in vectors are of whole ones
    if (!has_rest && !tests_) return;
    value is_last = {};  // what is left of the row comes after the thread's vectors
    if (has_rest) {
        const value vectors = to_.let("vectors", types::number, threads_.reduced / width());
        is_last = whole_ < threads_.reduced && thread == vectors % of_.threads_per_output;
    }
    to_.when(!tests_    ? is_last
             : has_rest ? !all_are_right || is_last
                        : !all_are_right,
             [&] {
                 value from = whole_;
                 if (tests_) {
                     const value first = thread * width();
                     if (has_rest) to_.when(!all_are_right, [&] { begin_anew(); });
                     else begin_anew();
                     from = to_.let("from", types::number, has_rest ? to_.select(all_are_right, whole_, first) : first);
                 }
                 to_.loop(runner::serial, "k", 0, width(), 1, [&](value k) {
                     to_.loop(
                         runner::serial, "next", from + to_.convert(k, types::number), threads_.reduced,
                         threads_.round(), [&](value next) { take_first_place(next); }, /*written_out=*/1,
                         types::number);
                     turn_places();
                 });
             });
}

void values_of_row::take_first_place(value next) {
    std::vector<value> elements(inputs_.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        if (inputs_[i].of_row)
            elements[i] = to_.let("v_" + operands_.input_name(i), types::element(of_.inputs[i].type), element(i, next));
    const of_row of = [&](std::size_t i) { return elements[i]; };
    if (!tests_ || have_any_) {
        each_value([&](value v) { append(part(v, 0), one(v, next, of, {})); });
        return;
    }
    // Bodies that are not softened have one such pair each, and a warp of a block all of them.
    const value is_right = to_.variable("is_right", types::boolean, to_.constant(1, types::boolean));
    const nest::id made = to_.own("made", types::accumulators(), values());
    each_value([&](value v) { to_.assign(to_.at(made, v), one(v, next, of, is_right)); });
    to_.when(!is_right, [&] { each_value([&](value v) { to_.assign(to_.at(made, v), one(v, next, of, {})); }); });
    each_value([&](value v) { append(part(v, 0), to_.at(made, v)); });
}

void values_of_row::turn_places() {
    if (goes_on_) return;
    each_value([&](value v) {
        const value taken = to_.let("taken", types::accumulators(), part(v, 0));
        to_.unrolled("each", width() - 1, [&](value each) { to_.assign(part(v, each), part(v, each + 1)); });
        to_.assign(part(v, width() - 1), taken);
    });
}

value values_of_row::one(value v, value number, const of_row& element_of_row, value is_right) {
    return reduced_element(
        to_, operands_, of_,
        [&](std::size_t i) { return inputs_[i].of_row ? element_of_row(i) : to_.at(inputs_[i].own, v); }, {}, number,
        [](std::size_t, value) {},  // no elements are stored
        is_right);
}

void values_of_row::combine_places(nest::id into) {
    each_value([&](value v) {
        to_.assign(to_.at(into, v), goes_on_ ? part(v, 0) : combined_places(to_, [&](int k) { return part(v, k); }));
    });
}

void values_of_row::store(value result, value number) {
    to_.when(number < threads_.kept, [&] {
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            to_.assign(operands_.output(i, number), to_.finish(to_.member(result, i), i, threads_.reduced));
    });
}

}  // namespace kiln::plan
