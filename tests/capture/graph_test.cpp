// From an expression's type, or a run-time expr, to one flat graph.
#include <support/rooms.hpp>

#include <capture/term.hpp>

#include <doctest/doctest.h>

#include <bit>

namespace k = kiln;
using k::detail::graph;

namespace {

k::detail::flat_terms flat(const std::vector<k::detail::handle<k::detail::term>>& roots) {
    k::detail::flat_terms out;
    k::detail::flatten(roots.data(), static_cast<int>(roots.size()), out);
    return out;
}

}  // namespace

TEST_CASE("x + y * 2 is three leaves in the order collected, then two operations, each after its operands") {
    const k::array<float> x = k::ones<float>({3});
    const k::array<float> y = k::ones<float>({3});
    const auto e = x + y * 2.0f;
    const graph g = tests::graph_of(e);
    REQUIRE(g.nodes.size() == 5);
    CHECK(g.slot_count == 3);
    CHECK(g.nodes[0].kind == graph::node_kind::array);
    CHECK(g.nodes[1].kind == graph::node_kind::array);
    CHECK(g.nodes[2].kind == graph::node_kind::scalar);
    CHECK(g.nodes[3].code == k::operation::mul);
    CHECK(g.nodes[4].code == k::operation::add);
    CHECK(g.nodes[4].args[0] == 0);
    CHECK(g.nodes[4].args[1] == 3);
    REQUIRE(g.outputs.size() == 1);
    CHECK(g.outputs[0].node == 4);
    CHECK(g.outputs[0].as == k::element_type::float32);

    k::detail::leaf leaves[3];
    CHECK(e.collect(leaves) == leaves + 3);
    CHECK(leaves[0].object == x.kiln_node().get());
    CHECK(leaves[1].object == y.kiln_node().get());
    CHECK(leaves[2].bits == std::bit_cast<std::uint32_t>(2.0f));
    CHECK(leaves[2].object == nullptr);
}

TEST_CASE("a static expression and the same behind expr are one graph") {
    const k::array<float> x = k::ones<float>({3});
    const k::array<std::int32_t> i = k::ones<std::int32_t>({3});
    const auto check = [](const auto& e) {
        k::detail::flat_terms erased = flat({e.erase()});
        const graph described = tests::graph_of(e);
        CHECK(erased.described == described);
        CHECK(k::detail::hash_of(erased.described) == k::detail::hash_of(described));
    };
    check(x + i * 2);
    check(k::where(x > 0.5f, k::sqrt(x), k::cast<float>(k::arange<int>(3)) * 1e-6f));
    check(k::fma(x, x(k::range(0, 3)), 1.0f));
}

TEST_CASE("a shared term is one node, and a shared chain stays as long as it is") {
    k::expr<float> e = k::array<float>(k::ones<float>({3}));
    for (int i = 0; i < 50; ++i) e = e * e;
    const k::detail::flat_terms out = flat({e.erase()});
    CHECK(out.described.nodes.size() == 51);
    CHECK(out.leaves.size() == 1);
}

TEST_CASE("several roots share their nodes") {
    const k::expr<float> shared = k::array<float>(k::ones<float>({3}));
    const auto up = shared * shared;
    const k::expr<float> root = up;
    const k::detail::flat_terms out = flat({root.erase(), root.erase(), shared.erase()});
    CHECK(out.described.nodes.size() == 2);
    REQUIRE(out.described.outputs.size() == 3);
    CHECK(out.described.outputs[0] == out.described.outputs[1]);
    CHECK(out.described.outputs[2].node == 0);
}

TEST_CASE("graphs that differ in one operation, type or edge are not equal") {
    const k::array<float> x = k::ones<float>({3});
    const k::array<double> d = k::ones<double>({3});
    const graph base = tests::graph_of(x + x * x);
    CHECK(base == tests::graph_of(x + x * x));
    CHECK_FALSE(base == tests::graph_of(x - x * x));
    CHECK_FALSE(base == tests::graph_of(d + d * d));
    CHECK_FALSE(base == tests::graph_of(x * x + x));
    CHECK_FALSE(base == tests::graph_of(x + x * x, x));
    CHECK_FALSE(base == tests::graph_of(x + x * 2.0f));
}

TEST_CASE("the walk for one root leaves nothing behind for the next") {
    const k::expr<float> a = k::array<float>(k::ones<float>({3})) + 1.0f;
    const k::expr<float> b = k::array<float>(k::ones<float>({3})) * 2.0f;
    k::detail::flat_terms out;
    const k::detail::handle<k::detail::term> roots[] = {a.erase(), b.erase()};
    k::detail::flatten(roots, 1, out);
    const graph first = out.described;
    k::detail::flatten(roots + 1, 1, out);
    CHECK(out.described.nodes.size() == 3);
    CHECK(out.leaves.size() == 2);
    k::detail::flatten(roots, 1, out);
    CHECK(out.described == first);
}
