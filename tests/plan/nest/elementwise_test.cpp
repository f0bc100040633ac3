// The nests of element-wise kernels, run without text, of arrays of random shapes: each element is stored once, from those
// elements that NumPy would take. The steps of an element are worked out here.
#include "run_nest.hpp"

#include <support/rooms.hpp>

#include <plan/layout.hpp>
#include <plan/policy/policies.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <random>

namespace {

namespace k = kiln;
using k::plan::role;

std::int64_t read(const std::byte* from, k::element_type type) {
    switch (type) {
        case k::element_type::int8: return static_cast<std::int8_t>(*from);
        case k::element_type::int16: {
            std::int16_t out;
            std::memcpy(&out, from, sizeof out);
            return out;
        }
        case k::element_type::int32: {
            std::int32_t out;
            std::memcpy(&out, from, sizeof out);
            return out;
        }
        default: {
            std::int64_t out;
            std::memcpy(&out, from, sizeof out);
            return out;
        }
    }
}

/// As an integer of that type holds it.
std::int64_t wrapped(std::int64_t of, k::element_type type) {
    std::byte bytes[8];
    std::memcpy(bytes, &of, sizeof bytes);
    return read(bytes, type);
}

/// Sums, differences, products and conversions of integers.
class integer_steps : public tests::element_meaning {
public:
    integer_steps(const k::lower::program& program, const k::plan::kernel& kernel)
        : program_(program), kernel_(kernel) {}

    std::int64_t identity(const k::plan::reduced_output&) override { return 0; }
    std::int64_t combine(const k::plan::reduced_output&, std::int64_t a, std::int64_t b) override { return a + b; }
    std::int64_t finish(const k::plan::reduced_output&, std::int64_t a, std::int64_t) override { return a; }

    std::vector<std::int64_t> compute(int, std::span<const std::int64_t> inputs, std::size_t outputs) override {
        std::map<k::lower::value_id, std::int64_t> values;
        std::size_t next = 0;
        for (const k::plan::operand& each : kernel_.inputs) values[each.value] = inputs[next++];
        for (const k::lower::value_id each : kernel_.scalars) values[each] = inputs[next++];
        for (std::size_t i = 0; i < program_.constants.size(); ++i)
            values[program_.constant_value(static_cast<int>(i))] =
                wrapped(static_cast<std::int64_t>(program_.constants[i].bits), program_.constants[i].type);
        for (int i = kernel_.first_step; i < kernel_.last_step; ++i) {
            const k::lower::step& step = program_.steps[static_cast<std::size_t>(i)];
            const std::int64_t a = values.at(step.args[0]);
            const std::int64_t b = step.arity > 1 ? values.at(step.args[1]) : 0;
            values[program_.step_value(i)] = wrapped(of_step(step.code, a, b), step.result);
        }
        std::vector<std::int64_t> out;
        for (std::size_t i = 0; i < outputs; ++i) out.push_back(values.at(kernel_.outputs[i].value));
        return out;
    }

private:
    static std::int64_t of_step(k::operation code, std::int64_t a, std::int64_t b) {
        const auto of_bits = [](std::uint64_t of) { return static_cast<std::int64_t>(of); };
        switch (code) {
            case k::operation::add: return of_bits(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
            case k::operation::sub: return of_bits(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
            case k::operation::mul: return of_bits(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
            case k::operation::cast: return a;
            default: FAIL("a step that this test does not know"); return 0;
        }
    }

    const k::lower::program& program_;
    const k::plan::kernel& kernel_;
};

/// What is behind an array's memory.
tests::device_memory memory_of(const k::detail::array_node& node) {
    const k::detail::array_node& owner = node.storage();
    const int bytes = k::bytes_of(node.type);
    const auto count = static_cast<std::size_t>(owner.extents.size());
    tests::device_memory out(count);
    for (std::size_t i = 0; i < count; ++i)
        out.elements[i] = read(owner.data + i * static_cast<std::size_t>(bytes), node.type);
    out.origin = (node.data - owner.data) / bytes;
    out.misaligned = out.origin;
    return out;
}

/// Runs the one kernel of an expression's assignment to a new array, and compares with what the CPU makes of it.
template <class E>
void check(const E& e) {
    tests::call call = tests::bind({}, e);
    const k::plan::call_class& kind = call.kind();
    const k::plan::schedule made = k::plan::partition(
        k::lower::lower(tests::graph_of(e), kind.numbers(), kind.baked()).code, kind, k::plan::cuda_target);
    REQUIRE(made.kernels.size() == 1);
    const k::plan::kernel& kernel = made.kernels.front();
    const auto nest = k::plan::nest_of(made.program, kernel);
    REQUIRE(nest.has_value());
    const auto& bound = *call.bound;

    tests::nest_call run;
    run.blocks = k::plan::block_count(kernel, bound);
    run.words.resize(static_cast<std::size_t>(kernel.layout_words));
    if (kernel.has_layout()) k::plan::fill_layout(kernel, bound, run.words.data());
    std::vector<std::unique_ptr<tests::device_memory>> memories;
    const auto add = [&](tests::device_memory of) {
        memories.push_back(std::make_unique<tests::device_memory>(std::move(of)));
        run.memories.push_back(memories.back().get());
    };
    for (const k::plan::parameter& each : kernel.signature) {
        const auto index = static_cast<std::size_t>(each.index);
        switch (each.what) {
            case role::output: add(tests::device_memory(static_cast<std::size_t>(bound.element_count))); break;
            case role::input: add(memory_of(*bound.node(kernel.inputs[index].memory))); break;
            case role::position:
                run.numbers.push_back(reinterpret_cast<std::intptr_t>(bound.node(kernel.inputs[index].memory)->data));
                break;
            case role::scalar: {
                const auto scalar = kernel.scalars[index] - static_cast<k::lower::value_id>(made.program.arrays.size());
                int seen = 0;
                for (const k::detail::leaf& leaf : call.leaves)
                    if (leaf.kind == k::detail::leaf_kind::scalar && seen++ == scalar)
                        run.numbers.push_back(
                            wrapped(static_cast<std::int64_t>(leaf.bits), made.program.type_of(kernel.scalars[index])));
                break;
            }
            case role::element_count: run.numbers.push_back(bound.element_count); break;
            default: break;
        }
    }
    integer_steps steps(made.program, kernel);
    run.seed = static_cast<unsigned>(bound.element_count);
    run_nest(*nest, run, steps);

    const k::array<k::value_t<E>> wanted = e;
    const auto elements = wanted.to_host();
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (memories[0]->elements[i] != elements[i]) {
            FAIL(k::plan::nest_of(made.program, kernel)->threads, " threads: element ", i, " of ", elements.size(),
                 " is ", memories[0]->elements[i], " in place of ", elements[i]);
        }
}

template <class T>
k::array<T> numbers(std::mt19937& random, std::initializer_list<std::int64_t> extents) {
    const k::shape shape(extents);
    std::vector<T> out(static_cast<std::size_t>(shape.size()));
    for (T& each : out) each = static_cast<T>(random() % 100);
    return k::from_host<T>(out, shape);
}

template <class T>
void check_type() {
    std::mt19937 random(7);
    const auto up_to = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(1, most)(random); };
    for (int round = 0; round < 4; ++round) {
        const std::int64_t r = up_to(40);
        const std::int64_t c = round == 0 ? 16 * up_to(4) : up_to(70);
        CAPTURE(r);
        CAPTURE(c);
        const k::array<T> m = numbers<T>(random, {r, c});
        const k::array<T> other = numbers<T>(random, {r, c});
        const k::array<T> row = numbers<T>(random, {c});
        const k::array<T> column = numbers<T>(random, {r, 1});
        const k::array<T> turned = numbers<T>(random, {c, r});
        const k::array<T> longer = numbers<T>(random, {r * c + 1});
        const k::array<T> cube = numbers<T>(random, {r, 3, c});
        check(m * other - m);
        check(m + row * column);
        check(k::transpose(turned) + m);
        check(m * T(3) - k::shift(m, {1, 0}, k::boundary::clamp));
        check(k::shift(m, {0, -1}, k::boundary::mirror) + k::shift(m, {1, 1}, k::boundary::wrap));
        check(longer(k::range(1, r * c + 1)) * longer(k::range(0, r * c)));
        check(cube(k::all, 1) + m);
        check(cube(k::all, k::range(0, 3, 2), k::range(k::range::open, k::range::open, -1)) * row);
        check(k::reshape(k::transpose(m), {r, c}) - other);
        check(k::cast<T>(k::arange<T>(c)) + m);
    }
}

}  // namespace

TEST_CASE("nests: element-wise kernels take each element from where NumPy would, and store it once") {
    check_type<std::int64_t>();
    check_type<std::int32_t>();
    check_type<std::int16_t>();
    check_type<std::int8_t>();
}

TEST_CASE("nests: several rows of a thread, and many blocks of a grid") {
    std::mt19937 random(9);
    const k::array<std::int32_t> m = numbers<std::int32_t>(random, {37, 4000});
    check(k::shift(m, {1, 0}, k::boundary::clamp) + k::shift(m, {-1, 0}, k::boundary::clamp) + m);
    const k::array<std::int32_t> odd = numbers<std::int32_t>(random, {13, 4001});
    check(k::shift(odd, {1, 0}, k::boundary::clamp) + k::shift(odd, {0, 1}, k::boundary::clamp) + odd);
    const k::array<std::int64_t> square = numbers<std::int64_t>(random, {150, 170});
    check(square + k::transpose(numbers<std::int64_t>(random, {170, 150})));
}
