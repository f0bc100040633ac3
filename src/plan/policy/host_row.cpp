#include <plan/policy/drawn_blocks.hpp>
#include <plan/policy/host_row.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using nest::builder;
using nest::runner;
using nest::value;
using step_kind = detail::index_step::kind;
namespace types = nest::types;

// Below, what finds out how far plain loads go costs more than they save.
constexpr int least_run = 16;  // elements

// Of an element that stands for all beyond its array's edge: what a piece has at most, on the stack for each part.
constexpr int bytes_beyond = 4096;
constexpr int most_parts = 8;  // 32 KB of it

// Of bodies that are stored past the caches, which stand in the kernel once more: long ones take long to compile, and are
// not bound by memory.
constexpr int most_steps = 64;
constexpr int most_steps_of_narrow = 16;  // of 16-bit floats, which are rounded after each step

/// How the loop finds an operand's elements.
enum class addressing : std::uint8_t {
    linear,     // as the iteration is numbered
    elsewhere,  // where the code around the row says
    body,       // where the body says
    even,       // at evenly spaced places along the whole row
    pieces,     // at evenly spaced places along pieces of it
    computed,   // anywhere: computed for each element
};

struct reached {
    const row_operand* of;
    addressing how;
    along_row along;
    std::vector<value> steps;  // as far as they are known where the text is
    value address;
    value by;       // from one position to the next; of what is even, or in pieces
    value element;  // of inputs that have one for the whole row
    // Of what is put together (find_what_is_put_together()): memory for what is beyond the edge; whether a piece is; what it has.
    nest::id beyond = nest::none;
    value is_beyond;
    nest::id piece = nest::none;
};

class row {
public:
    row(builder& to, nest::operands& operands, int inner, const row_elements& elements, const row_bounds& in,
        value nontemporal)
        : to_(to), operands_(operands), inner_(inner), elements_(elements), in_(in), nontemporal_(nontemporal) {
        for (const row_operand& each : elements.inputs) inputs_.push_back(reached_by(each));
        for (const row_operand& each : elements.outputs) outputs_.push_back(reached_by(each));
    }

    void run() {
        bool in_pieces = false;
        each_operand([&](reached& each) {
            what_is_still(each);
            in_pieces = in_pieces || each.how == addressing::pieces;
        });
        for (reached& each : inputs_) read_once(each);
        if (elements_.lanes) lanes();
        else if (in_pieces) pieces();
        else loop(in_.begin, in_.end, {}, addressing::pieces);
    }

private:
    template <class Visit>
    void each_operand(Visit visit) {
        for (reached& each : inputs_) visit(each);
        for (reached& each : outputs_) visit(each);
    }

    [[nodiscard]] reached reached_by(const row_operand& of) const {
        reached out{&of, addressing::even, {}, {}, {}, {}, {}, nest::none, {}, nest::none};
        if (of.of->gathered) out.how = addressing::body;
        else if (of.is_elsewhere) out.how = addressing::elsewhere;
        else if (of.of->how == access::contiguous) out.how = addressing::linear;
        else out.along = motion_of(*of.of, inner_);
        if (out.how == addressing::even && !out.along.still)
            out.how = out.along.regular ? addressing::pieces : addressing::computed;
        out.steps.resize(out.along.steps.size());
        return out;
    }

    [[nodiscard]] std::vector<value> positions_at(value along) const {
        std::vector<value> out = in_.positions;
        out[static_cast<std::size_t>(inner_)] = along;
        return out;
    }

    void add_step(reached& each, std::size_t number, value along) {
        each.steps[number] = to_.let(each.of->name + "_" + std::to_string(number), types::index,
                                     operands_.step(each.of->of->steps[number], positions_at(along), each.steps));
    }

    value address_of(const reached& each, value along) {
        return operands_.linear(each.of->of->address, positions_at(along), each.steps);
    }

    /// What holds for the whole row.
    void what_is_still(reached& each) {
        if (each.how < addressing::even) return;
        for (std::size_t i = 0; i < each.steps.size(); ++i)
            if (each.along.steps[i] == motion::still) add_step(each, i, to_.constant(0));
        if (each.how == addressing::even) {
            each.address = to_.let("at_" + each.of->name, types::index, address_of(each, to_.constant(0)));
            each.by = operands_.stride(*each.of->of, inner_);
        } else if (each.how == addressing::pieces) {
            each.by = slope(to_, operands_, each.along, *each.of->of, inner_);
        }
    }

    /// One element for the whole row is read before its loop: what is stored there might be in its place for all that a compiler
    /// knows, and what is computed of it alone would be computed for each element.
    void read_once(reached& each) {
        if (each.how != addressing::even || each.of->of->is_position || !is_constant(each.by, 0)) return;
        const value read = each.of->element(each.address);
        each.element = to_.let(each.of->name + "_of_row", read.is(), read);
    }

    /// What is put together along the row stands beside each other, chosen by position: where one part has elements, the others are beyond
    /// their edges, for as long as that one has elements. A stencil's operands are for one or two.
    void find_what_is_put_together() {
        const auto is_part = [](const reached& each) {
            if (each.how != addressing::pieces || each.of->of->is_position || !is_constant(each.by, 1)) return false;
            int moving = 0, clamped = 0;
            for (std::size_t i = 0; i < each.steps.size(); ++i) {
                moving += each.along.steps[i] != motion::still;
                clamped += each.along.input_moves[i] && each.of->of->steps[i].how == step_kind::clamp;
            }
            return moving == 1 && clamped == 1;
        };
        const bool by_position = std::any_of(inputs_.begin(), inputs_.end(), [](const reached& each) {
            if (!each.of->of->is_position || each.how > addressing::even) return false;
            return each.how < addressing::even || !is_constant(each.by, 0);
        });
        const auto parts = std::count_if(inputs_.begin(), inputs_.end(), is_part);
        if (!by_position || parts < 2 || parts > most_parts) return;
        for (reached& each : inputs_) {
            if (!is_part(each)) continue;
            const element_type type = each.of->of->type;
            each.beyond =
                to_.own("beyond_" + each.of->name, types::element(type), bytes_beyond / bytes_of(type), line_bytes);
        }
    }

    /// For how many elements from `input` on the part has elements, `inside`, or has none.
    value beyond_or(const reached& each, value inside, value input, value left) {
        const value to_edge = to_.select(input < 0, to_.constant(0, types::index) - input, left);
        const int most = bytes_beyond / bytes_of(each.of->of->type);
        return to_.select(each.is_beyond, to_.least(to_edge, most), inside);
    }

    /// Points to what the part has in a piece of `run` elements: its own, or as many of what is beyond its edge.
    void place_part(reached& each, value run) {
        const value element = each.of->element(each.address);
        each.piece = to_.pointer("piece_" + each.of->name, element.is(), to_.place_of(element));
        to_.when(each.is_beyond, [&] {
            const value edge = to_.let("edge_" + each.of->name, element.is(), element);
            to_.loop(
                runner::simd, "i", 0, run, 1, [&](value i) { to_.assign(to_.at(each.beyond, i), edge); },
                /*written_out=*/0, types::index);
            to_.point(each.piece, to_.place(each.beyond, 0));
        });
    }

    /// Rows in pieces along which every regular operand goes up evenly: a plain loop where they are long. Else a few
    /// elements, each found by itself: one at the end of a row, ever more where pieces are short all along.
    void pieces() {
        find_what_is_put_together();
        const value few = to_.variable("few", types::index, 1);
        to_.loop_while_below("from", in_.begin, in_.end, [&](value from) {
            const value left = to_.let("left", types::index, in_.end - from);
            const value run = to_.variable("run", types::index, left);  // elements that go on as the first one does
            each_operand([&](reached& each) {
                if (each.how != addressing::pieces) return;
                for (std::size_t i = 0; i < each.steps.size(); ++i) {
                    if (each.along.input_moves[i]) {
                        const step_plan& step = each.of->of->steps[i];
                        const value input = operands_.linear(step.input, positions_at(from), each.steps);
                        value goes_on = run_of(to_, step, input);
                        if (each.beyond != nest::none) {
                            each.is_beyond = to_.let("is_beyond_" + each.of->name, types::boolean, goes_on == 0);
                            goes_on = beyond_or(each, goes_on, input, left);
                        }
                        to_.assign(run, to_.least(run, goes_on));
                    }
                    if (each.along.steps[i] != motion::still) add_step(each, i, from);
                }
                each.address = to_.let("at_" + each.of->name, types::index, address_of(each, from));
            });
            const value to = to_.variable("to", types::index);
            to_.when(
                run >= least_run,
                [&] {
                    to_.assign(to, from + run);
                    to_.assign(few, 1);
                    for (reached& each : inputs_)
                        if (each.beyond != nest::none) place_part(each, run);
                    loop(from, to, from, addressing::pieces);
                },
                [&] {
                    to_.assign(to, to_.select(left < least_run, in_.end, from + to_.least(few, left)));
                    to_.assign(few, few * 2);
                    loop(from, to, from, addressing::computed);
                });
            to_.assign(from, to);
        });
    }

    /// As many elements at a time as there are lanes, and the rest to the first ones. The loop over lanes is not written out: comparisons
    /// would become branches (emit/host_runs.cpp).
    void lanes() {
        const auto how_of = [](const reached& each) { return each.how; };
        const auto append = [&](value i, value lane) {
            std::vector<value> results;
            for (const reached& each : outputs_) {
                results.push_back(each.of->element(i));
                if (!results.back().is_there()) results.back() = to_.variable(each.of->name, each.of->made);
            }
            elements_.compute(given(inputs_, i, {}, how_of), results, positions_at(i));
            elements_.append(lane, results);
        };
        const value whole =
            to_.let("whole", types::index, in_.end - (in_.end - in_.begin) % to_.constant(elements_.lanes));
        to_.loop(
            runner::serial, "first", in_.begin, whole, elements_.lanes,
            [&](value first) {
                to_.loop(runner::simd, "lane", 0, elements_.lanes, 1, [&](value lane) { append(first + lane, lane); });
            },
            /*written_out=*/0, types::index);
        to_.loop(
            runner::simd, "i", whole, in_.end, 1, [&](value i) { append(i, i - whole); }, /*written_out=*/0,
            types::index);
    }

    /// One loop over positions. `pieces`: how operands are found that go up evenly along pieces, from `first` on.
    void loop(value from, value to, value first, addressing pieces) {
        const auto how_of = [pieces](const reached& each) {
            return each.how == addressing::pieces ? pieces : each.how;
        };
        bool is_plain = true;  // no statement but the body
        each_operand([&](const reached& each) { is_plain = is_plain && how_of(each) != addressing::computed; });
        bool is_guarded = false;
        for (const reached& each : outputs_) is_guarded = is_guarded || each.of->of->guarded_axes;
        const auto element = [&](value i) { this->element(i, first, how_of); };
        if (elements_.in_strips && is_plain && !is_guarded) return loop_of_strips(from, to, first, how_of);
        if (elements_.compute_block && is_plain && !is_guarded && are_outputs_beside(how_of))
            return loop_of_blocks(from, to, first, how_of);
        if (is_plain && !is_guarded && !elements_.gathers && draws_at_contiguous())
            return add_loop_of_blocks(to_, elements_.drawn_together,
                                      in_.linear.is_there() ? in_.linear : to_.constant(0, types::index), from, to,
                                      element, [&](value begin) { block(begin, first, how_of); });
        if (elements_.line && !in_.in_caches && is_plain && !is_guarded && !elements_.gathers && is_beside_or_same())
            return loop_of_lines(
                from, to, element, [&](value i) { return given(inputs_, i, first, how_of); },
                [&](value i) { return given(outputs_, i, first, how_of); });
        // An operand is either apart from the outputs or read at the very position that is written. But a guarded output
        // is written by one element of many: no two iterations may be exchanged.
        to_.loop(is_guarded ? runner::serial : runner::simd, "i", from, to, 1, element, /*written_out=*/0,
                 types::index);
    }

    template <class How>
    void element(value i, value first, How how_of) {
        each_operand([&](reached& each) {
            if (how_of(each) != addressing::computed) return;
            for (std::size_t s = 0; s < each.steps.size(); ++s)
                if (each.along.steps[s] != motion::still) add_step(each, s, i);
            each.address = to_.let("at_" + each.of->name, types::index, address_of(each, i));
        });
        const std::vector<value> inputs = given(inputs_, i, first, how_of);
        std::vector<value> places = given(outputs_, i, first, how_of);
        std::vector<value> results = places;
        for (std::size_t o = 0; o < outputs_.size(); ++o)
            if (outputs_[o].of->of->guarded_axes)
                results[o] = to_.variable("v_" + outputs_[o].of->name, places[o].is());
        elements_.compute(inputs, results, positions_at(i));
        for (std::size_t o = 0; o < outputs_.size(); ++o)
            if (outputs_[o].of->of->guarded_axes)
                to_.when(is_stored(*outputs_[o].of->of, i), [&] { to_.assign(places[o], results[o]); });
    }

    template <class How>
    std::vector<value> given(const std::vector<reached>& of, value i, value first, How how_of) {
        std::vector<value> out;
        for (const reached& each : of) {
            if (each.how == addressing::body) out.emplace_back();
            else out.push_back(element_of(each, how_of(each), i, first));
        }
        return out;
    }

    /// The operand's element at i.
    value element_of(const reached& each, addressing how, value i, value first) {
        return each.element.is_there() ? each.element : element_in_memory(each, how, i, first);
    }
    value element_in_memory(const reached& each, addressing how, value i, value first) {
        if (how == addressing::elsewhere) return each.of->element(i);
        if (how == addressing::pieces && each.piece != nest::none) return to_.at(each.piece, i - first);
        return each.of->element(place(each, how, i, first));
    }

    /// Where the operand's element at i is.
    value place(const reached& each, addressing how, value i, value first) {
        if (how == addressing::linear) return in_.linear.is_there() ? in_.linear + i : i;
        if (how == addressing::computed) return each.address;
        const value along = how == addressing::even ? i : i - first;
        return each.address + along * each.by;
    }

    value is_stored(const operand& of, value i) {
        value out;
        const std::vector<value> positions = positions_at(i);
        for (int axis = 0; axis <= inner_; ++axis) {
            if (!(of.guarded_axes >> axis & 1)) continue;
            const value is_first = positions[static_cast<std::size_t>(axis)] == 0;
            out = out.is_there() ? out && is_first : is_first;
        }
        return out;
    }

    /// Whether every element is beside its neighbours or the same: what gathers is not bound by stores, and takes long to
    /// compile.
    bool is_beside_or_same() {
        bool out = true;
        each_operand([&](const reached& each) {
            out = out && (each.how < addressing::even || is_constant(each.by, 0) || is_constant(each.by, 1));
        });
        return out;
    }

    [[nodiscard]] bool draws_at_contiguous() const {
        return elements_.drawn_together > 1 && std::any_of(inputs_.begin(), inputs_.end(), is_contiguous_position);
    }
    static bool is_contiguous_position(const reached& of) {
        return of.of->of->is_position && of.how == addressing::linear;
    }

    /// The elements of one block of random numbers, from `begin` on.
    template <class How>
    void block(value begin, value first, How how_of) {
        const int together = elements_.drawn_together;
        for (int k = 0; k < together; ++k) {
            std::vector<value> inputs = given(inputs_, begin + k, first, how_of);
            for (std::size_t i = 0; i < inputs.size(); ++i)
                if (is_contiguous_position(inputs_[i]))
                    inputs[i] = position_in_block(
                        inputs_[i].of->element(place(inputs_[i], addressing::linear, begin, first)), together, k);
            elements_.compute(inputs, given(outputs_, begin + k, first, how_of), positions_at(begin + k));
        }
    }

    template <class How>
    bool are_outputs_beside(How how_of) {
        return std::all_of(outputs_.begin(), outputs_.end(), [&](const reached& each) {
            return how_of(each) < addressing::even || is_constant(each.by, 1);
        });
    }

    /// Blocks, which begin with whole lines where they may go past the caches, but the first.
    template <class How>
    void loop_of_blocks(value from, value to, value first, How how_of) {
        const auto place_at = [&](const reached& each, value i) {
            return to_.place_of(element_in_memory(each, how_of(each), i, first));
        };
        const bool may_go_past = elements_.line > 0 && !in_.in_caches;
        const auto number_of = [&](value i) { return in_.linear.is_there() ? in_.linear + i : i; };
        to_.loop_while_below("first_of_block", from, to, [&](value begin) {
            const value most = to_.constant(elements_.block, types::index);
            const value count = to_.let("count", types::index,
                                        to_.least(to - begin, may_go_past ? most - number_of(begin) % most : most));
            std::vector<value> inputs;
            for (const reached& each : inputs_) {
                inputs.push_back(place_at(each, begin));
                const bool is_beside = how_of(each) < addressing::even;
                inputs.push_back(is_beside ? to_.constant(1, types::index) : each.by);
            }
            std::vector<value> outputs;
            for (const reached& each : outputs_) outputs.push_back(place_at(each, begin));
            elements_.compute_block(inputs, outputs, count,
                                    may_go_past ? nontemporal_ : to_.constant(0, types::boolean));
            to_.assign(begin, begin + count);
        });
    }

    /// By functions that are called for strips.
    template <class How>
    void loop_of_strips(value from, value to, value first, How how_of) {
        const auto input = [this](lower::value_id of) -> const reached* {
            const auto found = std::find_if(inputs_.begin(), inputs_.end(),
                                            [of](const reached& each) { return each.of->value == of; });
            return found == inputs_.end() ? nullptr : &*found;
        };
        const auto element = [this, first, how_of](const reached& of, value i) {
            const addressing how = how_of(of);
            return how == addressing::body ? of.of->element({}) : element_of(of, how, i, first);
        };
        const auto is_beside = [how_of](const reached& of) {
            if (of.of->of->is_position) return false;
            return how_of(of) < addressing::even || is_constant(of.by, 1);
        };
        elements_.in_strips->add_loop(
            to_, from, to,
            {[&](lower::value_id of, value i) {
                 const reached* const found = input(of);
                 return found ? element(*found, i) : elements_.all_along(of);
             },
             [&](std::size_t number, value i) { return element(outputs_[number], i); },
             [&](value i) { return positions_at(i); },
             [&](lower::value_id of) {
                 const reached* const found = input(of);
                 return found && is_beside(*found);
             },
             [&](std::size_t number) { return is_beside(outputs_[number]); }, elements_.drawn_together,
             [&](lower::value_id of) {
                 const reached* const found = input(of);
                 return found && is_contiguous_position(*found);
             },
             in_.linear});
    }

    /// Elements up to the first whole line, lines past the caches, and the rest; or all by the first loop. Where chains are woven, lines
    /// in any case.
    template <class Element, class Inputs, class Outputs>
    void loop_of_lines(value from, value to, Element element, Inputs inputs, Outputs outputs) {
        const int line = elements_.line;
        const value first_line = in_.linear.is_there() ? (in_.linear + from + (line - 1)) / line * line - in_.linear
                                                       : (from + (line - 1)) / line * line;
        const value stop = to_.variable(
            "stop", types::index,
            elements_.woven ? to_.least(to, first_line) : to_.select(nontemporal_, to_.least(to, first_line), to));
        to_.loop_while_below("next", from, to, [&](value next) {
            to_.loop(runner::simd, "i", next, stop, 1, element, /*written_out=*/0, types::index);
            const value lines_end = to_.let("lines_end", types::index, stop + (to - stop) / line * line);
            to_.loop(
                runner::serial, "first_of_line", stop, lines_end, line,
                [&](value begin) {
                    std::vector<nest::id> lines;
                    for (const reached& each : outputs_)
                        lines.push_back(to_.own("line_" + each.of->name, each.of->made, line, line_bytes));
                    to_.loop(
                        runner::serial, "j", 0, line, 1,
                        [&](value j) {
                            const value i = to_.let("i", types::index, begin + j);
                            std::vector<value> results;
                            for (const nest::id each : lines) results.push_back(to_.at(each, j));
                            elements_.compute(inputs(i), results, positions_at(i));
                        },
                        /*written_out=*/0);
                    const auto past_caches = [&] { store_past_caches(begin, lines); };
                    if (!elements_.woven) return past_caches();
                    to_.when(nontemporal_, past_caches, [&] {
                        to_.loop(
                            runner::simd, "j", 0, line, 1,
                            [&](value j) {
                                const std::vector<value> places = outputs(begin + j);
                                for (std::size_t o = 0; o < lines.size(); ++o)
                                    to_.assign(places[o], to_.at(lines[o], j));
                            },
                            /*written_out=*/0);
                    });
                },
                /*written_out=*/0, types::index);
            to_.assign(next, lines_end);
            to_.assign(stop, to);
        });
    }

    void store_past_caches(value begin, const std::vector<nest::id>& lines) {
        for (std::size_t o = 0; o < outputs_.size(); ++o) {
            const nest::type vector = types::vector(outputs_[o].of->made.of, elements_.line);
            const value at = in_.linear.is_there() ? in_.linear + begin : begin;
            to_.assign(to_.at(outputs_[o].of->memory, at, vector), to_.whole(lines[o]));
        }
    }

    builder& to_;
    nest::operands& operands_;
    const int inner_;
    const row_elements& elements_;
    const row_bounds& in_;
    const value nontemporal_;
    std::vector<reached> inputs_;
    std::vector<reached> outputs_;
};

}  // namespace

bool goes_evenly(const row_elements& of, int inner) {
    return std::none_of(of.inputs.begin(), of.inputs.end(), [inner](const row_operand& each) {
        if (each.of->gathered) return true;
        const bool is_found = each.is_elsewhere || each.of->how == access::contiguous;
        return !is_found && !motion_of(*each.of, inner).still;
    });
}

int elements_per_line(const std::vector<row_operand>& outputs) {
    int narrowest = line_bytes;
    for (const row_operand& each : outputs) narrowest = std::min(narrowest, bytes_of(each.made.of));
    return line_bytes / narrowest;
}

int elements_per_line(const kernel& of, bool calls_library) {
    return of.last_step - of.first_step > most_steps ? 0 : elements_of_lines(of, calls_library);
}

int elements_of_lines(const kernel& of, bool calls_library) {
    // An output in an input's place has been read into the cache before it is stored.
    if (of.aliased || of.persistent_rows || calls_library || of.gathers()) return 0;
    const bool is_narrow = std::any_of(of.outputs.begin(), of.outputs.end(),
                                       [](const operand& each) { return is_small_float(each.type); });
    if (is_narrow && of.last_step - of.first_step > most_steps_of_narrow) return 0;
    int narrowest = line_bytes;
    for (const operand& each : of.outputs) {
        if (each.how != access::contiguous) return 0;
        narrowest = std::min(narrowest, bytes_of(each.type));
    }
    // Of few elements g++ writes out the loop before it looks for vectors, and finds none whose parts lie side by side: of 2M complex
    // numbers, products where another is small took 17 ms of a core by 8, and 4 by 16.
    constexpr int least_of_complex = 16;
    const auto is_complex = [](const operand& each) { return kind_of(each.type) == element_kind::complex; };
    if (std::any_of(of.inputs.begin(), of.inputs.end(), is_complex) ||
        std::any_of(of.outputs.begin(), of.outputs.end(), is_complex))
        return std::max(line_bytes / narrowest, least_of_complex);
    return line_bytes / narrowest;
}

int drawn_together(const lower::program& program, const kernel& of) {
    int out = 1;
    for (int i = of.first_step; i < of.last_step; ++i) {
        // A block has 128 bits. Normal numbers of double take longer than their block, and far longer to compile than other bodies.
        switch (program.steps[static_cast<std::size_t>(i)].code) {
            case operation::random_u32:
            case operation::random_f32:
            case operation::random_normal_f32: out = 4; break;
            case operation::random_u64:
            case operation::random_f64:
            case operation::random_below: out = std::max(out, 2); break;
            case operation::random_normal: return 1;
            default: break;
        }
    }
    return out;
}

value slope(builder& to, nest::operands& operands, const along_row& along, const operand& of, int axis) {
    value out = operands.stride(of, axis);
    for (const linear_plan::step_word& step : of.address.steps)
        if (along.steps[static_cast<std::size_t>(step.step)] == motion::moves)
            out = out + (step.word < 0 ? to.constant(1) : to.word(step.word));
    return out;
}

value run_of(builder& to, const step_plan& of, value input) {
    const auto make = [&](nest::operation what) { return to.make(what, types::index, input, to.word(of.extent_word)); };
    switch (of.how) {
        case step_kind::wrap: return make(nest::operation::wrap_run);
        case step_kind::clamp:
        case step_kind::mirror: return make(nest::operation::inside_run);
        case step_kind::outside: return make(nest::operation::outside_run);
        case step_kind::divide: return make(nest::operation::divide_run);
        case step_kind::lookup: break;
    }
    return to.constant(0);
}

void add_row(builder& to, nest::operands& operands, int inner, const row_elements& of, const row_bounds& in,
             value nontemporal) {
    row(to, operands, inner, of, in, nontemporal).run();
}

}  // namespace kiln::plan
