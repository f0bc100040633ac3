// launch/interpreter: how operands are reached: in place, by strides, in another's place; and how registers are shared.
#include <device/interpreted.hpp>
#include <support/check.hpp>
#include <support/values.hpp>

#include <device/interpreter/tape.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace {

using namespace tests;
using kiln::backend::block_table;
using kiln::backend::blocks_named;
using kiln::backend::interpreted_kernel;
using kiln::backend::stores;

}  // namespace

TEST_CASE("a long chain needs one register, however long it is") {
    hand_made made;
    const value_id x = made.array(element_type::float32);
    value_id sum = made.step(operation::add, element_type::float32, {x, x});
    for (int i = 0; i < 500; ++i) sum = made.step(operation::add, element_type::float32, {sum, x});
    made.output(sum);
    const kiln::backend::tape tape = make_tape(made.code, made.kernel, *blocks_named("baseline"));
    CHECK_EQ(tape.instructions.size(), 501);
    CHECK_EQ(tape.register_count, 2);  // the sum's, and the output's for when its memory cannot be written in place
}

TEST_CASE("a register goes from value to value of its width only, and never to two that live at once") {
    constexpr std::int64_t count = 3000;
    const std::vector<float> values = ordinary_values<float>(count);
    hand_made made;
    const value_id x = made.array(element_type::float32);
    const value_id narrow = made.step(operation::add, element_type::float32, {x, x});
    const value_id wide = made.cast(element_type::float32, element_type::float64, narrow);  // narrow is over
    const value_id wider = made.step(operation::mul, element_type::float64, {wide, wide});  // wide is over, read twice
    const value_id other = made.step(operation::sub, element_type::float64,
                                     {wider, made.cast(element_type::float32, element_type::float64, x)});
    const value_id whole = made.cast(element_type::float64, element_type::int32, other);
    const value_id both = made.step(operation::mul, element_type::float64, {other, wider});  // wider lived until here
    made.output(made.step(operation::add, element_type::float64,
                          {both, made.cast(element_type::int32, element_type::float64, whole)}));
    std::vector<double> expected(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto w = static_cast<double>(values[i] + values[i]);
        const double o = w * w - static_cast<double>(values[i]);
        const auto cut = o >= 2147483648.0 ? 2147483647.0 : static_cast<double>(static_cast<std::int32_t>(o));
        expected[i] = o * (w * w) + cut;
    }
    for (const block_table* blocks : block_tables()) {
        elements_of<float> memory(values);
        elements_of<double> result(count);
        hand_packed parameters;
        parameters.pointer(result.data());
        parameters.pointer(memory.data());
        parameters.count(count);
        run_interpreted(made, parameters, count, *blocks);
        CHECK_SAME(result.vector(), expected);
    }
}

TEST_CASE("scalars are the same at every position and the index is not") {
    hand_made made;
    const value_id x = made.array(element_type::int64);
    const value_id index = made.position();
    const value_id s = made.scalar(element_type::int64);
    const value_id t = made.scalar(element_type::int64);
    const value_id scaled = made.step(operation::mul, element_type::int64, {index, s});
    made.output(made.step(operation::add, element_type::int64,
                          {made.step(operation::add, element_type::int64, {x, scaled}), t}));
    const std::vector<std::int64_t> values = ordinary_values<std::int64_t>(5000);
    elements_of<std::int64_t> memory(values);
    elements_of<std::int64_t> result(values.size());
    hand_packed parameters;
    parameters.pointer(result.data());
    parameters.pointer(memory.data());
    parameters.value(std::int64_t{0});
    parameters.value(std::int64_t{3});
    parameters.value(std::int64_t{-7});
    parameters.count(5000);
    std::vector<std::int64_t> expected(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) expected[i] = values[i] + 3 * static_cast<std::int64_t>(i) - 7;
    for (const block_table* blocks : block_tables()) {
        // In ranges, as threads take them: the index is the element's, not the range's.
        const interpreted_kernel kernel(made.code, made.kernel, *blocks);
        kernel.run(parameters.slots(), 0, 1664, stores::cached);
        kernel.run(parameters.slots(), 1664, 1664, stores::cached);
        kernel.run(parameters.slots(), 1664, 5000, stores::cached);
        CHECK_SAME(result.vector(), expected);
    }
}

TEST_CASE("outputs may be inputs, scalars, the index, one value twice, and values that later steps read") {
    constexpr std::int64_t count = 3000;
    hand_made made;
    const value_id x = made.array(element_type::int32);
    const value_id index = made.position();
    const value_id s = made.scalar(element_type::uint8);
    const value_id doubled = made.step(operation::add, element_type::int32, {x, x});
    const value_id more = made.step(operation::mul, element_type::int32, {doubled, doubled});
    for (const value_id each : {x, s, index, doubled, doubled, more}) made.output(each);

    const std::vector<std::int32_t> values = ordinary_values<std::int32_t>(count);
    elements_of<std::int32_t> memory(values);
    elements_of<std::int32_t> copy(count), first(count), second(count), last(count);
    elements_of<std::uint8_t> filled(count);
    elements_of<std::int64_t> position(count);
    hand_packed parameters;
    for (void* each : {copy.data(), filled.data(), position.data(), first.data(), second.data(), last.data()})
        parameters.pointer(each);
    parameters.pointer(memory.data());
    parameters.value(std::int64_t{0});
    parameters.value(std::uint8_t{200});
    parameters.count(count);
    for (const stores how : {stores::cached, stores::streamed}) {
        run_interpreted(made, parameters, count, *block_tables().back(), how);
        std::vector<std::int32_t> twice(count), squared(count);
        std::vector<std::int64_t> positions(count);
        for (std::size_t i = 0; i < count; ++i) {
            twice[i] = oracle::to<std::int32_t>(oracle::make_whole(oracle::type::i32, oracle::int128{2} * values[i]));
            squared[i] =
                oracle::to<std::int32_t>(oracle::make_whole(oracle::type::i32, oracle::int128{twice[i]} * twice[i]));
            positions[i] = static_cast<std::int64_t>(i);
        }
        CHECK_SAME(copy.vector(), values);
        CHECK_SAME(filled.vector(), std::vector<std::uint8_t>(count, 200));
        CHECK_SAME(position.vector(), positions);
        CHECK_SAME(first.vector(), twice);
        CHECK_SAME(second.vector(), twice);
        CHECK_SAME(last.vector(), squared);
    }
}

TEST_CASE("an output in an input's place does not change what later steps read") {
    constexpr std::int64_t count = 2500;
    const std::vector<float> a = ordinary_values<float>(count, 1);
    const std::vector<float> b = ordinary_values<float>(count, 2);
    elements_of<float> left(a);
    elements_of<float> right(b);

    SUBCASE("one output, read by its own step") {
        hand_made made;
        made.kernel.aliased = true;
        const value_id x = made.array(element_type::float32);
        const value_id y = made.array(element_type::float32);
        const value_id sum = made.step(operation::add, element_type::float32, {x, y});
        made.output(made.step(operation::mul, element_type::float32, {sum, x}));
        hand_packed parameters;
        for (void* each : {left.data(), left.data(), right.data()}) parameters.pointer(each);
        parameters.count(count);
        run_interpreted(made, parameters, count, *block_tables().back());
        std::vector<float> expected(count);
        for (std::size_t i = 0; i < count; ++i) expected[i] = (a[i] + b[i]) * a[i];
        CHECK_SAME(left.vector(), expected);
    }
    SUBCASE("the first of two outputs overwrites what the second reads") {
        hand_made made;
        made.kernel.aliased = true;
        const value_id x = made.array(element_type::float32);
        const value_id y = made.array(element_type::float32);
        made.output(made.step(operation::add, element_type::float32, {x, y}));
        made.output(made.step(operation::sub, element_type::float32, {x, y}));
        hand_packed parameters;
        for (void* each : {left.data(), right.data(), left.data(), right.data()}) parameters.pointer(each);
        parameters.count(count);
        run_interpreted(made, parameters, count, *block_tables().back());
        std::vector<float> sum(count), difference(count);
        for (std::size_t i = 0; i < count; ++i) sum[i] = a[i] + b[i], difference[i] = a[i] - b[i];
        CHECK_SAME(left.vector(), sum);
        CHECK_SAME(right.vector(), difference);
    }
    SUBCASE("two arrays trade places") {
        hand_made made;
        made.kernel.aliased = true;
        const value_id x = made.array(element_type::float32);
        const value_id y = made.array(element_type::float32);
        made.output(y);
        made.output(x);
        hand_packed parameters;
        for (void* each : {left.data(), right.data(), left.data(), right.data()}) parameters.pointer(each);
        parameters.count(count);
        run_interpreted(made, parameters, count, *block_tables().back());
        CHECK_SAME(left.vector(), b);
        CHECK_SAME(right.vector(), a);
    }
}

TEST_CASE("streamed stores leave the same bits, aligned or not") {
    constexpr std::int64_t count = 4096 + 13;
    hand_made made;
    const value_id x = made.array(element_type::float32);
    made.output(made.step(operation::add, element_type::float32, {x, x}));
    const std::vector<float> values = ordinary_values<float>(count);
    elements_of<float> memory(values);
    std::vector<float> expected(count);
    for (std::size_t i = 0; i < count; ++i) expected[i] = values[i] + values[i];
    alignas(64) static float room[count + 64];
    for (const int shift : {0, 1, 16}) {
        std::fill(std::begin(room), std::end(room), -1.0f);
        hand_packed parameters;
        parameters.pointer(room + shift);
        parameters.pointer(memory.data());
        parameters.count(count);
        run_interpreted(made, parameters, count, *block_tables().back(), stores::streamed);
        kiln::backend::finish_streaming();
        CHECK_SAME(std::vector<float>(room + shift, room + shift + count), expected);
        CHECK_EQ(room[shift + count], -1.0f);  // nothing past the end
    }
}

namespace {

/// out[i][j] = a (by strides) * b (by strides) + c, where c is contiguous; `rows` x `columns`.
void check_strided(std::int64_t rows, std::int64_t columns, const std::vector<std::int64_t>& a_strides,
                   const std::vector<std::int64_t>& b_strides, const std::vector<std::int64_t>& out_strides) {
    CAPTURE(rows);
    CAPTURE(columns);
    const std::int64_t count = rows * columns;
    hand_made made;
    const value_id a = made.array(element_type::float64, access::strided);
    const value_id b = made.array(element_type::uint8, access::strided);
    const value_id c = made.array(element_type::int32);
    const value_id product =
        made.step(operation::mul, element_type::float64, {a, made.cast(element_type::uint8, element_type::float64, b)});
    const value_id sum = made.step(operation::add, element_type::float64,
                                   {product, made.cast(element_type::int32, element_type::float64, c)});
    made.output(sum, access::strided);
    made.output(made.cast(element_type::float64, element_type::float32, sum));
    made.axes(2);

    // Room before and after, so that strides may be negative.
    const auto reach = static_cast<std::size_t>(4 * count + 64);
    const std::vector<double> a_values = ordinary_values<double>(2 * reach, 5);
    const std::vector<std::uint8_t> b_values = ordinary_values<std::uint8_t>(2 * reach, 6);
    const std::vector<std::int32_t> c_values = ordinary_values<std::int32_t>(static_cast<std::size_t>(count), 7);
    std::vector<double> expected(2 * reach, -1.0);
    std::vector<float> expected_narrow(static_cast<std::size_t>(count));
    const auto at = [&](const std::vector<std::int64_t>& strides, std::int64_t i, std::int64_t j) {
        return reach + static_cast<std::size_t>(i * strides[0] + j * strides[1]);
    };
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) {
            const auto flat = static_cast<std::size_t>(i * columns + j);
            const double value = a_values[at(a_strides, i, j)] * b_values[at(b_strides, i, j)] + c_values[flat];
            expected[at(out_strides, i, j)] = value;
            expected_narrow[flat] = static_cast<float>(value);
        }
    }

    for (const stores how : {stores::cached, stores::streamed}) {
        elements_of<double> a_memory(a_values), out(std::vector<double>(2 * reach, -1.0));
        elements_of<std::uint8_t> b_memory(b_values);
        elements_of<std::int32_t> c_memory(c_values);
        elements_of<float> narrow(static_cast<std::size_t>(count));
        hand_packed parameters;
        parameters.pointer(static_cast<double*>(out.data()) + reach);
        parameters.pointer(narrow.data());
        parameters.pointer(static_cast<double*>(a_memory.data()) + reach);
        parameters.pointer(static_cast<std::uint8_t*>(b_memory.data()) + reach);
        parameters.pointer(c_memory.data());
        parameters.layout({rows, columns}, {out_strides, a_strides, b_strides});
        const interpreted_kernel kernel(made.code, made.kernel, *block_tables().back());
        const std::int64_t middle = count / 2 / 64 * 64;
        kernel.run(parameters.slots(), 0, middle, how);
        kernel.run(parameters.slots(), middle, count, how);
        CHECK_SAME(out.vector(), expected);
        CHECK_SAME(narrow.vector(), expected_narrow);
    }
}

}  // namespace

TEST_CASE("strided operands are reached row by row, whatever the length of a row") {
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1000, 3},
                                        {3, 1000},
                                        {1, 1},
                                        {1, 3000},
                                        {3000, 1},
                                        {70, 70},
                                        {5, 256},
                                        {17, 255},
                                        {2, 2500}}) {
        check_strided(rows, columns, {columns, 1}, {columns, 1}, {columns, 1});  // without gaps after all
        check_strided(rows, columns, {1, rows}, {2 * columns, 2}, {1, rows});    // transposed, every second
        check_strided(rows, columns, {0, 1}, {1, 0}, {columns + 1, 1});          // broadcast rows and columns
        check_strided(rows, columns, {0, 0}, {-columns, -1}, {-columns, -1});    // one element; backwards
    }
}

TEST_CASE("a walk over eight axes carries from each to the next") {
    const std::vector<std::int64_t> extents = {2, 3, 2, 2, 3, 2, 2, 3};
    std::int64_t count = 1;
    std::vector<std::int64_t> strides(8);
    for (std::size_t axis = 0; axis < 8; ++axis) strides[axis] = count, count *= extents[axis];  // the axes reversed
    hand_made made;
    const value_id x = made.array(element_type::int32, access::strided);
    made.output(made.step(operation::neg, element_type::int32, {x}));
    made.axes(8);
    std::vector<std::int32_t> values(static_cast<std::size_t>(count)), expected(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i);
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t rest = i, offset = 0;
        for (std::size_t axis = 8; axis-- > 0;) offset += rest % extents[axis] * strides[axis], rest /= extents[axis];
        expected[static_cast<std::size_t>(i)] = -values[static_cast<std::size_t>(offset)];
    }
    elements_of<std::int32_t> memory(values), result(values.size());
    hand_packed parameters;
    parameters.pointer(result.data());
    parameters.pointer(memory.data());
    parameters.layout(extents, {strides});
    run_interpreted(made, parameters, count, *block_tables().back());
    CHECK_SAME(result.vector(), expected);
}
