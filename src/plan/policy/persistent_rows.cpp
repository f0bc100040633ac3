// Rows stay on chip: each thread holds its elements of a row in registers, from the first reduction over it to what is stored, so
// that a row is read once and written once. Which value is computed in which phase is said in plan/row_phases.hpp; who adds
// up what, in which order, is as for reductions alone.
#include <plan/policy/phased_rows.hpp>
#include <plan/policy/reduction.hpp>

#include <algorithm>
#include <optional>

namespace kiln::plan {

namespace {

using lower::step;
using lower::value_id;
using nest::value;
namespace types = nest::types;

class persistent_rows_policy : phased_rows {
public:
    persistent_rows_policy(const lower::program& program, const kernel& of, nest::builder& to, nest::operands& operands)
        : phased_rows(program, of, to, operands), threads_(to, operands, of), kept_(phases_.phase.size(), nest::none) {
        for (reduction_set& each : reductions_of_rows(program)) to_.set(std::move(each));
    }

    void run() {
        std::vector<nest::id> shared;
        for (int set = 0; set < set_count(); ++set) shared.push_back(threads_.shared("shared" + suffix(set), set));
        threads_.begin();
        compute_row(0);
        for (int phase = 0; phase < phases_.count; ++phase) {
            load(phase);
            compute(phase);
            if (reduces(phase)) finish(phase, shared[static_cast<std::size_t>(phase)]);
        }
        store_row();
    }

private:
    [[nodiscard]] int set_count() { return static_cast<int>(to_.made().sets.size()); }
    [[nodiscard]] const std::string& suffix(int set) { return to_.made().sets[static_cast<std::size_t>(set)].suffix; }

    // --- A thread's elements of its row ---

    [[nodiscard]] int width() const { return of_.vector_width; }
    [[nodiscard]] value kept(value_id of, value u, value k) { return to_.at(kept_[at(of)], u * width() + k); }
    void keep(value_id of) {
        kept_[at(of)] = to_.own("row_" + name_of(of), type_of(of), of_.items_per_thread * width());
    }

    /// Whole vectors. The threads of a row are in step: none leaves early.
    template <class Each>
    void each_vector(Each each) {
        to_.unrolled("u", of_.items_per_thread, [&](value u) {
            const value first = to_.let("first", types::number, first_of(u));
            to_.when(first < threads_.end, [&] { each(u, first); });
        });
    }
    template <class Each>
    void each_element(Each each) {
        to_.unrolled("u", of_.items_per_thread, [&](value u) {
            const value vector = to_.let("vector", types::number, first_of(u));
            to_.unrolled("k", width(), [&](value k) {
                const value first = to_.let("first", types::number, vector + k);
                to_.when(first < threads_.end, [&] { each(u, k, first); });
            });
        });
    }
    [[nodiscard]] value first_of(value u) { return (threads_.lane + u * of_.threads_per_output) * width(); }

    /// Not held in registers, but read where it is needed: what is the same all along a row, what is the same in all rows, which the
    /// caches have, and positions. Two such arrays held for 8192 columns are 64 registers a thread, and half of the threads.
    [[nodiscard]] bool read_in_place(std::size_t input) const {
        if (!of_.vectorised) return false;
        const operand& of = of_.inputs[input];
        const bool of_all_rows =
            of.how != access::contiguous && of.steps.empty() && (of.address.axes & ~of_.reduced_axes) == 0;
        return of.is_position || of.how == access::uniform || of_all_rows;
    }

    void load(int phase) {
        std::vector<std::size_t> inputs;
        for (std::size_t i = 0; i < of_.inputs.size(); ++i)
            if (!read_in_place(i) && phase_of(of_.inputs[i].value) == phase) inputs.push_back(i);
        if (inputs.empty()) return;
        for (const std::size_t i : inputs) keep(of_.inputs[i].value);
        if (!of_.vectorised) {
            each_element([&](value u, value k, value first) {
                value_threads::place at = threads_.place_of(first);
                for (const std::size_t i : inputs)
                    to_.assign(kept(of_.inputs[i].value, u, k), operands_.element(i, threads_.address(i, at)));
            });
            return;
        }
        each_vector([&](value u, value first) {
            value_threads::place at = threads_.place_of(first);
            for (const std::size_t i : inputs) {
                const value vector =
                    to_.let("v_" + operands_.input_name(i), operands_.vector(i, threads_.address(i, at)));
                to_.unrolled("k", width(),
                             [&](value k) { to_.assign(kept(of_.inputs[i].value, u, k), to_.lane(vector, k)); });
            }
        });
    }

    void compute(int phase) {
        const std::optional<int> body = body_of_phase(phase);
        each_step([&](const step& each, value_id result, int) {
            if (each.code != operation::reduce && phases_.kept[at(result)] && phase_of(result) == phase) keep(result);
        });
        std::vector<std::size_t> stored;
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            if (is_stored(i, phase)) stored.push_back(i);
        if (reduces(phase)) {
            parts_ = to_.own("part" + suffix(phase), types::accumulators(phase), width());
            to_.unrolled("k", width(), [&](value k) { to_.assign(to_.at(parts_, k), to_.identity(phase)); });
        }
        if (!reduces(phase) && stored.empty() && !body) return;
        if (of_.vectorised) compute_vectors(phase, body, stored);
        else compute_elements(phase, body, stored);
    }

    void compute_elements(int phase, std::optional<int> body, const std::vector<std::size_t>& stored) {
        each_element([&](value u, value k, value first) {
            value_threads::place at = stored.empty() ? value_threads::place() : threads_.place_of(first);
            const auto store = [&](std::size_t output, value element) {
                const value number = threads_.number(at);
                to_.when(threads_.is_there, [&] { to_.assign(operands_.output(output, number), element); });
            };
            one_element(phase, body, u, k, first, {}, store);
        });
    }

    void compute_vectors(int phase, std::optional<int> body, const std::vector<std::size_t>& stored) {
        const std::vector<bool> needed = needed_in(phase, program_, of_, phases_);
        each_vector([&](value u, value first) {
            std::vector<value> in_place(of_.inputs.size());
            std::vector<value> results(of_.outputs.size());
            value_threads::place place = threads_.place_of(first);
            for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
                const operand& each = of_.inputs[i];
                if (!read_in_place(i) || !needed[at(each.value)]) continue;
                const bool is_one = each.is_position || each.how == access::uniform;
                const value from = each.is_partial ? value() : threads_.address(i, place);
                in_place[i] = to_.let("v_" + operands_.input_name(i),
                                      is_one ? operands_.element(i, from) : operands_.vector(i, from));
            }
            if (!stored.empty()) threads_.number(place);
            for (const std::size_t i : stored)
                results[i] = to_.variable("v_" + operands_.output_name(i),
                                          types::vector(of_.outputs[i].type, of_.elements_per_thread));
            to_.unrolled("k", width(), [&](value k) {
                one_element(phase, body, u, k, first + k, in_place, [&](std::size_t output, value element) {
                    to_.assign(to_.lane(results[output], k), element);
                });
            });
            for (const std::size_t i : stored)
                to_.when(threads_.is_there, [&] {
                    to_.assign(to_.at(operands_.memory_of_output(i), place.number, results[i].is()), results[i]);
                });
        });
    }

    template <class Store>
    void one_element(int phase, std::optional<int> body, value u, value k, value number,
                     const std::vector<value>& in_place, Store store) {
        element_places places;
        places.held = [&](value_id of) {
            for (std::size_t i = 0; i < in_place.size(); ++i) {
                if (of_.inputs[i].value != of || !in_place[i].is_there()) continue;
                if (of_.inputs[i].how == access::uniform) return in_place[i];
                return of_.inputs[i].is_position ? in_place[i] + k : to_.lane(in_place[i], k);
            }
            return kept(of, u, k);
        };
        places.keep = [&](value_id of) { return kept_[at(of)] != nest::none ? kept(of, u, k) : value(); };
        places.append = [&](value one) {
            const value part = to_.at(parts_, k);
            to_.assign(part, to_.append(part, one));
        };
        places.store = store;
        take_element(phase, body, number, places);
    }

    // --- What the reductions come to ---

    /// For every thread of the row.
    void finish(int phase, nest::id shared) {
        const value mine = to_.variable("mine" + suffix(phase), types::accumulators(phase),
                                        combined_places(to_, [&](int k) { return to_.at(parts_, k); }));
        threads_.combine(mine, shared);
        threads_.give_to_all(mine);
        each_reduction(phase, [&](const step&, value_id result, std::size_t number) {
            row_value(result) =
                to_.let(name_of(result), to_.finish(to_.member(mine, number), number, threads_.reduced));
        });
        compute_row(phase + 1);
    }

    /// What is stored once for each row.
    void store_row() {
        std::vector<std::size_t> stored;
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            if (!of_.stores_elements(i)) stored.push_back(i);
        if (stored.empty()) return;
        to_.when(threads_.lane == 0 && threads_.is_there, [&] {
            for (const std::size_t i : stored)
                to_.assign(operands_.output(i, threads_.which), row_value(of_.outputs[i].value));
        });
    }

    value_threads threads_;
    std::vector<nest::id> kept_;   // by value: memory of the thread's elements
    nest::id parts_ = nest::none;  // accumulators of the phase
};

}  // namespace

nest::tree persistent_rows_nest(const lower::program& program, const kernel& of) {
    nest::builder to({}, of.threads_per_block, of.wide_index);
    nest::operands operands(to, program, of);
    persistent_rows_policy(program, of, to, operands).run();
    return to.finish();
}

}  // namespace kiln::plan
