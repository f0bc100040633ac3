#include <plan/loops.hpp>

#include <plan/float_vectors.hpp>
#include <plan/operands.hpp>
#include <plan/strips.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using lower::step;

template <class Test>
bool has_step(const lower::program& program, const kernel& of, Test test) {
    const auto begin = program.steps.begin();
    return std::any_of(begin + of.first_step, begin + of.last_step, test);
}

/// Whether functions are called for strips of elements, which take longer than what a compiler makes of the other steps.
bool calls_strip_functions(const lower::program& program, const kernel& of) {
    return has_step(program, of, is_strip_function);
}

/// Whether the nest takes elements, whole rows or persistent columns as they come, in loops that hold no tiles.
bool is_walk(const kernel& of) { return (!of.side_by_side || of.in_tiles || of.lies_across) && !of.crossed; }

bool is_float(element_type type) { return type == element_type::float32 || type == element_type::float64; }

/// Whether all that is read, computed and stored are floats, but for what is chosen by.
template <class IsFloat>
bool is_of(const lower::program& program, const kernel& of, IsFloat is_float) {
    const auto is_array_of_floats = [&](const operand& each) { return is_float(each.type) && !each.is_position; };
    const auto is_other = [&](const step& each) {
        const bool is_choice = each.result == element_type::boolean;
        const bool of_floats = is_float(each.operands) || (is_choice && each.operands == element_type::boolean);
        return each.code == operation::call || !of_floats || !(is_choice || is_float(each.result));
    };
    return !of.gathers() && std::all_of(of.inputs.begin(), of.inputs.end(), is_array_of_floats) &&
           std::all_of(of.outputs.begin(), of.outputs.end(), is_array_of_floats) && !has_step(program, of, is_other);
}

bool is_of_floats(const lower::program& program, const kernel& of) { return is_of(program, of, is_float); }

/// Whether a loop finds operands by more than strides (rows that wrap around, borders), where branches are what is threaded: such a difference
/// of rows of 50 floats took 1.1 times as long without. Short rows are brought into order before their loop.
bool maps_positions(const kernel& of) {
    return !of.short_rows &&
           std::any_of(of.inputs.begin(), of.inputs.end(), [](const operand& each) { return !each.steps.empty(); });
}

/// Whether integers are divided by what no compiler knows.
bool divides_integers(const lower::program& program, const kernel& of) {
    return has_step(program, of, [&program](const step& each) {
        const bool divides = each.code == operation::div || each.code == operation::rem ||
                             each.code == operation::floor_divide || each.code == operation::floor_mod ||
                             each.code == operation::trunc_divide;
        return divides && kind_of(each.operands) == element_kind::integer && each.args[0] != each.args[1] &&
               !program.is_constant(each.args[1]);
    });
}

/// Whether no step is of integers but their comparison, none of complex numbers or floats of 16 bits, and none a user's.
bool is_of_plain_steps(const lower::program& program, const kernel& of) {
    const auto is_plain_type = [](element_type type) { return is_float(type) || type == element_type::boolean; };
    return !has_step(program, of, [&](const step& each) {
        const bool compares = each.result == element_type::boolean && kind_of(each.operands) == element_kind::integer;
        return each.code == operation::call || each.code == operation::gather ||
               !(compares || (is_plain_type(each.operands) && is_plain_type(each.result)));
    });
}

}  // namespace

loop_kind loops_of(const lower::program& program, const kernel& of) {
    if (!is_walk(of)) return loop_kind::any;
    if (is_of_bytes(of) && computes_float_vectors(program, of)) return loop_kind::named_vectors;
    if (of.has_persistent_columns() || of.side_by_side) return loop_kind::walk;
    if (of.persistent_rows) {
        const auto is_any_float = [](element_type type) { return is_float(type) || is_small_float(type); };
        if (is_of_floats(program, of)) return loop_kind::wide_float_rows;
        return is_of(program, of, is_any_float) ? loop_kind::float_rows : loop_kind::walk;
    }
    // What all of a block of wide elements goes to is written out by all passes alone: products of 5 doubles 10 us for 15.
    if (of.row_extent > 0 && widest_of(of.outputs) > 4) return loop_kind::any;
    if (of.reduces()) return loop_kind::walk;
    if (divides_integers(program, of) && !calls_strip_functions(program, of)) return loop_kind::dividing;
    const bool has_float_loops = calls_strip_functions(program, of) ? is_of_plain_steps(program, of)
                                                                    : is_of_floats(program, of) && !maps_positions(of);
    return has_float_loops ? loop_kind::float_walk : loop_kind::walk;
}

}  // namespace kiln::plan
