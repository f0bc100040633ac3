// One call's leaves to what the kernels need of them: classes, values, reuse.
#include <support/rooms.hpp>

#include <doctest/doctest.h>

#include <string>

namespace k = kiln;
using k::plan::access;

TEST_CASE("size, scalars and rank are in no class; alignment, layout, identity and aliasing are") {
    const k::array<float> x = k::ones<float>({1000});
    const k::array<float> y = k::ones<float>({1000});
    const k::plan::call_class kind = tests::bind({}, x + y * 2.0f).kind();
    const k::array<float> small = k::ones<float>({2, 3});
    const k::array<float> other = k::ones<float>({2, 3});
    CHECK(tests::bind({}, small + other * -7.0f).kind() == kind);
    CHECK(tests::bind({}, x + x * 2.0f).kind() != kind);
    const auto shifted = k::array_leaf<float>(x(k::range(1, 1000)));
    const auto shifted_too = k::array_leaf<float>(y(k::range(1, 1000)));
    CHECK(tests::bind({}, shifted + shifted_too * 2.0f).kind() != kind);
    const auto every_other = k::array_leaf<float>(x(k::range(0, 1000, 2)));
    const auto half = k::array_leaf<float>(y(k::range(0, 500)));
    CHECK(tests::bind({}, every_other + half * 2.0f).kind() != kind);
    k::array<float> z = k::ones<float>({1000});
    CHECK(tests::bind({tests::into(z)}, x + y * 2.0f).kind() == kind);
    auto in_place = std::move(z) + y * 2.0f;
    k::array<float> w = k::ones<float>({1000});
    CHECK(tests::bind({tests::into(w)}, w + y * 2.0f).kind() != kind);
    CHECK(tests::bind({}, in_place).kind() == kind);
}

TEST_CASE("views that say the same are one array, as often as they are made") {
    const k::array<float> x = k::ones<float>({4, 6});
    const k::array<float> y = k::ones<float>({4, 6});
    const auto arrays = [](const auto& e) { return tests::bind({}, e).bound->array_count; };
    const auto row = [&](int i) { return k::array_leaf<float>(x(i)); };
    CHECK(arrays(row(1) + row(1) * row(1)) == 1);
    CHECK(arrays(row(1) + row(2)) == 2);
    CHECK(arrays(row(1) + k::array_leaf<float>(y(1))) == 2);
    CHECK(arrays(k::array_leaf<float>(x(1, k::range(0, 1))) + k::array_leaf<float>(x(1, k::range(0, 6)))) == 2);
    const auto shifted = [&](int by) { return k::shift(x, {0, by}); };
    CHECK(arrays(shifted(1) + shifted(1)) == arrays(shifted(1)));
    CHECK(arrays(shifted(1) + shifted(2)) > arrays(shifted(1)));
    const k::array<int> first = k::zeros<int>({4}), second = k::ones<int>({4});
    const auto taken = [&](const k::array<int>& at) { return k::take(x, at, k::axis(0)); };
    CHECK(arrays(taken(first) + taken(second)) == 3);  // where is each take's to say: one table
    CHECK(arrays(taken(first) + k::take(y, second, k::axis(0))) == 4);
    CHECK(arrays(taken(first) + k::take(x(k::range(1, 4)), first, k::axis(0))) == 3);  // that begins elsewhere
    // What is put together is viewed leaf by leaf.
    const auto r = x(0), g = x(1);
    CHECK(arrays(k::stack(k::axis(0), r * g - r, g * g + r)) == 3);
    // Of more leaves than have a byte each, too.
    const auto many = [&]<int... I>(std::integer_sequence<int, I...>) { return (... + row(I % 3)); };
    CHECK(arrays(many(std::make_integer_sequence<int, 125>{})) == 3);
}

TEST_CASE("what a take's index does not move is no table, and positions of rows are those of tables of such rows") {
    const k::array<float> x = k::ones<float>({3, 20, 30});
    const auto arrays = [](const auto& e) { return tests::bind({}, e).bound->array_count; };
    const auto rows = k::arange<int>(40) / 2, columns = k::arange<int>(60) / 2;
    const auto at = [&](const auto& y, const auto& z) { return k::take(k::take(x, y, k::axis(1)), z, k::axis(2)); };
    // A picture, its rows' positions and its columns'.
    CHECK(arrays(at(rows, columns)) == 3);
    CHECK(arrays(at(rows, columns) + at(rows, columns + 1) + at(rows + 1, columns) + at(rows + 1, columns + 1)) == 3);
    CHECK(arrays(at(rows, columns) * k::cast<float>(k::arange<int>(60))) == 3);
    CHECK(arrays(at(rows, columns) * k::cast<float>(k::reshape(k::arange<int>(40), {40, 1}))) == 3);
    CHECK(arrays(at(rows, columns) * k::cast<float>(k::arange<int>(61)(k::range(1, 61)))) ==
          4);                                                                    // that begins elsewhere
    CHECK(arrays(k::cast<float>(k::arange<int>(60)) * at(rows, columns)) == 4);  // the longer shape is yet to come
}

TEST_CASE("contiguous operands are one axis, whatever their rank") {
    const k::array<float> x = k::ones<float>({4, 5, 6});
    const tests::call call = tests::bind({}, x + x);
    CHECK(call.kind().all_contiguous());
    CHECK(call.bound->rank == 1);
    CHECK(call.bound->element_count == 120);
    CHECK(call.kind().alignment() == 16);
}

TEST_CASE("axes that one stride walks are merged, in all operands at once") {
    const k::array<float> x = k::ones<float>({4, 6, 8});
    const k::array<float> y = k::ones<float>({4, 6, 4});
    const auto whole_rows = k::array_leaf<float>(x(k::all, k::all, k::range(0, 4)));
    const tests::call two = tests::bind({}, whole_rows + y);
    CHECK(two.bound->rank == 2);  // the outer two walk by 8
    CHECK(two.bound->extents[0] == 24);
    CHECK(two.bound->extents[1] == 4);
    const k::array<float> z = k::ones<float>({4, 3, 8});
    const auto every_other_row = k::array_leaf<float>(x(k::all, k::range(0, 6, 2), k::all));
    const tests::call merged = tests::bind({}, every_other_row + z);
    CHECK(merged.bound->rank == 2);  // 4 * 3 rows of 8: rows are 16 apart, and 4 * 48 / 3 is 16 too
    CHECK(merged.bound->extents[0] == 12);
    const auto fewer_rows = k::array_leaf<float>(x(k::all, k::range(0, 3), k::range(0, 8)));
    const tests::call blocks = tests::bind({}, fewer_rows + z);
    CHECK(blocks.bound->rank == 2);
    CHECK(blocks.bound->extents[0] == 4);
    CHECK(blocks.bound->extents[1] == 24);
    const auto reversed = k::array_leaf<float>(x(k::range(k::range::open, k::range::open, -1),
                                                 k::range(k::range::open, k::range::open, -1),
                                                 k::range(k::range::open, k::range::open, -1)));
    CHECK(tests::bind({}, reversed + x).bound->rank == 1);
}

TEST_CASE("axes of one element cost nothing") {
    const k::array<float> x = k::ones<float>({5, 1, 6, 1});
    const auto part = k::array_leaf<float>(x(k::all, k::all, k::range(0, 6, 2)));
    const tests::call call = tests::bind({}, part + 1.0f);
    CHECK(call.bound->rank == 1);  // 5 rows of 3, each 2 apart: 6 = 3 * 2
    const auto one = k::array_leaf<float>(x(k::range(0, 1), k::all, k::range(2, 3)));
    CHECK(tests::bind({}, one + 1.0f).bound->element_count == 1);
    CHECK(tests::bind({}, one + 1.0f).kind().all_contiguous());
}

TEST_CASE("alignment is the worst of all contiguous operands") {
    const k::array<float> x = k::ones<float>({100});
    const k::array<double> d = k::ones<double>({99});
    const auto at = [&](std::int64_t begin) { return k::array_leaf<float>(x(k::range(begin, 99 + begin - begin))); };
    CHECK(tests::bind({}, at(1) + 0.0f).kind().alignment() == 4);
    CHECK(tests::bind({}, at(2) + 0.0f).kind().alignment() == 8);
    CHECK(tests::bind({}, at(4) + 0.0f).kind().alignment() == 16);
    CHECK(tests::bind({}, k::array_leaf<float>(x(k::range(1, 100))) + d).kind().alignment() == 4);
    const k::array<std::uint8_t> u = k::ones<std::uint8_t>({100});
    CHECK(tests::bind({}, k::array_leaf<std::uint8_t>(u(k::range(1, 100))) + 0).kind().alignment() == 1);
}

TEST_CASE("positions past 2^31 elements take a wide index") {
    CHECK_FALSE(tests::bind({}, k::full<float>({(std::int64_t{1} << 31) - 1}, 0.0f) + 1.0f).kind().wide_index());
    CHECK(tests::bind({}, k::full<float>({std::int64_t{1} << 31}, 0.0f) + 1.0f).kind().wide_index());
}

TEST_CASE("a wide call that reduces tells whether its operands and outputs alone are narrow") {
    const k::scoped_device here(k::cpu);
    const auto of = [](const auto& e) -> std::string {
        const k::plan::target on = k::plan::cuda_target_of(90);
        const k::stage::stages planned = tests::stages_of(on, e);
        const k::stage::stage& last = planned.list.back();
        tests::call call{last.leaves, last.outputs, nullptr};
        call.bind(on.kind);
        if (!call.kind().wide_index()) return "narrow";
        return call.kind().iteration().narrow_operands ? "narrow operands" : "wide";
    };
    const auto bytes = [](const k::shape& shape) { return k::zeros<std::int8_t>(shape); };
    const auto products = [&](std::int64_t m, std::int64_t depth, std::int64_t n) {
        return of(k::sum(bytes({m, depth})(k::all, k::newaxis) * bytes({n, depth}), k::axis(2)));
    };
    CHECK(products(1024, 1024, 1024) == "narrow");
    CHECK(products(2048, 1024, 1024) == "narrow operands");
    CHECK(products(2048, 2048, 4096) == "narrow operands");
    // Its values alone are too many.
    CHECK(products(65536, 32, 32768) == "wide");
    // So are the elements of each value, though no operand has as many.
    const k::array<std::int8_t> left = bytes({40, 1, 65536, 1});
    const k::array<std::int8_t> right = bytes({40, 1, 32768});
    CHECK(of(k::sum(left * right, k::axis_list{2, 3})) == "wide");
}

TEST_CASE("a target's buffer is reused only when nobody else could see it change") {
    k::array<float> x = k::ones<float>({10});
    k::array<float> y = k::ones<float>({10});
    const auto reused = [](const tests::call& call) { return call.bound->reused; };
    CHECK(reused(tests::bind({tests::into(x)}, y + 1.0f)));
    {
        const auto e = x * x + x;
        CHECK(reused(tests::bind({tests::into(x)}, e)));
        auto stored = tests::into(x);
        stored.discount_leaves = false;
        CHECK_FALSE(reused(tests::bind({stored}, e)));
    }
    {
        const k::array<float> copy = x;
        CHECK_FALSE(reused(tests::bind({tests::into(x)}, y + 1.0f)));
    }
    {
        const auto view = x(k::range(0, 5));
        CHECK_FALSE(reused(tests::bind({tests::into(x)}, y + 1.0f)));
    }
    const k::array<float> longer = k::ones<float>({11});
    CHECK_FALSE(reused(tests::bind({tests::into(x)}, longer + 1.0f)));
    CHECK(reused(tests::bind({tests::into(x)}, y + 1.0f)));
}

TEST_CASE("memory of the user's that lies elsewhere in the target's own buffer forbids reuse") {
    k::array<float> x = k::ones<float>({10});
    float* const memory = x.data();
    const k::array_leaf<float> same(k::wrap(memory, {10}));
    const k::array_leaf<float> shifted(k::wrap(memory + 1, {5}));
    const k::array_leaf<float> halves(k::wrap(memory, {5}));
    CHECK(tests::bind({tests::into(x)}, same + 1.0f).bound->reused);
    CHECK(tests::bind({tests::into(x)}, same + 1.0f).kind().aliased());
    const k::array_leaf<std::uint8_t> bytes(k::wrap(reinterpret_cast<std::uint8_t*>(memory), {10}));
    CHECK_FALSE(tests::bind({tests::into(x)}, bytes + 1).bound->reused);
    k::array<float> y = k::ones<float>({5});
    CHECK(k::plan::overlap(*shifted.node.get(), *x.kiln_node().get()));
    CHECK_FALSE(k::plan::same_elements(*halves.node.get(), *x.kiln_node().get()));
    CHECK_FALSE(tests::bind({tests::into(y)}, shifted + 1.0f).kind().aliased());
}

TEST_CASE("slices overlap by their bytes, and are the same by their strides") {
    const k::array<float> x = k::ones<float>({20});
    const k::array<float> other = k::ones<float>({20});
    const auto part = [&](k::range slice) { return x(slice).kiln_node(); };
    const auto head = part({0, 10});
    const auto tail = part({10, 20});
    const auto middle = part({5, 15});
    const auto back = part({9, k::range::open, -1});
    const auto again = part({0, 10});
    CHECK_FALSE(k::plan::overlap(*head.get(), *tail.get()));
    CHECK(k::plan::overlap(*head.get(), *middle.get()));
    CHECK(k::plan::overlap(*head.get(), *back.get()));
    CHECK(k::plan::same_elements(*head.get(), *again.get()));
    CHECK_FALSE(k::plan::same_elements(*head.get(), *back.get()));
    CHECK_FALSE(k::plan::same_elements(*head.get(), *middle.get()));
    CHECK_FALSE(k::plan::overlap(*head.get(), *other.kiln_node().get()));
}

TEST_CASE("more than 250 leaves, and more than 64 arrays, are bound as few are") {
    std::vector<k::array<float>> arrays;
    for (int i = 0; i < 300; ++i) arrays.push_back(k::array<float>(k::ones<float>({4})));
    tests::call call;
    call.outputs.resize(1);
    for (std::size_t i = 0; i < 600; ++i)
        call.leaves.push_back({arrays[i % 300].kiln_node().get(), 0, k::detail::leaf_kind::array, 0});
    call.bind(k::plan::frame::cuda);
    CHECK(call.bound->array_count == 300);
    CHECK(call.kind().numbers()[299] == 299);
    CHECK(call.kind().numbers()[300] == 0);
    const k::plan::call_class kind = call.kind();
    call.bind(k::plan::frame::cuda);
    CHECK(call.kind() == kind);
    std::swap(call.leaves[598], call.leaves[599]);
    call.bind(k::plan::frame::cuda);
    CHECK(call.kind() != kind);
}

TEST_CASE("the shortest rows are of classes by their extent, however many there are; longer ones of one") {
    const auto kind_on = [](k::plan::frame device, std::int64_t rows, std::int64_t columns) -> k::plan::call_class {
        const k::array<float> x = k::ones<float>({rows, columns});
        const k::array<float> column = k::ones<float>({rows, 1});
        return tests::bind_for(device, {}, x * column).kind();
    };
    const auto kind = [&](std::int64_t rows, std::int64_t columns) {
        return kind_on(k::plan::frame::host, rows, columns);
    };
    CHECK(kind(100, 5) == kind(1000, 5));
    CHECK(kind(100, 5) != kind(100, 7));
    CHECK(kind(100, 7) != kind(100, 9));
    CHECK(kind(100, 9) == kind(100, 11));
    CHECK(kind(100, 31) == kind(100, 9));
    CHECK(kind(100, 33) != kind(100, 9));
    // A GPU's kernels know how short rows are that a thread moves in whole vectors.
    const auto on_gpu = [&](std::int64_t rows, std::int64_t columns) {
        return kind_on(k::plan::frame::cuda, rows, columns);
    };
    CHECK(on_gpu(100, 5) == on_gpu(1000, 5));
    CHECK(on_gpu(100, 5) != on_gpu(100, 7));
    CHECK(on_gpu(100, 7) != on_gpu(100, 9));
    CHECK(on_gpu(100, 9) == on_gpu(100, 33));
}
