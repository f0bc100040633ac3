#include <plan/policy/drawn_blocks.hpp>
#include <plan/policy/strip_loop.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace kiln::plan {

namespace {

using lower::value_id;
using nest::builder;
using nest::line_bytes;
using nest::runner;
using nest::value;
namespace types = nest::types;

/// Of one strip.
class strip {
public:
    strip(builder& to, const lower::program& program, const strips& of, const std::vector<int>& bodies,
          const strip_operands& operands, value first, value count)
        : to_(to),
          program_(program),
          of_(of),
          bodies_(bodies),
          operands_(operands),
          first_(first),
          count_(count),
          buffers_(of.last_read.size(), nest::none) {}

    void run() {
        const int last = static_cast<int>(of_.phases.size()) - 1;
        const bool ends_with_a_function = last_function_stores();
        for (int phase = 0; phase <= last; ++phase) {
            const strip_phase& each = of_.phases[static_cast<std::size_t>(phase)];
            if (phase < last || !ends_with_a_function) compute(each.elements, phase, phase == last);
            for (const strip_function& function : each.functions) {
                std::vector<value> from;
                for (const value_id argument : function.arguments) from.push_back(place_of(argument));
                const bool stores = phase + 1 == last && ends_with_a_function;
                to_.function(function.name, from, stores ? beside(operands_.output(0, first_)) : result(function),
                             count_);
            }
            release(phase);
        }
    }

private:
    /// Whether what the last function makes is the whole's one result, which it can leave where it belongs.
    [[nodiscard]] bool last_function_stores() const {
        const std::vector<strip_phase>& phases = of_.phases;
        if (phases.size() < 2 || phases.back().elements.outputs.size() != 1) return false;
        const std::vector<strip_function>& functions = phases[phases.size() - 2].functions;
        return functions.size() == 1 && functions.front().result == phases.back().elements.outputs.front() &&
               operands_.are_outputs_beside(0);
    }

    void compute(const nest::body& body, int phase, bool is_last) {
        if (body.outputs.empty()) return;
        if (!is_last)
            for (const value_id each : body.outputs) buffer(each);
        const auto compute_at = [&](value j, std::vector<value> inputs) {
            std::vector<value> outputs;
            for (std::size_t o = 0; o < body.outputs.size(); ++o)
                outputs.push_back(is_last ? operands_.output(o, first_ + j) : to_.at(buffer(body.outputs[o]), j));
            if (gathers(program_, body)) {
                inputs.push_back(to_.make(nest::operation::layout, types::index));
                const std::vector<value> positions = operands_.positions(first_ + j);
                inputs.insert(inputs.end(), positions.begin(), positions.end());
            }
            to_.compute(inputs, outputs, bodies_[static_cast<std::size_t>(phase)]);
        };
        const auto one = [&](value j) {
            std::vector<value> inputs;
            for (const value_id each : body.inputs) inputs.push_back(element(each, first_ + j, j));
            compute_at(j, inputs);
        };
        if (!draws(body)) return to_.loop(runner::simd, "j", 0, count_, 1, one, /*written_out=*/0, types::index);
        const int together = operands_.drawn_together;
        add_loop_of_blocks(
            to_, together, operands_.linear.is_there() ? operands_.linear + first_ : first_,
            to_.constant(0, types::index), count_, one, [&](value begin) {
                for (int k = 0; k < together; ++k) {
                    std::vector<value> inputs;
                    for (const value_id each : body.inputs)
                        inputs.push_back(operands_.are_positions(each)
                                             ? position_in_block(operands_.input(each, first_ + begin), together, k)
                                             : element(each, first_ + begin + k, begin + k));
                    compute_at(begin + k, inputs);
                }
            });
    }

    [[nodiscard]] bool draws(const nest::body& of) const {
        return operands_.drawn_together > 1 && std::any_of(of.inputs.begin(), of.inputs.end(), operands_.are_positions);
    }

    [[nodiscard]] bool is_buffered(value_id of) const { return of_.last_read[static_cast<std::size_t>(of)] >= 0; }
    value element(value_id of, value i, value j) {
        return is_buffered(of) ? to_.at(buffer(of), j) : operands_.input(of, i);
    }

    /// Where a function finds an argument's elements side by side: of inputs that do not lie so, a copy.
    value place_of(value_id of) {
        if (is_buffered(of)) return to_.place(buffer(of), 0);
        if (operands_.are_inputs_beside(of)) return beside(operands_.input(of, first_));
        nest::id& copy = copies_.try_emplace(of, nest::none).first->second;
        if (copy == nest::none) {
            copy = new_buffer(program_.type_of(of));
            to_.loop(
                runner::simd, "j", 0, count_, 1,
                [&](value j) { to_.assign(to_.at(copy, j), operands_.input(of, first_ + j)); },
                /*written_out=*/0, types::index);
        }
        return to_.place(copy, 0);
    }

    /// What is in memory at that place, and after it.
    value beside(value element) {
        const nest::expression& access = to_.made().at(element.which());
        return to_.make(nest::operation::place, access.is, {&to_, access.a}, {}, {}, access.number);
    }

    value result(const strip_function& of) { return to_.place(buffer(of.result), 0); }

    nest::id buffer(value_id of) {
        nest::id& out = buffers_[static_cast<std::size_t>(of)];
        if (out == nest::none) out = new_buffer(program_.type_of(of));
        return out;
    }
    /// One that no value needs any more, or a new one.
    nest::id new_buffer(element_type type) {
        const auto found = std::find_if(free_.begin(), free_.end(), [&](nest::id each) {
            return to_.made().memories[static_cast<std::size_t>(each)].is == types::element(type);
        });
        if (found == free_.end()) return to_.own("buffer", types::element(type), strip_elements, line_bytes);
        const nest::id out = *found;
        free_.erase(found);
        return out;
    }
    void release(int phase) {
        for (std::size_t i = 0; i < buffers_.size(); ++i) {
            if (buffers_[i] == nest::none || of_.last_read[i] > phase) continue;
            free_.push_back(buffers_[i]);
            buffers_[i] = nest::none;
        }
    }

    builder& to_;
    const lower::program& program_;
    const strips& of_;
    const std::vector<int>& bodies_;
    const strip_operands& operands_;
    const value first_, count_;
    std::vector<nest::id> buffers_;  // by value; none: it has none, or not yet, or no more
    std::vector<nest::id> free_;
    std::map<value_id, nest::id> copies_;  // of inputs
};

}  // namespace

strip_bodies::strip_bodies(builder& to, const lower::program& program, strips of)
    : program_(&program), of_(std::move(of)) {
    for (const strip_phase& each : of_.phases) numbers_.push_back(to.body(each.elements));
}

void strip_bodies::add_loop(builder& to, value from, value end, const strip_operands& operands) const {
    to.loop(
        runner::serial, "strip", from, end, strip_elements,
        [&](value first) {
            const value count = to.let("count", types::index, to.least(end - first, strip_elements));
            strip(to, *program_, of_, numbers_, operands, first, count).run();
        },
        /*written_out=*/0, types::index);
}

}  // namespace kiln::plan
