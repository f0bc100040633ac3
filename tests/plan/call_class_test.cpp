// What planning reads of a call: each fact as it was bound, from the class alone.
#include <support/rooms.hpp>

#include <plan/operands.hpp>
#include <plan/partial_sums.hpp>
#include <plan/reduction.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace k = kiln;
using k::plan::access;
using k::plan::call_class;

namespace {

constexpr k::plan::frame cuda = k::plan::frame::cuda;
constexpr k::plan::frame host = k::plan::frame::host;

/// A sum over some axes, or persistent rows: a call whose leaves are of one array.
tests::call reducing(k::plan::frame device, const k::detail::handle<k::detail::array_node>& of,
                     k::detail::output::reducing how, std::uint8_t axes) {
    tests::call out;
    out.leaves.push_back({of.get(), 0, k::detail::leaf_kind::array, 0});
    out.outputs.resize(2);
    for (k::detail::output& each : out.outputs) each.call_is = how, each.reduced_axes = axes;
    out.outputs.back().reduces = true;
    out.bind(device);
    return out;
}

tests::call reducing(k::plan::frame device, const k::array<float>& of, k::detail::output::reducing how,
                     std::uint8_t axes) {
    return reducing(device, of.kiln_node(), how, axes);
}

/// Of so many elements that no test has memory for them: nothing reads it.
k::detail::handle<k::detail::array_node> large_array(const k::shape& of, const k::array<float>& memory) {
    using namespace k::detail;
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    node.owned = ownership::device_user;
    node.extents = of;
    std::int64_t stride = 1;
    for (int axis = of.rank(); axis-- > 0; stride *= of[axis]) node.strides[axis] = stride;
    node.data = memory.kiln_node().get()->data;
    return made;
}

/// A view of one axis that asks two index expressions in this order, of an element that neither moves.
k::detail::handle<k::detail::array_node> asks_lookups(const k::array<float>& of, int first, int second) {
    using namespace k::detail;
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    auto map = std::make_unique<index_map>();
    for (const int lookup : {first, second}) map->steps.push_back({index_step::kind::lookup, 10, {}, lookup});
    map->address = {1, 0};
    map->lookup_count = 2;
    node.owned = ownership::device_user;
    node.contiguous = false;
    node.extents = k::shape{10};
    node.strides[0] = 0;
    node.data = of.kiln_node().get()->data;
    node.map = std::move(map);
    return made;
}

}  // namespace

TEST_CASE("the options of the call's thread are in its class, and each makes another") {
    const k::array<float> x = k::ones<float>({8});
    for (int bits = 0; bits < 8; ++bits) {
        const k::options wanted{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
        const call_class kind = tests::bind_for(cuda, wanted, {}, x + x).kind();
        CHECK(kind.wanted() == wanted);
        CHECK((kind == tests::bind_for(cuda, k::options{}, {}, x + x).kind()) == (wanted == k::options{}));
    }
    CHECK(tests::bind_for(cuda, {}, x + x).kind().device() == cuda);
    CHECK(tests::bind_for(host, {}, x + x).kind().device() == host);
}

TEST_CASE("a class says how rows are walked, with their extent where a kernel may know it") {
    const auto iteration = [](k::plan::frame device, std::int64_t rows, std::int64_t columns) {
        const k::array<float> m = k::ones<float>({rows, columns});
        const k::array<float> column = k::ones<float>({rows, 1});
        return tests::class_alone(tests::bind_for(device, {}, m * column)).iteration();
    };
    CHECK(iteration(cuda, 100, 1024).rank == 2);
    CHECK(iteration(cuda, 100, 1024).long_rows);
    CHECK_FALSE(iteration(cuda, 100, 1023).long_rows);
    CHECK(iteration(cuda, 100, 1024).row_multiple == 16);
    CHECK(iteration(cuda, 100, 12).row_multiple == 4);
    CHECK(iteration(cuda, 100, 7).row_multiple == 1);
    // Interleaved, where no vector divides them.
    CHECK(iteration(cuda, 100, 7).known_row == 7);
    CHECK(iteration(cuda, 100, 2).known_row == 2);
    for (const std::int64_t other : {4, 8, 9}) CHECK_FALSE(iteration(cuda, 100, other).short_rows);
    CHECK(iteration(host, 100, 7).short_rows);
    CHECK(iteration(host, 100, 7).known_row == 7);
    CHECK(iteration(host, 100, 8).known_row == 8);
    CHECK(iteration(host, 100, 9).short_rows);
    CHECK(iteration(host, 100, 9).known_row == 0);
    CHECK(iteration(host, 100, 32).short_rows);
    CHECK_FALSE(iteration(host, 100, 33).short_rows);

    const k::array<float> whole = k::ones<float>({4, 5});
    const k::plan::call_class kind = tests::bind({}, whole + whole).kind();
    CHECK(kind.all_contiguous());
    CHECK(kind.iteration().rank == 1);
    CHECK_FALSE(kind.iteration().reduces);
}

TEST_CASE(
    "a class says how a GPU divides a reduction, and of the host only which axes go and whether rows are of one part") {
    using reducing_how = k::detail::output::reducing;
    const k::shape shapes[] = {{1000},       {3'000'000},  {100, 8192}, {64, 20'000}, {1000, 10, 100}, {20'000, 7},
                               {300, 40, 3}, {2, 3, 5, 7}, {200, 1},    {500, 32},    {500, 33}};
    for (const k::shape& of : shapes)
        for (std::uint8_t axes = 1; axes < 1 << of.rank(); ++axes) {
            CAPTURE(k::to_string(of));
            CAPTURE(axes);
            const k::array<float> x = k::ones<float>(of);
            const k::plan::reduction_sizes sizes = k::plan::sizes_of_reduction(of, axes);
            for (const reducing_how how : {reducing_how::outputs, reducing_how::rows}) {
                const call_class kind = tests::class_alone(reducing(cuda, x, how, axes));
                const k::plan::iteration_class iteration = kind.iteration();
                CHECK(iteration.reduces);
                CHECK(iteration.persistent_rows == (how == reducing_how::rows));
                CHECK(iteration.division.threads_per_output == sizes.threads_per_output);
                CHECK(iteration.division.outputs_per_block ==
                      (iteration.persistent_rows ? sizes.outputs_per_block : sizes.columns_of_block()));
                CHECK(iteration.division.vector_width == sizes.vector_width);
                CHECK(iteration.division.loads_in_flight == sizes.loads_in_flight);
                CHECK(iteration.division.items_per_thread ==
                      (iteration.persistent_rows ? sizes.items_per_thread() : 1));
                CHECK(iteration.division.few_columns ==
                      (iteration.persistent_rows ? 0 : sizes.threads_of_few_columns()));
                CHECK(iteration.division.splits == (sizes.splits > 1));
                CHECK(iteration.division.ends_in_partial_sums == k::plan::ends_in_partial_sums(sizes));
                if (iteration.persistent_rows) {
                    CHECK_FALSE(kind.is_of_row(0));
                    CHECK(kind.is_of_row(1));
                }
                CHECK(k::plan::operands_of(kind).size() == 3);
            }
        }
    const k::array<float> m = k::ones<float>({100, 8192});
    const k::array<float> longer = k::ones<float>({100, 80'000});
    const auto kind_of = [](k::plan::frame device, const k::array<float>& of) -> call_class {
        return reducing(device, of, reducing_how::outputs, 2).kind();
    };
    CHECK(kind_of(host, m).iteration().reduced_axes == 2);
    CHECK(kind_of(host, m) == kind_of(host, k::ones<float>({100, 65'536})));
    CHECK(kind_of(host, longer) == kind_of(host, k::ones<float>({100, 65'552})));
    CHECK(kind_of(host, m).iteration().division.rows_of_part);
    CHECK_FALSE(kind_of(host, longer).iteration().division.rows_of_part);
    CHECK_FALSE(kind_of(cuda, m) == kind_of(cuda, longer));
}

TEST_CASE("a class says how many items a thread has of columns that stay on chip, of one split and of several") {
    const k::array<float> memory = k::ones<float>({16});
    // Of one split, of 4, and of 16.
    for (const std::int64_t width : {70'001, 16'411, 4'099}) {
        std::optional<call_class> before;
        for (const int items : k::plan::column_items_known) {
            const auto sizes_of = [&](std::int64_t height) {
                return k::plan::sizes_of_reduction(k::shape{height, width}, 1);
            };
            const std::int64_t splits = width > 65'536 ? 1 : width > 16'384 ? 4 : 16;
            const std::int64_t height = 8 * items * splits;
            // Of shorter columns splits are fewer.
            if (items <= 8) continue;
            CAPTURE(width);
            CAPTURE(items);
            REQUIRE(sizes_of(height).splits == splits);
            const auto class_of = [&](std::int64_t rows) {
                return tests::class_alone(
                    reducing(cuda, large_array({rows, width}, memory), k::detail::output::reducing::rows, 1));
            };
            const call_class kind = class_of(height);
            const k::plan::reduction_class division = kind.iteration().division;
            CHECK(division.items_per_thread == items);
            CHECK(division.items_per_thread == sizes_of(height).items_per_thread());
            CHECK(division.cluster == splits);
            CHECK(division.whole_items);
            const call_class one_less = class_of(height - 1);
            CHECK(one_less.iteration().division.items_per_thread == items);
            CHECK_FALSE(one_less.iteration().division.whole_items);
            CHECK_FALSE(kind == one_less);
            if (before) CHECK_FALSE(*before == kind);
            before.emplace(kind);
        }
    }
}

TEST_CASE("a class says how each operand is reached, without a stride that is not 0 or 1") {
    const k::array<float> m = k::ones<float>({100, 100});
    const k::array<float> row = k::ones<float>({100});
    const auto e = m + k::transpose(m) + row + k::shift(m, {1, 0}, k::boundary::clamp) + k::cast<float>(k::index(0));
    const std::vector<k::plan::operand> operands = k::plan::operands_of(tests::class_alone(tests::bind({}, e)));
    REQUIRE(operands.size() == 6);
    CHECK(operands[0].how == access::contiguous);
    CHECK(operands[1].how == access::strided);
    CHECK(operands[1].address.axes == 3);
    CHECK(operands[1].address.unit_axes == 1);
    CHECK(operands[1].unit_axis == 0);
    CHECK(operands[2].how == access::row);
    CHECK(operands[2].address.axes == 2);
    REQUIRE(operands[3].steps.size() == 1);
    CHECK(operands[3].how == access::row);
    CHECK(operands[3].steps[0].how == k::detail::index_step::kind::clamp);
    CHECK(operands[3].steps[0].input.axes == 1);
    CHECK(operands[3].address.steps.size() == 1);
    CHECK(operands[4].how == access::uniform);
    CHECK(operands[5].how == access::contiguous);
    CHECK(operands[5].guarded_axes == 0);

    tests::call call = tests::bind({}, m * row, row + row);
    const std::function<const k::plan::output_leaves&()> leaves_of = []() -> const k::plan::output_leaves& {
        static const k::plan::output_leaves each = {{true, true, false, false}, {false, false, true, true}};
        return each;
    };
    call.bound = std::make_unique<k::plan::bindings>(call.leaves.data(), 4, call.outputs.data(), 2);
    k::plan::bind(*call.bound, 0, tests::seemingly_on::host, &leaves_of);
    const std::vector<k::plan::operand> two = k::plan::operands_of(tests::class_alone(std::move(call)));
    REQUIRE(two.size() == 4);
    CHECK(two[2].guarded_axes == 0);
    CHECK(two[3].guarded_axes == 1);
}

TEST_CASE("which of its index expressions an operand asks for is in the class") {
    const k::array<float> x = k::ones<float>({10});
    const auto kind_of = [&](int first, int second) -> call_class {
        const auto node = asks_lookups(x, first, second);
        tests::call call;
        call.leaves.push_back({node.get(), 0, k::detail::leaf_kind::array, 0});
        call.outputs.resize(1);
        call.bind(cuda);
        return call.kind();
    };
    const call_class kind = kind_of(1, 0);
    CHECK(kind == kind_of(1, 0));
    CHECK_FALSE(kind == kind_of(0, 1));
    const std::vector<k::plan::operand> operands = k::plan::operands_of(kind);
    CHECK(operands[0].gathered);
    CHECK(operands[0].steps.at(0).lookup == 1);
    CHECK(operands[0].steps.at(1).lookup == 0);
}

TEST_CASE("arrays, numbers that stand twice and baked leaves are read back from a class, of few slots and of many") {
    const k::array<float> x = k::ones<float>({8});
    const k::array<float> y = k::ones<float>({8});
    for (const int others : {0, 200}) {
        CAPTURE(others);
        tests::call call;
        const auto array = [&](const k::array<float>& of) {
            call.leaves.push_back({of.kiln_node().get(), 0, k::detail::leaf_kind::array, 0});
        };
        for (int i = 0; i < others; ++i) array(x);
        array(x);
        call.leaves.push_back({nullptr, 0x3f800000, k::detail::leaf_kind::scalar, 7});
        call.leaves.push_back({nullptr, 0xfedcba9876543210, k::detail::leaf_kind::baked, 0});
        array(y);
        call.leaves.push_back({nullptr, 0x3f800000, k::detail::leaf_kind::scalar, 7});
        call.leaves.push_back({nullptr, 0x40000000, k::detail::leaf_kind::scalar, 7});
        call.leaves.push_back({nullptr, 0, k::detail::leaf_kind::baked, 0});
        call.outputs.resize(1);
        call.bind(cuda);
        const call_class kind = tests::class_alone(std::move(call));
        const auto first = static_cast<std::size_t>(others);
        const std::vector<int> all = kind.numbers();
        REQUIRE(all.size() == first + 7);
        CHECK(std::vector<int>(all.begin() + others, all.end()) ==
              std::vector<int>{0, -1, -1, 1, -2 - (others + 1), -1, -1});
        CHECK(kind.baked().at(first + 2) == 0xfedcba9876543210);
        CHECK(kind.baked().at(first + 6) == 0);
        CHECK(kind.array_count() == 2);
        CHECK(kind.all_contiguous());
    }
}

TEST_CASE("a baked leaf is in the class, beside operands of any kind") {
    const k::array<float> m = k::ones<float>({4, 6});
    const k::array<float> row = k::ones<float>({6});
    const auto kind_of = [&](std::uint64_t function, const k::array<float>& other) -> call_class {
        tests::call call;
        for (const k::array<float>* each : {&m, &other})
            call.leaves.push_back({each->kiln_node().get(), 0, k::detail::leaf_kind::array, 0});
        call.leaves.push_back({nullptr, function, k::detail::leaf_kind::baked, 0});
        call.outputs.resize(1);
        call.bind(cuda);
        return call.kind();
    };
    const k::array<float> same = k::ones<float>({4, 6});
    for (const k::array<float>* other : {&same, &row}) {
        CHECK(kind_of(5, *other) == kind_of(5, *other));
        CHECK_FALSE(kind_of(5, *other) == kind_of(6, *other));
        CHECK(kind_of(5, *other).baked() == std::vector<std::uint64_t>{0, 0, 5});
        CHECK(kind_of(5, *other).all_contiguous() == (other == &same));
    }
}
