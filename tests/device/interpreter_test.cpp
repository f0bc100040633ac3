// launch/interpreter: every operation on every type, on every table of block functions, against the tests' oracle.
#include <device/interpreted.hpp>
#include <support/check.hpp>
#include <support/operations.hpp>
#include <support/values.hpp>

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace {

using namespace tests;
using kiln::type_of;
using kiln::backend::block_table;
using kiln::backend::blocks_named;
using kiln::backend::interpreted_kernel;

/// Long enough for several blocks and an odd rest.
template <class T>
std::vector<T> repeated(const std::vector<T>& values, std::size_t count) {
    std::vector<T> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = values[i % values.size()];
    return out;
}

constexpr std::size_t several_blocks = 2 * 1024 + 61;

/// One step on arrays of the operands, on every table, against the oracle.
template <class Result, class... Operands>
void check_step(operation what, oracle::op code, element_type met, const std::vector<Operands>&... operands) {
    const std::size_t count = std::get<0>(std::tie(operands...)).size();
    hand_made made;
    const std::initializer_list<value_id> args = {made.array(type_of<Operands>)...};
    made.output(made.step(what, met, args));
    REQUIRE(made.code.type_of(made.code.outputs[0]) == type_of<Result>);

    std::vector<Result> expected(count);
    for (std::size_t i = 0; i < count; ++i)
        expected[i] = oracle::to<Result>(oracle::computed(code, {oracle::from<Operands>(operands[i])...}));
    for (const block_table* blocks : block_tables()) {
        CAPTURE(blocks->instruction_set);
        CAPTURE(oracle::name_of(code));
        elements_of<Result> result(count);
        std::tuple<elements_of<Operands>...> memory{elements_of<Operands>(operands)...};
        hand_packed parameters;
        parameters.pointer(result.data());
        std::apply([&](auto&... each) { (parameters.pointer(each.data()), ...); }, memory);
        parameters.count(static_cast<std::int64_t>(count));
        run_interpreted(made, parameters, static_cast<std::int64_t>(count), *blocks);
        CHECK_SAME(result.vector(), expected);
    }
}

template <class T>
pairs<T> many_pairs() {
    pairs<T> all = all_pairs(special_values<T>());
    const std::size_t rest = std::max(several_blocks, all.left.size()) - all.left.size();
    const std::vector<T> left = ordinary_values<T>(rest, 3);
    const std::vector<T> right = ordinary_values<T>(rest, 4);
    all.left.insert(all.left.end(), left.begin(), left.end());
    all.right.insert(all.right.end(), right.begin(), right.end());
    return all;
}

template <class T, class... Operands>
void check_library(operation what, oracle::op code, const std::vector<T>& first, const Operands&... others) {
    hand_made made;
    const auto operand = [&](const std::vector<T>&) { return made.array(type_of<T>); };
    const std::initializer_list<value_id> args = {operand(first), operand(others)...};
    made.output(made.step(what, type_of<T>, args));
    for (const block_table* blocks : block_tables()) {
        elements_of<T> result(first.size());
        std::vector<elements_of<T>> memory{elements_of<T>(first), elements_of<T>(others)...};
        hand_packed parameters;
        parameters.pointer(result.data());
        for (elements_of<T>& each : memory) parameters.pointer(each.data());
        parameters.count(static_cast<std::int64_t>(first.size()));
        run_interpreted(made, parameters, static_cast<std::int64_t>(first.size()), *blocks);
        const std::vector<T> got = result.vector();
        long double worst = 0;
        for (std::size_t i = 0; i < first.size(); ++i) {
            const long double exact =
                oracle::library_exact(code, {oracle::from<T>(first[i]), oracle::from<T>(others[i])...});
            worst = std::max(worst, oracle::ulps_between(oracle::from<T>(got[i]), exact));
        }
        CAPTURE(oracle::name_of(code));
        CHECK(worst <= 2);
    }
}

template <class From, class To>
void check_cast() {
    const std::vector<From> values = repeated(special_values<From>(), several_blocks);
    std::vector<To> expected(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        expected[i] = oracle::to<To>(oracle::converted(oracle::from<From>(values[i]), oracle::type_for<To>));
    hand_made made;
    made.output(made.cast(type_of<From>, type_of<To>, made.array(type_of<From>)));
    for (const block_table* blocks : block_tables()) {
        CAPTURE(blocks->instruction_set);
        CAPTURE(kiln::info(type_of<From>).name);
        CAPTURE(kiln::info(type_of<To>).name);
        elements_of<To> result(values.size());
        elements_of<From> memory(values);
        hand_packed parameters;
        parameters.pointer(result.data());
        parameters.pointer(memory.data());
        parameters.count(static_cast<std::int64_t>(values.size()));
        run_interpreted(made, parameters, static_cast<std::int64_t>(values.size()), *blocks);
        CHECK_SAME(result.vector(), expected);
    }
}

template <class From, class... To>
void check_casts_from() {
    (check_cast<From, To>(), ...);
}

}  // namespace

TEST_CASE_TEMPLATE("interpreted arithmetic is exact and integers wrap", T, std::int8_t, std::uint8_t, std::int16_t,
                   std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, kiln::float16,
                   kiln::bfloat16, float, double) {
    const pairs<T> p = many_pairs<T>();
    check_step<T>(operation::add, oracle::op::add, type_of<T>, p.left, p.right);
    check_step<T>(operation::sub, oracle::op::sub, type_of<T>, p.left, p.right);
    check_step<T>(operation::mul, oracle::op::mul, type_of<T>, p.left, p.right);
    check_step<T>(operation::div, oracle::op::div, type_of<T>, p.left, p.right);
    check_step<T>(operation::rem, oracle::op::rem, type_of<T>, p.left, p.right);
    check_step<T>(operation::neg, oracle::op::neg, type_of<T>, p.left);
    check_step<T>(operation::abs, oracle::op::abs, type_of<T>, p.left);
}

TEST_CASE_TEMPLATE("interpreted comparisons and selections hold for every type", T, KILN_TEST_TYPES) {
    const pairs<T> p = many_pairs<T>();
    check_step<bool>(operation::eq, oracle::op::eq, type_of<T>, p.left, p.right);
    check_step<bool>(operation::ne, oracle::op::ne, type_of<T>, p.left, p.right);
    check_step<bool>(operation::lt, oracle::op::lt, type_of<T>, p.left, p.right);
    check_step<bool>(operation::le, oracle::op::le, type_of<T>, p.left, p.right);
    check_step<bool>(operation::gt, oracle::op::gt, type_of<T>, p.left, p.right);
    check_step<bool>(operation::ge, oracle::op::ge, type_of<T>, p.left, p.right);
    check_step<T>(operation::min, oracle::op::min, type_of<T>, p.left, p.right);
    check_step<T>(operation::max, oracle::op::max, type_of<T>, p.left, p.right);
    check_step<T>(operation::where, oracle::op::where, type_of<T>, ordinary_values<bool>(p.left.size()), p.left,
                  p.right);
}

TEST_CASE("interpreted logical operations hold") {
    const pairs<bool> p = many_pairs<bool>();
    check_step<bool>(operation::logical_and, oracle::op::logical_and, element_type::boolean, p.left, p.right);
    check_step<bool>(operation::logical_or, oracle::op::logical_or, element_type::boolean, p.left, p.right);
    check_step<bool>(operation::logical_not, oracle::op::logical_not, element_type::boolean, p.left);
}

TEST_CASE_TEMPLATE("interpreted square roots and fma round once", T, float, double) {
    const pairs<T> p = many_pairs<T>();
    check_step<T>(operation::sqrt, oracle::op::sqrt, type_of<T>, p.left);
    const std::vector<T> third = ordinary_values<T>(p.left.size(), 9);
    check_step<T>(operation::fma, oracle::op::fma, type_of<T>, p.left, p.right, third);
}

TEST_CASE_TEMPLATE("interpreted library functions are right to two units in the last place", T, float, double) {
    std::vector<T> values = special_values<T>();
    const std::vector<T> more = ordinary_values<T>(several_blocks);
    values.insert(values.end(), more.begin(), more.end());
    check_library<T>(operation::exp, oracle::op::exp, values);
    check_library<T>(operation::log, oracle::op::log, values);
    check_library<T>(operation::sin, oracle::op::sin, values);
    check_library<T>(operation::cos, oracle::op::cos, values);
    check_library<T>(operation::tanh, oracle::op::tanh, values);
    // No special values: glibc 2.36's powl, which the oracle asks, gives infinity for pow(-infinity, -2^63).
    check_library<T>(operation::pow, oracle::op::pow, ordinary_values<T>(several_blocks, 3),
                     ordinary_values<T>(several_blocks, 4));
}

TEST_CASE_TEMPLATE("interpreted rounding, divisions downwards and the like are exact", T, std::uint8_t, std::int32_t,
                   std::int64_t, float, double) {
    const pairs<T> p = many_pairs<T>();
    check_step<T>(operation::floor_divide, oracle::op::floor_divide, type_of<T>, p.left, p.right);
    check_step<T>(operation::floor_mod, oracle::op::floor_mod, type_of<T>, p.left, p.right);
    check_step<T>(operation::trunc_divide, oracle::op::trunc_divide, type_of<T>, p.left, p.right);
    check_step<T>(operation::floor, oracle::op::floor, type_of<T>, p.left);
    check_step<T>(operation::ceil, oracle::op::ceil, type_of<T>, p.left);
    check_step<T>(operation::trunc, oracle::op::trunc, type_of<T>, p.left);
    check_step<T>(operation::round, oracle::op::round, type_of<T>, p.left);
    check_step<T>(operation::rint, oracle::op::rint, type_of<T>, p.left);
    check_step<T>(operation::sign, oracle::op::sign, type_of<T>, p.left);
    check_step<T>(operation::clamp, oracle::op::clamp, type_of<T>, p.left, p.right,
                  ordinary_values<T>(p.left.size(), 9));
    check_step<bool>(operation::isnan, oracle::op::isnan, type_of<T>, p.left);
    check_step<bool>(operation::isinf, oracle::op::isinf, type_of<T>, p.left);
    check_step<bool>(operation::isfinite, oracle::op::isfinite, type_of<T>, p.left);
}

TEST_CASE_TEMPLATE("interpreted bits are exact", T, std::uint8_t, std::int32_t, std::int64_t) {
    const pairs<T> p = many_pairs<T>();
    check_step<T>(operation::bit_and, oracle::op::bit_and, type_of<T>, p.left, p.right);
    check_step<T>(operation::bit_not, oracle::op::bit_not, type_of<T>, p.left);
    check_step<T>(operation::shift_left, oracle::op::shift_left, type_of<T>, p.left, p.right);
    check_step<T>(operation::shift_right, oracle::op::shift_right, type_of<T>, p.left, p.right);
    check_step<T>(operation::popcount, oracle::op::popcount, type_of<T>, p.left);
    check_step<T>(operation::clz, oracle::op::clz, type_of<T>, p.left);
    check_step<T>(operation::ctz, oracle::op::ctz, type_of<T>, p.left);
}

TEST_CASE_TEMPLATE("interpreted casts saturate floats, wrap integers and turn NaN into 0", T, KILN_TEST_TYPES) {
    check_casts_from<T, KILN_TEST_TYPES>();
}

TEST_CASE("a constant fills a block once and is not written over") {
    hand_made made;
    const value_id x = made.array(element_type::int32);
    made.code.constants = {{element_type::int32, 3}, {element_type::int32, 0xffffffffu}};
    const value_id three = made.code.constant_value(0);
    const value_id minus_one = made.code.constant_value(1);
    const value_id product = made.step(operation::mul, element_type::int32, {x, three});
    const value_id less = made.step(operation::add, element_type::int32, {product, minus_one});
    made.output(made.step(operation::mul, element_type::int32, {less, three}));
    const std::vector<std::int32_t> values = ordinary_values<std::int32_t>(several_blocks);
    std::vector<std::int32_t> expected;
    for (const std::int32_t each : values)
        expected.push_back(static_cast<std::int32_t>((static_cast<std::uint32_t>(each) * 3u - 1u) * 3u));
    for (const block_table* blocks : block_tables()) {
        elements_of<std::int32_t> result(values.size());
        elements_of<std::int32_t> memory(values);
        hand_packed parameters;
        parameters.pointer(result.data());
        parameters.pointer(memory.data());
        parameters.count(static_cast<std::int64_t>(values.size()));
        run_interpreted(made, parameters, static_cast<std::int64_t>(values.size()), *blocks);
        CHECK_SAME(result.vector(), expected);
    }
}

TEST_CASE("a step that its type has no meaning for is refused by name") {
    hand_made made;
    made.output(
        made.step(operation::sqrt, element_type::int32, element_type::int32, {made.array(element_type::int32)}));
    CHECK_THROWS_WITH_AS(interpreted_kernel(made.code, made.kernel, *blocks_named("baseline")),
                         "interpreter: sqrt has no meaning for int32", kiln::error);
}
