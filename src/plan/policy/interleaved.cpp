// Rows of few elements lie side by side, as the colours of pixels do. A thread takes four rows: their elements together are whole
// vectors, and what comes of the rows is one, or as many. Where each thread read a row by itself, its elements came one by one, each a few apart
// from the neighbouring thread's.
#include <plan/policy/phased_rows.hpp>
#include <plan/policy/reduction.hpp>

namespace kiln::plan {

namespace {

using lower::step;
using lower::value_id;
using nest::value;
namespace types = nest::types;

/// The elements of a thread's rows, and what is stored of them.
class rows_of_thread {
public:
    rows_of_thread(nest::builder& to, nest::operands& operands, const kernel& of)
        : to_(to), operands_(operands), of_(of), threads_(to, operands, of), inputs_(of.inputs.size()) {}

    [[nodiscard]] int rows() const { return of_.rows_per_thread; }
    [[nodiscard]] int extent() const { return of_.row_extent; }
    [[nodiscard]] value reduced() { return to_.constant(extent(), types::number); }

    void begin() {
        if (of_.reduces()) threads_.begin();
        else threads_.begin_rows();
        to_.when(!threads_.is_there, [&] { to_.end(); });
        whole_ = to_.let("whole", threads_.which + rows() <= threads_.kept);
        for (std::size_t i = 0; i < inputs_.size(); ++i) load(i);
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            made_.push_back(to_.own("v_" + operands_.output_name(i), types::vector(of_.outputs[i].type, rows()),
                                    of_.stores_elements(i) ? extent() : 1));
    }

    /// Each of the rows: the last one's elements where there is none.
    template <class Each>
    void each_row(Each each) {
        to_.unrolled("r", rows(), [&](value r) {
            r_ = r;
            at_ = threads_.place_of_value(
                to_.let("row", types::number, to_.least(threads_.which + r, threads_.kept - 1)));
            for (std::size_t i = 0; i < inputs_.size(); ++i) {
                if (of_.inputs[i].axes_read() & of_.row_axes() || of_.inputs[i].is_partial) continue;
                value_threads::place here = at_;
                inputs_[i].of_row =
                    to_.let("of_row_" + operands_.input_name(i), operands_.element(i, threads_.address(i, here)));
            }
            each();
        });
    }
    template <class Each>
    void each_element(Each each) {
        to_.unrolled("e", extent(), each);
    }

    /// Element e of the row.
    value element(std::size_t i, value e) {
        const input& of = inputs_[i];
        if (of.of_row.is_there()) return of.of_row;
        if (of_.inputs[i].is_partial) return operands_.element(i, {});
        if (of.vectors != nest::none) return lane_of(of.vectors, r_ * extent() + e);
        if (of.of_all != nest::none) return to_.at(of.of_all, e);
        value_threads::place here = at_;
        here.positions[static_cast<std::size_t>(of_.rank - 1)] =
            to_.let("p" + std::to_string(of_.rank - 1), types::index, e);
        return operands_.element(i, threads_.address(i, here));
    }

    /// What becomes of an output: for element e, or for the row.
    value made(std::size_t i, value e) { return lane_of(made_[i], r_ * extent() + e); }
    value made(std::size_t i) { return lane_of(made_[i], r_); }

    void store() {
        to_.when(
            whole_,
            [&] {
                for (std::size_t i = 0; i < made_.size(); ++i)
                    to_.unrolled("v", of_.stores_elements(i) ? extent() : 1, [&](value v) {
                        to_.assign(to_.at(operands_.memory_of_output(i), first_of(i) + v * rows(),
                                          types::vector(of_.outputs[i].type, rows())),
                                   to_.at(made_[i], v));
                    });
            },
            [&] {
                // At least one row is missing.
                for (std::size_t i = 0; i < made_.size(); ++i) {
                    const int elements = of_.stores_elements(i) ? extent() : 1;
                    to_.unrolled("f", (rows() - 1) * elements, [&](value f) {
                        to_.when(threads_.which + f / elements < threads_.kept,
                                 [&] { to_.assign(operands_.output(i, first_of(i) + f), lane_of(made_[i], f)); });
                    });
                }
            });
    }

private:
    struct input {
        nest::id vectors = nest::none;  // of all rows
        nest::id of_all = nest::none;   // of a row, the same in all
        value of_row = {};              // the same all along a row
    };

    value lane_of(nest::id vectors, value number) {
        return to_.lane(to_.at(vectors, number / rows()), number % rows());
    }

    /// Where what is stored of the first row begins.
    value first_of(std::size_t output) {
        return of_.stores_elements(output) ? threads_.which * extent() : threads_.which;
    }

    void load(std::size_t i) {
        const operand& of = of_.inputs[i];
        const std::string name = "v_" + operands_.input_name(i);
        if (of.is_partial || of.is_position) return;
        if (of.how == access::contiguous) {
            const nest::type vector = types::vector(of.type, rows());
            inputs_[i].vectors = to_.own(name, vector, extent());
            const value first = threads_.which * extent();
            to_.when(
                whole_,
                [&] {
                    to_.unrolled("v", extent(), [&](value v) {
                        to_.assign(to_.at(inputs_[i].vectors, v),
                                   to_.at(operands_.memory_of_input(i), first + v * rows(), vector));
                    });
                },
                [&] {
                    to_.unrolled("f", rows() * extent(), [&](value f) {
                        const value row = to_.least(threads_.which + f / extent(), threads_.kept - 1);
                        to_.assign(lane_of(inputs_[i].vectors, f), operands_.element(i, row * extent() + f % extent()));
                    });
                });
        } else if (of.steps.empty() && (of.address.axes & ~of_.row_axes()) == 0 && of.how != access::uniform) {
            inputs_[i].of_all = to_.own(name, types::element(of.type), extent());
            each_element([&](value e) {
                value_threads::place here = threads_.place_of(e);
                to_.assign(to_.at(inputs_[i].of_all, e), operands_.element(i, threads_.address(i, here)));
            });
        }
    }

    nest::builder& to_;
    nest::operands& operands_;
    const kernel& of_;
    value_threads threads_;
    std::vector<input> inputs_;
    std::vector<nest::id> made_;  // of each output
    value whole_;
    value r_;  // the row that is worked on
    value_threads::place at_;
};

/// Accumulators as where a row has a thread of its own: of each element of a vector one, and those of all in pairs.
class accumulators_of_row {
public:
    accumulators_of_row(nest::builder& to, const std::string& suffix, int set) : to_(to), suffix_(suffix), set_(set) {
        parts_ = to_.own("part" + suffix, types::accumulators(set), count);
        to_.unrolled("k", count, [&](value k) { to_.assign(to_.at(parts_, k), to_.identity(set)); });
    }

    void append(value e, value one) {
        const value part = to_.at(parts_, e % count);
        to_.assign(part, to_.append(part, one));
    }
    value combined() {
        return to_.variable("mine" + suffix_, types::accumulators(set_),
                            combined_places(to_, [&](int k) { return to_.at(parts_, k); }));
    }

private:
    static constexpr int count = 4;
    nest::builder& to_;
    std::string suffix_;
    int set_;
    nest::id parts_;
};

/// Nothing is reduced: what each row has one of is read once for its elements.
void compute_rows(nest::operands& operands, rows_of_thread& rows) {
    rows.begin();
    rows.each_row([&] {
        rows.each_element([&](value e) {
            operands.compute([&](std::size_t i) { return rows.element(i, e); },
                             [&](std::size_t i) { return rows.made(i, e); }, {});
        });
    });
    rows.store();
}

void reduce_rows(const kernel& of, nest::builder& to, nest::operands& operands, rows_of_thread& rows) {
    to.set(reductions_of_outputs(of));
    rows.begin();
    rows.each_row([&] {
        accumulators_of_row accumulators(to, "", 0);
        rows.each_element([&](value e) {
            accumulators.append(e, reduced_element(
                                       to, operands, of, [&](std::size_t i) { return rows.element(i, e); }, {}, e,
                                       [&](std::size_t i, value element) { to.assign(rows.made(i, e), element); }));
        });
        const value mine = accumulators.combined();
        for (std::size_t i = 0; i < of.outputs.size(); ++i)
            if (!of.stores_elements(i)) to.assign(rows.made(i), to.finish(to.member(mine, i), i, rows.reduced()));
    });
    rows.store();
}

/// Rows that stay on chip between reductions and what is made of them.
class kept_rows_policy : phased_rows {
public:
    kept_rows_policy(const lower::program& program, const kernel& of, nest::builder& to, nest::operands& operands,
                     rows_of_thread& rows)
        : phased_rows(program, of, to, operands), rows_(rows), kept_(phases_.phase.size(), nest::none) {
        for (reduction_set& each : reductions_of_rows(program)) to_.set(std::move(each));
    }

    void run() {
        rows_.begin();
        rows_.each_row([&] {
            compute_row(0);
            for (int phase = 0; phase < phases_.count; ++phase) take_phase(phase);
            for (std::size_t i = 0; i < of_.outputs.size(); ++i)
                if (!of_.stores_elements(i)) to_.assign(rows_.made(i), row_value(of_.outputs[i].value));
        });
        rows_.store();
    }

private:
    void take_phase(int phase) {
        const std::optional<int> body = body_of_phase(phase);
        each_step([&](const step& each, value_id result, int) {
            if (each.code != operation::reduce && phases_.kept[at(result)] && phase_of(result) == phase)
                kept_[at(result)] = to_.own("row_" + name_of(result), type_of(result), rows_.extent());
        });
        bool stores = false;
        for (std::size_t i = 0; i < of_.outputs.size(); ++i) stores = stores || is_stored(i, phase);
        if (!reduces(phase) && !stores && !body) return;
        std::optional<accumulators_of_row> accumulators;
        if (reduces(phase)) accumulators.emplace(to_, to_.made().sets[static_cast<std::size_t>(phase)].suffix, phase);
        rows_.each_element([&](value e) {
            element_places places;
            places.held = [&](value_id of) {
                const operand* const found = input(of);
                if (!found) return to_.at(kept_[at(of)], e);
                return rows_.element(static_cast<std::size_t>(found - of_.inputs.data()), e);
            };
            places.keep = [&](value_id of) { return kept_[at(of)] != nest::none ? to_.at(kept_[at(of)], e) : value(); };
            places.append = [&](value one) { accumulators->append(e, one); };
            places.store = [&](std::size_t output, value element) { to_.assign(rows_.made(output, e), element); };
            take_element(phase, body, e, places);
        });
        if (!reduces(phase)) return;
        const value mine = accumulators->combined();
        each_reduction(phase, [&](const step&, value_id result, std::size_t number) {
            row_value(result) = to_.let(name_of(result), to_.finish(to_.member(mine, number), number, rows_.reduced()));
        });
        compute_row(phase + 1);
    }

    rows_of_thread& rows_;
    std::vector<nest::id> kept_;  // by value: a row's elements
};

}  // namespace

nest::tree interleaved_nest(const lower::program& program, const kernel& of) {
    nest::builder to({}, of.threads_per_block, of.wide_index);
    nest::operands operands(to, program, of);
    rows_of_thread rows(to, operands, of);
    if (!of.reduces()) compute_rows(operands, rows);
    else if (of.persistent_rows) kept_rows_policy(program, of, to, operands, rows).run();
    else reduce_rows(of, to, operands, rows);
    return to.finish();
}

}  // namespace kiln::plan
