#include <plan/strips.hpp>

#include <lower/function_body.hpp>
#include <lower/value_list.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

// A longer loop would take seconds to compile: all operations of float32 in one kernel take 30 s in strips, and 0.3 where a call in the
// loop keeps the compiler from looking for vectors (g++ 12).
constexpr std::size_t most_steps_of_phase = 64;

using lower::add_once;
using lower::step;
using lower::value_id;

/// By operation: whether it is a function of the library, of floating numbers.
constexpr bool are_functions[] = {
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) \
    !lower::function_of_body(#floating).empty(),
#include <kiln/operation_table.def>
};

std::size_t at(value_id of) { return static_cast<std::size_t>(of); }

class cutter {
public:
    cutter(const lower::program& program, const nest::body& whole, const std::vector<value_id>& all_along)
        : program_(program),
          whole_(whole),
          level_(at(program.step_value(static_cast<int>(program.steps.size()))), 0),
          is_made_(level_.size(), false),
          is_all_along_(level_.size(), false) {
        for (const value_id each : all_along) is_all_along_[at(each)] = true;
        for (const int number : whole.steps) {
            const value_id made = program.step_value(number);
            const step& each = program.steps[static_cast<std::size_t>(number)];
            int& level = level_[at(made)];
            bool is_all_along = each.arity > 0;
            for (int i = 0; i < each.arity; ++i) {
                level = std::max(level, level_[at(each.args[i])]);
                is_all_along = is_all_along && (program.is_constant(each.args[i]) || is_all_along_[at(each.args[i])]);
            }
            is_all_along_[at(made)] = is_all_along;
            if (is_called(number)) ++level;
            is_made_[at(made)] = true;
            last_ = std::max(last_, level);
        }
        out_.phases.resize(static_cast<std::size_t>(last_) + 1);
        out_.last_read.assign(level_.size(), -1);
        wanted_.resize(out_.phases.size());
    }

    strips run() {
        if (last_ == 0) return {};
        // From the last to the first: what a phase reads, earlier ones make.
        for (int phase = last_; phase >= 0; --phase) {
            strip_phase& made = out_.phases[static_cast<std::size_t>(phase)];
            for (const int number : whole_.steps) {
                const step& each = program_.steps[static_cast<std::size_t>(number)];
                const value_id result = program_.step_value(number);
                if (!is_called(number) || level_[at(result)] != phase + 1) continue;
                made.functions.push_back({std::string(detail::operations[static_cast<int>(each.code)].name) + "_" +
                                              info(each.operands).suffix,
                                          {each.args.begin(), each.args.begin() + each.arity},
                                          result});
                for (int i = 0; i < each.arity; ++i) read_buffered(each.args[i], phase);
            }
            make_elements(phase, made.elements);
        }
        return std::move(out_);
    }

private:
    /// Whether a step is a function that is called for the strip. One of what is the same for all of it stays where it is: the compiler
    /// takes it out of the loop.
    [[nodiscard]] bool is_called(int number) const {
        return is_strip_function(program_.steps[static_cast<std::size_t>(number)]) &&
               !is_all_along_[at(program_.step_value(number))];
    }
    [[nodiscard]] bool is_function(value_id of) const {
        return is_made_[at(of)] && is_strip_function(*program_.step_of(of)) && !is_all_along_[at(of)];
    }

    /// What a phase reads from a buffer: of leaves, constants alone, which it puts there itself.
    void read_buffered(value_id of, int phase) {
        const bool is_made = is_made_[at(of)];
        if (!is_made && !program_.is_constant(of)) return;
        out_.last_read[at(of)] = std::max(out_.last_read[at(of)], phase);
        if (!is_function(of)) add_once(wanted_[static_cast<std::size_t>(is_made ? level_[at(of)] : phase)], of);
    }

    void make_elements(int phase, nest::body& made) {
        made.name = whole_.name + "_" + std::to_string(phase);
        made.outputs = phase == last_ ? whole_.outputs : wanted_[static_cast<std::size_t>(phase)];
        std::vector<bool> needed(level_.size(), false);
        std::vector<bool> is_here(level_.size(), false);
        for (const value_id each : made.outputs) needed[at(each)] = true;
        for (auto number = whole_.steps.rbegin(); number != whole_.steps.rend(); ++number) {
            const value_id of = program_.step_value(*number);
            if (!needed[at(of)] || !is_made_[at(of)]) continue;
            const step& each = program_.steps[static_cast<std::size_t>(*number)];
            // Conditions are made again: a loop that loads bool is not vectorised (g++ 12).
            is_here[at(of)] = !is_called(*number) && (level_[at(of)] == phase || each.result == element_type::boolean);
            if (!is_here[at(of)]) continue;
            made.steps.push_back(*number);
            for (int i = 0; i < each.arity; ++i) needed[at(each.args[i])] = true;
        }
        std::reverse(made.steps.begin(), made.steps.end());
        for (value_id each = 0; at(each) < needed.size(); ++each) {
            if (!needed[at(each)] || is_here[at(each)] || program_.is_constant(each)) continue;
            made.inputs.push_back(each);
            read_buffered(each, phase);
        }
    }

    const lower::program& program_;
    const nest::body& whole_;
    std::vector<int> level_;     // by value: the phase that makes it, of functions' results the one after their call
    std::vector<bool> is_made_;  // by value: by a step of the whole
    std::vector<bool> is_all_along_;  // by value: the same for all elements
    int last_ = 0;
    strips out_;
    std::vector<std::vector<value_id>> wanted_;  // by phase: what it puts into buffers
};

}  // namespace

bool is_called_for_strips(operation code, element_type operands) {
    if (code >= operation::cast || !are_functions[static_cast<std::size_t>(code)]) return false;
    return kind_of(operands) == element_kind::floating;
}

bool is_strip_function(const step& of) { return is_called_for_strips(of.code, of.operands); }

bool gathers(const lower::program& program, const nest::body& of) {
    return std::any_of(of.steps.begin(), of.steps.end(), [&](int step) {
        return program.steps[static_cast<std::size_t>(step)].code == operation::gather;
    });
}

std::vector<value_id> values_all_along(const kernel& of, unsigned along) {
    std::vector<value_id> out = of.scalars;
    for (const operand& each : of.inputs)
        if (!(each.axes_read() & along)) out.push_back(each.value);
    return out;
}

strips strips_of(const lower::program& program, const nest::body& whole, const std::vector<value_id>& all_along) {
    strips out = cutter(program, whole, all_along).run();
    // Of 16-bit floats each step is several: what is this long as a whole takes g++ 45 s.
    const bool is_narrow = std::any_of(whole.steps.begin(), whole.steps.end(), [&](int step) {
        return is_small_float(program.steps[static_cast<std::size_t>(step)].operands);
    });
    const bool is_long = (is_narrow && whole.steps.size() > most_steps_of_phase) ||
                         std::any_of(out.phases.begin(), out.phases.end(), [](const strip_phase& each) {
                             return each.elements.steps.size() > most_steps_of_phase;
                         });
    return is_long ? strips() : out;
}

}  // namespace kiln::plan
