#include "run_integers.hpp"

#include "run_nest.hpp"

#include <plan/layout.hpp>
#include <plan/partial_sums.hpp>
#include <plan/policy/policies.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <random>

namespace tests {

namespace {

namespace k = kiln;
using k::detail::reduction_kind;
using k::plan::role;

template <class T>
std::int64_t whole_number(const std::byte* from) {
    T out;
    std::memcpy(&out, from, sizeof out);
    return static_cast<std::int64_t>(static_cast<float>(out));
}

std::int64_t read(const std::byte* from, k::element_type type) {
    switch (type) {
        case k::element_type::int8: return static_cast<std::int8_t>(*from);
        case k::element_type::uint8: return static_cast<std::uint8_t>(*from);
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
        case k::element_type::float16: return whole_number<k::float16>(from);
        case k::element_type::bfloat16: return whole_number<k::bfloat16>(from);
        default: {
            std::int64_t out;
            std::memcpy(&out, from, sizeof out);
            return out;
        }
    }
}

/// As an integer of that type holds it.
std::int64_t wrapped(std::int64_t of, k::element_type type) {
    if (k::is_small_float(type)) return of;
    std::byte bytes[8];
    std::memcpy(bytes, &of, sizeof bytes);
    return read(bytes, type);
}

/// Of a scalar's bits.
std::int64_t number_of(std::uint64_t bits, k::element_type type) {
    std::byte bytes[sizeof bits];
    std::memcpy(bytes, &bits, sizeof bits);
    return k::is_small_float(type) ? read(bytes, type) : wrapped(static_cast<std::int64_t>(bits), type);
}

/// Sums, differences, products and conversions of integers, and powers of two.
class integer_steps : public element_meaning {
public:
    integer_steps(const k::lower::program& program, const k::plan::kernel& kernel, const k::plan::nest::tree& nest,
                  sums how)
        : program_(program),
          kernel_(kernel),
          nest_(nest),
          how_(how),
          whole_(whole()),
          values_(static_cast<std::size_t>(program.step_value(static_cast<int>(program.steps.size())))) {
        for (std::size_t i = 0; i < program.constants.size(); ++i) {
            const std::int64_t bits = static_cast<std::int64_t>(program.constants[i].bits);
            values_.at(static_cast<std::size_t>(program.constant_value(static_cast<int>(i)))) = {
                wrapped(bits, program.constants[i].type), always};
        }
    }

    std::int64_t identity(const k::plan::reduced_output& of) override {
        switch (of.what) {
            case reduction_kind::sum: return 0;
            case reduction_kind::prod: return 1;
            case reduction_kind::min:
            case reduction_kind::argmin: return std::numeric_limits<std::int64_t>::max();
            case reduction_kind::max:
            case reduction_kind::argmax: return std::numeric_limits<std::int64_t>::lowest() + 1;
            default: FAIL("a reduction that this test does not know"); return 0;
        }
    }
    known combine(const k::plan::reduced_output& of, const known& a, const known& b) override {
        if (of.what == reduction_kind::sum && how_ == sums::tell_order) return {in_order(a.value, b.value)};
        const bool least = of.what == reduction_kind::min || of.what == reduction_kind::argmin;
        switch (of.what) {
            case reduction_kind::sum: return {wrapped(sum_of(a.value, b.value), of.accumulated)};
            case reduction_kind::prod: return {wrapped(product_of(a.value, b.value), of.accumulated)};
            default:
                if (a.value == b.value) return a.place <= b.place ? a : b;
                return (a.value < b.value) == least ? a : b;
        }
    }
    std::int64_t finish(const k::plan::reduced_output& of, const known& a, std::int64_t) override {
        return of.finds_position() ? a.place : wrapped(a.value, of.result);
    }

    std::int64_t piece(const std::string& name, std::span<const std::int64_t> of) override {
        return name == "anew" ? of[0] : element_meaning::piece(name, of);
    }

    std::vector<std::int64_t> compute(int number, std::span<const std::int64_t> inputs, std::size_t outputs) override {
        const k::plan::nest::body& body =
            nest_.bodies.empty() ? whole_ : nest_.bodies.at(static_cast<std::size_t>(number));
        ++call_;
        for (std::size_t i = 0; i < body.inputs.size(); ++i) set(body.inputs[i], inputs[i]);
        for (const int i : body.steps) {
            const k::lower::step& step = program_.steps[static_cast<std::size_t>(i)];
            const std::int64_t a = get(step.args[0]);
            const std::int64_t b = step.arity > 1 ? get(step.args[1]) : 0;
            const bool chooses = step.code == k::operation::where;
            const std::int64_t made = chooses ? (a != 0 ? b : get(step.args[2])) : of_step(step.code, a, b);
            set(program_.step_value(i), wrapped(made, step.result));
        }
        std::vector<std::int64_t> out;
        for (std::size_t i = 0; i < outputs; ++i) out.push_back(get(body.outputs[i]));
        return out;
    }

private:
    /// Of the call that made it: what an earlier one left is no value.
    struct made_value {
        std::int64_t is = 0;
        std::int64_t call = 0;
    };
    static constexpr std::int64_t always = std::numeric_limits<std::int64_t>::max();

    void set(k::lower::value_id of, std::int64_t to) { values_.at(static_cast<std::size_t>(of)) = {to, call_}; }
    [[nodiscard]] std::int64_t get(k::lower::value_id of) const {
        const made_value& value = values_.at(static_cast<std::size_t>(of));
        if (value.call != call_ && value.call != always) throw nest_fault("a step reads a value that nothing has made");
        return value.is;
    }

    /// Another number for each order and each grouping, in 20 bits; what is 0 combines with nothing.
    static std::int64_t in_order(std::int64_t a, std::int64_t b) {
        if (a == 0 || b == 0) return a + b;
        return (a * 7919 + b * 104'729 + (a ^ b) * 31) % 1'000'003 + 1;
    }

    /// All that the kernel computes.
    [[nodiscard]] k::plan::nest::body whole() const {
        k::plan::nest::body out;
        for (const k::plan::operand& each : kernel_.inputs) out.inputs.push_back(each.value);
        out.inputs.insert(out.inputs.end(), kernel_.scalars.begin(), kernel_.scalars.end());
        for (const k::plan::operand& each : kernel_.outputs) out.outputs.push_back(each.value);
        for (int i = kernel_.first_step; i < kernel_.last_step; ++i) out.steps.push_back(i);
        return out;
    }
    static std::int64_t sum_of(std::int64_t a, std::int64_t b) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    }
    static std::int64_t difference_of(std::int64_t a, std::int64_t b) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
    }
    static std::int64_t product_of(std::int64_t a, std::int64_t b) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    }
    static std::int64_t of_step(k::operation code, std::int64_t a, std::int64_t b) {
        switch (code) {
            case k::operation::add: return sum_of(a, b);
            case k::operation::sub: return difference_of(a, b);
            case k::operation::mul: return product_of(a, b);
            case k::operation::cast: return a;
            case k::operation::eq: return a == b;
            case k::operation::lt: return a < b;
            case k::operation::square: return product_of(a, a);
            case k::operation::exp2: return std::int64_t{1} << a;
            default: FAIL("a step that this test does not know"); return 0;
        }
    }

    const k::lower::program& program_;
    const k::plan::kernel& kernel_;
    const k::plan::nest::tree& nest_;
    const sums how_;
    const k::plan::nest::body whole_;
    std::vector<made_value> values_;
    std::int64_t call_ = 0;
};

/// What is behind an array's memory.
device_memory memory_of(const k::detail::array_node& node) {
    const k::detail::array_node& owner = node.storage();
    const int bytes = k::bytes_of(node.type);
    const auto count = static_cast<std::size_t>(owner.extents.size());
    device_memory out(count);
    for (std::size_t i = 0; i < count; ++i)
        out.elements[i] = read(owner.data + i * static_cast<std::size_t>(bytes), node.type);
    out.origin = (node.data - owner.data) / bytes;
    out.misaligned = out.origin;
    return out;
}

/// Of an output: what the kernel left there, where it is a sum that ends in partial sums, their sum.
std::vector<std::int64_t> left_in(const device_memory& memory, const k::plan::kernel& kernel, std::size_t output,
                                  std::int64_t splits) {
    if (!kernel.ends_in_partial_sums || kernel.stores_elements(output)) return memory.elements;
    const k::element_type type = kernel.outputs[output].type;
    const auto first = static_cast<std::int64_t>(k::plan::partial_sums_offset) / k::bytes_of(type);
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < splits; ++i) sum += memory.elements.at(static_cast<std::size_t>(first + i));
    return {wrapped(sum, type)};
}

/// What the host's threads divide among them: elements, tiles, or rows, whose values they make.
std::int64_t range_of(const k::plan::kernel& kernel, const k::plan::bindings& bound) {
    if (kernel.mapping == k::plan::thread_mapping::tiles || kernel.in_tiles) return k::plan::block_count(kernel, bound);
    if (!kernel.reduces_by_itself()) return bound.element_count;
    std::int64_t row = 1;
    for (int axis = 0; axis < bound.iteration->rank(); ++axis)
        if (bound.reduced_axes >> axis & 1) row *= (*bound.iteration)[axis];
    return bound.element_count / row;
}

/// In ranges of chance, some of them past the caches.
void run_ranges(const k::plan::nest::tree& nest, nest_call run, std::int64_t count, element_meaning& steps) {
    std::mt19937 random(run.seed);
    for (run.begin = 0; run.begin < count; run.begin = run.end) {
        run.end = std::min<std::int64_t>(
            count, run.begin + 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(count)));
        run.past_caches = random() % 2;
        run_nest(nest, run, steps);
    }
}

}  // namespace

std::vector<std::vector<std::int64_t>> run_integers(const k::plan::schedule& made, const call& of, k::plan::frame on,
                                                    sums how, std::int64_t misaligned) {
    REQUIRE(made.kernels.size() == 1);
    const k::plan::kernel& kernel = made.kernels.front();
    const bool on_host = on == k::plan::frame::host;
    const k::plan::nest::tree nest =
        on_host ? k::plan::host_nest_of(made.program, kernel, false) : k::plan::nest_of(made.program, kernel);
    const auto& bound = *of.bound;

    nest_call run;
    run.blocks = on_host ? 1 : k::plan::block_count(kernel, bound);
    run.words.resize(static_cast<std::size_t>(kernel.layout_words));
    if (kernel.has_layout()) k::plan::fill_layout(kernel, bound, run.words.data());
    std::vector<std::unique_ptr<device_memory>> memories;
    const auto add = [&](device_memory memory) {
        memories.push_back(std::make_unique<device_memory>(std::move(memory)));
        run.memories.push_back(memories.back().get());
    };
    for (const k::plan::parameter& each : kernel.signature) {
        const auto index = static_cast<std::size_t>(each.index);
        switch (each.what) {
            case role::output: {
                const auto partial_sums = k::plan::partial_sums_offset + k::plan::most_partial_sums;
                add(device_memory(kernel.ends_in_partial_sums
                                      ? partial_sums
                                      : static_cast<std::size_t>(bound.output_shape(each.index).size()),
                                  misaligned));
                break;
            }
            case role::input: add(memory_of(*bound.node(kernel.inputs[index].memory))); break;
            case role::position:
                run.numbers.push_back(reinterpret_cast<std::intptr_t>(bound.node(kernel.inputs[index].memory)->data));
                break;
            case role::scalar: {
                const auto scalar = kernel.scalars[index] - static_cast<k::lower::value_id>(made.program.arrays.size());
                int seen = 0;
                for (const k::detail::leaf& leaf : of.leaves)
                    if (leaf.kind == k::detail::leaf_kind::scalar && seen++ == scalar)
                        run.numbers.push_back(number_of(leaf.bits, made.program.type_of(kernel.scalars[index])));
                break;
            }
            case role::divisor: run.numbers.push_back(0); break;  // a quotient is made of the scalar here
            case role::element_count: run.numbers.push_back(bound.element_count); break;
            case role::turned: run.numbers.push_back(0); break;
            case role::workspace:
                add(device_memory(static_cast<std::size_t>(bound.sizes.kept * bound.sizes.splits)));
                break;
            case role::counters: {
                device_memory counters(static_cast<std::size_t>(run.blocks));
                std::fill(counters.elements.begin(), counters.elements.end(), 0);
                add(std::move(counters));
                break;
            }
            default: break;
        }
    }
    integer_steps steps(made.program, kernel, nest, how);
    run.seed = static_cast<unsigned>(bound.element_count);
    if (on_host) run_ranges(nest, run, range_of(kernel, bound), steps);
    else run_nest(nest, run, steps);

    std::vector<std::vector<std::int64_t>> out;
    for (std::size_t i = 0; i < kernel.signature.size(); ++i) {
        const k::plan::parameter& each = kernel.signature[i];
        if (each.what != role::output) continue;
        const auto memory = static_cast<std::size_t>(
            std::count_if(kernel.signature.begin(), kernel.signature.begin() + static_cast<std::ptrdiff_t>(i),
                          [](const k::plan::parameter& before) { return k::plan::is_address(before.what); }));
        out.resize(std::max(out.size(), static_cast<std::size_t>(each.index) + 1));
        out[static_cast<std::size_t>(each.index)] = left_in(
            *memories[memory], kernel, static_cast<std::size_t>(each.index), bound.reduces ? bound.sizes.splits : 1);
    }
    return out;
}

}  // namespace tests
