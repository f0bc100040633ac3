// The steps of random programs: kiln's operators by their C++ types, the oracle's by name.
#include <values/random_program.hpp>

#include <support/operations.hpp>
#include <support/values.hpp>

#include <algorithm>
#include <stdexcept>

namespace tests {

namespace {

using values = std::vector<pair_of_values>;

template <class E>
any_expr erased(const E& e) {
    return kiln::expr<kiln::value_t<E>>(e);
}

/// The next value of the same type from the one that was picked that broadcasts with `like`; `like` itself is one.
const pair_of_values& pick_like(const values& known, std::uint8_t choice, const pair_of_values& like) {
    kiln::shape met;
    for (std::size_t i = 0; i < known.size(); ++i) {
        const pair_of_values& each = known[(choice + i) % known.size()];
        if (each.kiln_side.index() == like.kiln_side.index() && broadcast(each.extents, like.extents, met)) return each;
    }
    return like;
}

const pair_of_values& pick_beside(const values& known, std::uint8_t choice, const pair_of_values& beside) {
    kiln::shape met;
    const pair_of_values& picked = pick(known, choice);
    return broadcast(picked.extents, beside.extents, met) ? picked : beside;
}

/// An operation of the oracle on operands that broadcast.
pair_of_values made_of(any_expr made, oracle::op code, const std::vector<const pair_of_values*>& operands,
                       std::string text) {
    pair_of_values out{std::move(made), nullptr, {}, std::move(text)};
    for (const pair_of_values* each : operands) {
        if (!broadcast(out.extents, each->extents, out.extents))
            throw std::logic_error("random program: shapes that do not broadcast");
        out.take_depth = std::max(out.take_depth, each->take_depth);
    }
    std::vector<oracle::tree> args;
    for (const pair_of_values* each : operands) args.push_back(spread(*each, out.extents));
    out.oracle_side = oracle::operation(code, std::move(args));
    return out;
}

/// The same value, otherwise looked at.
pair_of_values with(pair_of_values of, oracle::tree seen_as) {
    of.oracle_side = std::move(seen_as);
    return of;
}

// What complex numbers have no meaning for, and what they have no exact one for.
template <class Op, class E>
inline constexpr bool is_defined =
    !is_complex<kiln::value_t<E>> || Op::code == oracle::op::add || Op::code == oracle::op::sub ||
    Op::code == oracle::op::mul || Op::code == oracle::op::div || Op::code == oracle::op::eq ||
    Op::code == oracle::op::ne || Op::code == oracle::op::logical_and || Op::code == oracle::op::neg ||
    Op::code == oracle::op::logical_not || Op::code == oracle::op::conj || Op::code == oracle::op::real;

bool is_complex_value(const pair_of_values& a) { return oracle::is_complex(a.oracle_side->of); }

template <class Op>
pair_of_values unary(Op op, const pair_of_values& a) {
    any_expr made = std::visit(
        [&]<class E>(const E& x) -> any_expr {
            if constexpr (is_defined<Op, E>) return erased(op(x));
            else throw std::logic_error("random program: an operation that complex numbers do not have");
        },
        a.kiln_side);
    return made_of(std::move(made), Op::code, {&a}, std::string(oracle::name_of(Op::code)) + "(" + a.text + ")");
}

std::string infix(oracle::op code, const pair_of_values& a, const pair_of_values& b) {
    return "(" + a.text + " " + oracle::name_of(code) + " " + b.text + ")";
}

/// Operands of one type.
template <class Op>
pair_of_values binary(Op op, const pair_of_values& a, const pair_of_values& b) {
    any_expr made = std::visit(
        [&]<class E>(const E& x) -> any_expr {
            if constexpr (is_defined<Op, E>) return erased(op(x, std::get<E>(b.kiln_side)));
            else throw std::logic_error("random program: an operation that complex numbers do not have");
        },
        a.kiln_side);
    return made_of(std::move(made), Op::code, {&a, &b}, infix(Op::code, a, b));
}

/// Operands of any two types.
template <class Op>
pair_of_values mixed(Op op, const pair_of_values& a, const pair_of_values& b) {
    any_expr made = std::visit(
        [&]<class E, class F>(const E& x, const F& y) -> any_expr {
            if constexpr (is_defined<Op, E> && is_defined<Op, F>) return erased(op(x, y));
            else throw std::logic_error("random program: an operation that complex numbers do not have");
        },
        a.kiln_side, b.kiln_side);
    return made_of(std::move(made), Op::code, {&a, &b}, infix(Op::code, a, b));
}

/// What takes no floats, of what a cast makes of them.
template <class Op>
pair_of_values whole(Op op, const pair_of_values& a, const pair_of_values& b) {
    any_expr made = std::visit(
        [&]<class T>(const kiln::expr<T>& x) -> any_expr {
            const auto& y = std::get<kiln::expr<T>>(b.kiln_side);
            if constexpr (is_complex<T>)
                throw std::logic_error("random program: an operation that complex numbers do not have");
            else if constexpr (kiln::kind_of(kiln::type_of<T>) == kiln::element_kind::floating)
                return erased(op(kiln::cast<std::int32_t>(x), kiln::cast<std::int32_t>(y)));
            else return erased(op(x, y));
        },
        a.kiln_side);
    const auto as_whole = [](const oracle::tree& of) {
        return oracle::is_float(of->of) ? oracle::cast(oracle::type::i32, of) : of;
    };
    const pair_of_values left = with(a, as_whole(a.oracle_side));
    const pair_of_values right = with(b, as_whole(b.oracle_side));
    return made_of(std::move(made), Op::code, {&left, &right}, infix(Op::code, a, b));
}

pair_of_values choose(const pair_of_values& condition, const pair_of_values& a, const pair_of_values& b) {
    const kiln::expr<bool> holds =
        std::visit([](const auto& x) { return kiln::expr<bool>(kiln::cast<bool>(x)); }, condition.kiln_side);
    any_expr made = std::visit(
        [&]<class E>(const E& x) { return erased(kiln::where(holds, x, std::get<E>(b.kiln_side))); }, a.kiln_side);
    return made_of(std::move(made), oracle::op::where, {&condition, &a, &b},
                   "where(" + condition.text + ", " + a.text + ", " + b.text + ")");
}

pair_of_values choose_among(const values& known, const raw_step& step, const pair_of_values& a) {
    const pair_of_values& condition = pick_beside(known, step.b, a);
    const pair_of_values& other = pick_like(known, step.c, a);
    kiln::shape met;
    const bool all_fit = broadcast(condition.extents, a.extents, met) && broadcast(met, other.extents, met);
    return choose(condition, a, all_fit ? other : a);
}

pair_of_values cast(const pair_of_values& a, std::uint8_t choice) {
    return for_type(choice, [&]<class T>() -> pair_of_values {
        const bool drops = is_complex_value(a) && !is_complex<T> && !std::is_same_v<T, bool>;
        const oracle::tree from = drops ? oracle::operation(oracle::op::real, {a.oracle_side}) : a.oracle_side;
        return {std::visit(
                    []<class E>(const E& x) {
                        if constexpr (is_complex<kiln::value_t<E>> && !is_complex<T> && !std::is_same_v<T, bool>)
                            return any_expr(kiln::expr<T>(kiln::cast<T>(kiln::real(x))));
                        else return any_expr(kiln::expr<T>(kiln::cast<T>(x)));
                    },
                    a.kiln_side),
                oracle::cast(oracle::type_for<T>, from), a.extents,
                std::string(oracle::name_of(oracle::type_for<T>)) + "(" + a.text + ")", a.take_depth};
    });
}

/// A C++ number beside an expression: it travels as a parameter of the kernel.
pair_of_values with_scalar(const pair_of_values& a, std::uint8_t choice, bool left) {
    const auto code = choice % 2 ? oracle::op::sub : oracle::op::mul;
    return std::visit(
        [&]<class T>(const kiln::expr<T>& x) -> pair_of_values {
            const T s = T(static_cast<float>(choice % 3 + 1));
            const oracle::tree constant = oracle::scalar(oracle::from(s));
            const pair_of_values number{a.kiln_side, constant, {}, oracle::to_string(oracle::from(s))};
            if (left) {
                any_expr made = choice % 2 ? erased(s - x) : erased(s * x);
                return made_of(std::move(made), code, {&number, &a}, infix(code, number, a));
            }
            any_expr made = choice % 2 ? erased(x - s) : erased(x * s);
            return made_of(std::move(made), code, {&a, &number}, infix(code, a, number));
        },
        a.kiln_side);
}

}  // namespace

const pair_of_values& pick(const values& known, std::uint8_t choice) {
    const std::size_t back = choice % 4 == 0 ? choice / 4u : choice % 4u - 1u;
    return known[known.size() - 1 - back % known.size()];
}

pair_of_values apply_step(const raw_step& step, const values& known) {
    const pair_of_values& a = pick(known, step.a);
    if (step.code % 64 >= 44) return apply_view(step, a, pick_like(known, step.c, a));
    const pair_of_values& b = pick_like(known, step.b, a);
    const pair_of_values& any = pick_beside(known, step.b, a);
    if (is_complex_value(a) || is_complex_value(any)) {
        // A detour around what has no order.
        switch (step.code % 64) {
            case 6:
            case 10:
            case 29:
            case 30: return unary(op::conj{}, a);
            case 8:
            case 15:
            case 31:
            case 32: return unary(op::real{}, a);
            case 9:
            case 16:
            case 19:
            case 33:
            case 34:
            case 35: return mixed(op::add{}, a, any);
            case 20:
            case 21:
            case 22:
            case 36:
            case 37:
            case 38:
            case 39: return binary(op::mul{}, a, b);
            case 40:
            case 41:
            case 42:
            case 43: return binary(op::ne{}, a, b);
            default: break;
        }
    }
    switch (step.code % 64) {
        case 0:
        case 1: return binary(op::add{}, a, b);
        case 2: return binary(op::sub{}, a, b);
        case 3:
        case 4: return binary(op::mul{}, a, b);
        case 5: return binary(op::div{}, a, b);
        case 6: return binary(op::rem{}, a, b);
        case 7: return unary(op::neg{}, a);
        case 8: return unary(op::abs{}, a);
        case 9: return mixed(op::lt{}, a, any);
        case 10: return binary(op::ge{}, a, b);
        case 11: return binary(op::eq{}, a, b);
        case 12: return binary(op::ne{}, a, b);
        case 13: return binary(op::logical_and{}, a, b);
        case 14: return unary(op::logical_not{}, a);
        case 15: return binary(op::min{}, a, b);
        case 16: return binary(op::max{}, a, b);
        case 17:
        case 18: return choose_among(known, step, a);
        case 19: return unary(op::sqrt{}, a);
        case 20: return unary(op::exp{}, a);
        case 21: return unary(op::sin{}, a);
        case 22: return binary(op::pow{}, a, b);
        case 23:
        case 24: return cast(a, step.c);
        case 25: return with_scalar(a, step.c, true);
        case 26: return with_scalar(a, step.c, false);
        case 27: return mixed(op::add{}, a, any);
        case 28: return binary(op::mul{}, a, b);
        case 29: return binary(op::floor_divide{}, a, b);
        case 30: return binary(op::floor_mod{}, a, b);
        case 31: return unary(op::floor{}, a);
        case 32: return unary(op::rint{}, a);
        case 33: return unary(op::sign{}, a);
        case 34: return unary(op::isfinite{}, a);
        // A NaN's sign is whatever made it, which nobody promises: there copysign(a, a).
        case 35: return binary(op::copysign{}, a, choose(binary(op::eq{}, b, b), b, a));
        case 36: return unary(op::square{}, a);
        case 37: return whole(op::bit_and{}, a, b);
        case 38: return whole(op::bit_xor{}, a, b);
        case 39: return whole(op::shift_left{}, a, b);
        case 40: return whole(op::shift_right{}, a, b);
        case 41: return unary(op::sigmoid{}, a);
        case 42: return unary(op::round{}, a);
        default: return binary(op::le{}, a, b);
    }
}

}  // namespace tests
