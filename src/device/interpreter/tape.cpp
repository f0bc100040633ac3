// kiln/device/interpreter/tape: a slot for each value, a register where it needs one, the function of each step.
#include <device/interpreter/tape.hpp>

#include <capture/function_table.hpp>
#include <capture/reduction_table.hpp>
#include <kiln/error.hpp>

#include <algorithm>
#include <string>

namespace kiln::backend {

namespace {

using lower::program;
using lower::step;
using lower::value_id;

static_assert(block_operation_count == static_cast<int>(operation::cast));
static_assert(block_type_count == element_type_count);

[[noreturn]] void throw_needs_compiler(std::uint64_t function) {
    throw error("kiln: " + kiln::detail::function_at(function).name +
                " is a function of the user's, which only a compiler can turn into a kernel, and this CPU device "
                "interprets; install a C++ compiler (KILN_CXX names one), and do not set KILN_CPU=interpret");
}

block_function function_for(const step& what, const block_table& blocks) {
    if (what.code == operation::call) throw_needs_compiler(what.function);
    const auto operands = static_cast<std::size_t>(what.operands);
    const block_function found = what.code == operation::cast
                                     ? blocks.casts[operands][static_cast<std::size_t>(what.result)]
                                     : blocks.operations[static_cast<std::size_t>(what.code)][operands];
    if (!found) {
        throw error(std::string("interpreter: ") + kiln::detail::operations[static_cast<std::size_t>(what.code)].name +
                    " has no meaning for " + info(what.operands).name);
    }
    return found;
}

class tape_maker {
public:
    tape_maker(const program& program, const plan::kernel& kernel, const block_table& blocks)
        : program_(program),
          kernel_(kernel),
          blocks_(blocks),
          slot_of_(value_count(), -1),
          last_use_(value_count(), -1) {}

    tape run() {
        made_.aliased = kernel_.aliased;
        // Planned for compiled code, which no folder lets this process run any more.
        if (kernel_.needs_compiled_code())
            throw error(
                "kiln: a kernel that keeps rows needs compiled code, which can no longer be loaded; evaluate it "
                "once more, and it is interpreted");
        for (const plan::reduced_output& each : kernel_.reduced)
            if (each.definition) throw_needs_compiler(kiln::detail::reduction_at(each.definition).function);
        find_last_uses();
        place_inputs();
        place_scalars();
        place_direct_outputs();
        for (int number = kernel_.first_step; number < kernel_.last_step; ++number) add_instruction(number);
        place_copied_outputs();
        made_.layout_parameter = plan::find_parameter(kernel_.signature, plan::role::layout);
        if (kernel_.has_layout()) made_.rank = kernel_.rank;
        made_.touched_bytes = made_.register_bytes;
        for (const tape_operand& each : made_.inputs) made_.touched_bytes += each.bytes;
        for (const tape_operand& each : made_.outputs) made_.touched_bytes += each.bytes;
        return std::move(made_);
    }

private:
    static constexpr int for_ever = 1 << 30;

    [[nodiscard]] std::size_t value_count() const {
        return static_cast<std::size_t>(program_.first_step_value()) + program_.steps.size();
    }
    [[nodiscard]] const step& step_at(int number) const { return program_.steps[static_cast<std::size_t>(number)]; }
    [[nodiscard]] int& slot_of(value_id value) { return slot_of_[static_cast<std::size_t>(value)]; }
    [[nodiscard]] int& last_use(value_id value) { return last_use_[static_cast<std::size_t>(value)]; }
    [[nodiscard]] bool made_here(value_id value) const {
        return value >= program_.step_value(kernel_.first_step) && value < program_.step_value(kernel_.last_step);
    }
    [[nodiscard]] bool is_input(value_id value) const {
        return std::any_of(kernel_.inputs.begin(), kernel_.inputs.end(),
                           [value](const plan::operand& each) { return each.value == value; });
    }

    void find_last_uses() {
        for (int number = kernel_.first_step; number < kernel_.last_step; ++number) {
            for (const value_id arg : step_at(number).args) {
                if (arg < 0) continue;
                last_use(arg) = number;
                if (!made_here(arg) && is_input(arg)) last_input_read_ = number;
            }
        }
        for (const plan::operand& each : kernel_.outputs) {
            last_use(each.value) = for_ever;
            if (is_input(each.value)) last_input_read_ = for_ever, input_is_output_ = true;
        }
    }

    int new_slot(element_type type) {
        made_.slots.push_back({bytes_of(type), -1, -1});
        return static_cast<int>(made_.slots.size()) - 1;
    }

    int new_register(element_type type) {
        const int number = new_slot(type);
        slot& added = made_.slots.back();
        added.register_offset = made_.register_bytes;
        added.register_number = made_.register_count++;
        made_.register_bytes += added.bytes;
        return number;
    }

    // Operands that are not contiguous have a register too: which rows can be read in place is known only at the call.
    void place_inputs() {
        const bool copy = kernel_.aliased && input_is_output_ && kernel_.outputs.size() > 1;
        for (int i = 0; const plan::operand& each : kernel_.inputs) {
            const int parameter = plan::find_parameter(
                kernel_.signature, each.is_position ? plan::role::position : plan::role::input, i++);
            if (each.gathered) {
                made_.gathered.push_back({-1, parameter, bytes_of(each.type), each, false});
                gathered_.push_back(each.value);
                continue;
            }
            // Two outputs that trade the memory of two inputs: the second would read what the first has written.
            const bool in_place = !copy && !each.is_position;
            const bool own = each.how != plan::access::contiguous || !in_place;
            const int number = own ? new_register(each.type) : new_slot(each.type);
            slot_of(each.value) = number;
            made_.inputs.push_back({number, parameter, bytes_of(each.type), each, in_place});
        }
    }

    void place_scalars() {
        for (int i = 0; const value_id value : kernel_.scalars) {
            const element_type type = program_.type_of(value);
            slot_of(value) = new_register(type);
            const int parameter = plan::find_parameter(kernel_.signature, plan::role::scalar, i++);
            made_.scalars.push_back({slot_of(value), parameter, bytes_of(type)});
        }
        for (std::size_t i = 0; i < program_.constants.size(); ++i) {
            const value_id value = program_.constant_value(static_cast<int>(i));
            if (last_use(value) < 0) continue;
            const lower::constant& of = program_.constants[i];
            slot_of(value) = new_register(of.type);
            made_.constants.push_back({slot_of(value), bytes_of(of.type), of.bits});
        }
    }

    // An output is written by the instruction that makes its value, unless it may be the memory of an input that is
    // still to be read.
    void place_direct_outputs() {
        for (int i = 0; const plan::operand& each : kernel_.outputs) {
            const int parameter = plan::find_parameter(kernel_.signature, plan::role::output, i++);
            tape_operand placed{-1, parameter, bytes_of(each.type), each, false};
            const bool reads_are_over =
                !kernel_.aliased || each.value - program_.first_step_value() >= last_input_read_;
            if (made_here(each.value) && slot_of(each.value) < 0 && reads_are_over) {
                placed.slot = slot_of(each.value) = new_register(each.type);
                placed.in_place = true;
            }
            made_.outputs.push_back(placed);
        }
    }

    void place_copied_outputs() {
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            if (!made_.outputs[i].in_place) made_.outputs[i].slot = slot_of(kernel_.outputs[i].value);
    }

    // A register given back is taken again for values of its width only: in a wider value's place, element i of the new
    // value would lie on an element of the old one that is still to be read.
    int take_register(element_type type) {
        for (std::size_t i = free_.size(); i-- > 0;) {
            const int number = free_[i];
            if (made_.slots[static_cast<std::size_t>(number)].bytes != bytes_of(type)) continue;
            free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i));
            return number;
        }
        return new_register(type);
    }

    void add_instruction(int number) {
        const step& what = step_at(number);
        const value_id result = program_.step_value(number);
        tape_instruction added;
        // The first argument of a gather is a leaf, no value: it has no slot.
        const int first = what.code == operation::gather ? 1 : 0;
        if (first) {
            added.gathered =
                static_cast<int>(std::find(gathered_.begin(), gathered_.end(), what.args[0]) - gathered_.begin());
        } else {
            added.run = function_for(what, blocks_);
        }
        for (int i = 0; i < max_rank; ++i)
            added.args[i] = slot_of(what.args[first + i < what.arity ? first + i : first]);
        for (int i = 0; i < what.arity; ++i) {
            const value_id arg = what.args[i];
            const bool repeated = std::find(what.args.begin(), what.args.begin() + i, arg) != what.args.begin() + i;
            if (made_here(arg) && last_use(arg) == number && !repeated) free_.push_back(slot_of(arg));
        }
        if (slot_of(result) < 0) slot_of(result) = take_register(what.result);
        added.out = slot_of(result);
        if (last_use(result) < 0) free_.push_back(added.out);  // nobody reads it
        made_.instructions.push_back(added);
    }

    const program& program_;
    const plan::kernel& kernel_;
    const block_table& blocks_;
    tape made_;
    std::vector<int> slot_of_;
    std::vector<int> last_use_;  // the last step that reads a value; -1: none; for_ever: an output
    std::vector<int> free_;      // registers that no live value is in
    int last_input_read_ = -1;
    bool input_is_output_ = false;
    std::vector<value_id> gathered_;  // the leaf of each of the tape's gathers
};

}  // namespace

tape make_tape(const lower::program& program, const plan::kernel& kernel, const block_table& blocks) {
    return tape_maker(program, kernel, blocks).run();
}

}  // namespace kiln::backend
