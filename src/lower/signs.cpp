#include <lower/signs.hpp>

namespace kiln::lower {

namespace {

constexpr int deepest = 8;  // steps: what is made of more is not worth looking at

bool is_never(const program& of, value_id value, int depth) {
    const step* const made = of.step_of(value);
    if (!made || depth == deepest || kind_of(made->result) != element_kind::floating) return false;
    const auto operand = [&](int i) { return is_never(of, made->args[i], depth + 1); };
    switch (made->code) {
        case operation::square:
        case operation::abs:
        case operation::exp: return true;
        case operation::cast:
            return kind_of(made->operands) == element_kind::integer || kind_of(made->operands) == element_kind::logical;
        case operation::mul: return made->args[0] == made->args[1];
        // A sum is -0 where all its terms are; a - b where a is, and b is 0.
        case operation::add: return operand(0) || operand(1);
        case operation::sub:
        case operation::sqrt: return operand(0);
        case operation::reduce: return !made->scans && made->reduces == detail::reduction_kind::sum && operand(0);
        default: return false;
    }
}

}  // namespace

bool is_never_negative_zero(const program& of, value_id value) { return is_never(of, value, 0); }

}  // namespace kiln::lower
