// What scans' kernels make of values before they store them, run without text: of each value, whatever thread has it, with what arrays
// beside have at its index.
#include "run_nest.hpp"

#include <plan/policy/scan.hpp>
#include <support/sample.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <vector>

namespace {

namespace k = kiln;
using k::detail::scan_beside;
using k::plan::scan_mapping;
using k::plan::scan_step;
using numbers = std::vector<std::int64_t>;

std::int64_t mixed(std::int64_t a, std::int64_t b) {
    std::uint64_t x = static_cast<std::uint64_t>(a) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(b);
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    return static_cast<std::int64_t>((x ^ x >> 32) >> 1);  // not the number of what nobody has set
}

/// A number for each way to combine elements, and for each value that something is made of.
class ways : public tests::element_meaning {
public:
    std::int64_t identity(const k::plan::reduced_output&) override { return 1; }
    tests::known combine(const k::plan::reduced_output&, const tests::known& a, const tests::known& b) override {
        return {mixed(a.value, b.value)};
    }
    std::int64_t finish(const k::plan::reduced_output&, const tests::known& a, std::int64_t) override {
        return a.value;
    }
    numbers compute(int, std::span<const std::int64_t> inputs, std::size_t outputs) override {
        std::int64_t all = 0;
        for (const std::int64_t each : inputs) all = mixed(all, each);
        numbers out;
        for (std::size_t i = 0; i < outputs; ++i) out.push_back(mixed(all, static_cast<std::int64_t>(i)));
        return out;
    }
};

std::size_t at(std::int64_t of) { return static_cast<std::size_t>(of); }

numbers elements_of(std::int64_t count, std::int64_t salt) {
    numbers out(at(count));
    for (std::int64_t i = 0; i < count; ++i) out[at(i)] = mixed(i, salt);
    return out;
}

/// value * a + b, as float32; and, where it is to be stored too, the value.
const k::plan::finishing_steps& steps(bool stores_value) {
    static const auto made = [](bool too) {
        k::detail::graph of;
        const int value = add_array(of, k::element_type::float32);
        const int a = add_array(of, k::element_type::float32);
        const int b = add_array(of, k::element_type::float32);
        const int product = add_operation(of, k::operation::mul, k::element_type::float32, value, a);
        const int sum = add_operation(of, k::operation::add, k::element_type::float32, product, b);
        of.outputs.push_back({.node = sum});
        if (too) of.outputs.push_back({.node = value});
        return k::plan::make_finishing_steps(of, {0, 1, 2}, 0, {});
    };
    static const k::plan::finishing_steps one = made(false), two = made(true);
    return stores_value ? two : one;
}

struct memories {
    explicit memories(const scan_step& step, std::int64_t misaligned)
        : operand(at(step.element_count()), misaligned),
          result(at(step.element_count()), misaligned),
          second(at(step.element_count()), misaligned),
          third(at(2 * step.outer * step.parts() * step.inner + 100)) {
        operand.elements = elements_of(step.element_count(), 77);
        if (!step.in_one_pass()) third.elements = elements_of(static_cast<std::int64_t>(third.elements.size()), 5);
    }
    tests::device_memory operand, result, second, third;
};

void check(scan_step step, scan_mapping mapping, const scan_beside& a, const scan_beside& b,
           std::int64_t misaligned = 0) {
    step.mapping = mapping;
    if (mapping != scan_mapping::short_rows && !step.walks() && step.parts() > 1) step.offsets = 2;
    CAPTURE(static_cast<int>(mapping));
    CAPTURE(misaligned);
    const auto launch = [&](memories& of, tests::device_memory* beside_a, tests::device_memory* beside_b) {
        tests::nest_call call;
        call.blocks = k::plan::block_count(step);
        call.numbers = {step.outer, step.count, step.inner, step.part, step.parts()};
        call.memories = {&of.result, &of.operand, step.offsets >= 0 ? &of.third : nullptr};
        if (step.finish) {
            if (step.finish->steps->all.outputs.size() > 1) call.memories.push_back(&of.second);
            for (tests::device_memory* const each : {beside_a, beside_b}) call.memories.push_back(each);
            for (const scan_beside& each : step.finish->besides)
                for (const std::int64_t stride : {each.outer, each.count, each.inner}) call.numbers.push_back(stride);
        }
        ways meaning;
        run_nest(k::plan::scan_nest(step), call, meaning);
    };
    memories plain(step, misaligned);
    launch(plain, nullptr, nullptr);

    const auto size_of = [&](const scan_beside& each) {
        return at((step.outer - 1) * each.outer + (step.count - 1) * each.count + (step.inner - 1) * each.inner + 1);
    };
    tests::device_memory beside_a(size_of(a), misaligned), beside_b(size_of(b));
    beside_a.elements = elements_of(static_cast<std::int64_t>(size_of(a)), 11);
    beside_b.elements = elements_of(static_cast<std::int64_t>(size_of(b)), 13);
    for (const bool stores_value : {false, true}) {
        step.finish = std::make_shared<const k::plan::scan_finish>(k::plan::scan_finish{&steps(stores_value), {a, b}});
        memories made(step, misaligned);
        launch(made, &beside_a, &beside_b);
        numbers wanted = plain.result.elements;
        for (std::int64_t o = 0; o < step.outer; ++o)
            for (std::int64_t x = 0; x < step.count; ++x)
                for (std::int64_t i = 0; i < step.inner; ++i) {
                    const auto in = [&](const tests::device_memory& of, const scan_beside& how) {
                        return of.elements[at(o * how.outer + x * how.count + i * how.inner)];
                    };
                    std::int64_t& value = wanted[at((o * step.count + x) * step.inner + i)];
                    value = mixed(mixed(mixed(mixed(0, value), in(beside_a, a)), in(beside_b, b)), 0);
                }
        CHECK(made.result.elements == wanted);
        if (stores_value) CHECK(made.second.elements == plain.result.elements);
    }
}

/// With arrays of the same shape, of one line, of one element for each line, of any strides: five ways, of which a run may have a sample.
void check_all(tests::sample& chosen, const scan_step& step, scan_mapping mapping, std::int64_t misaligned = 0) {
    const scan_beside same{step.count * step.inner, step.inner, 1};
    const scan_beside turned{1, step.outer, step.outer * step.count};
    const scan_beside line{0, 1, 0};
    const scan_beside lines{step.inner, 0, 1};
    if (chosen.takes_next()) check(step, mapping, same, line, misaligned);
    if (chosen.takes_next()) check(step, mapping, lines, turned, misaligned);
    if (chosen.takes_next()) check(step, mapping, line, {}, misaligned);
    for (const bool reads_backward : {false, true}) {
        if (!chosen.takes_next()) continue;
        scan_step other = step;
        other.writes.backward = true;
        other.reads.backward = reads_backward;
        check(other, mapping, same, turned, misaligned);
    }
}

}  // namespace

TEST_CASE("nests: what is made of a scan of rows is made of each value, with what is beside it") {
    using k::element_type;
    tests::sample chosen(2);  // what one size leaves out, the next has
    for (const std::int64_t misaligned : {0, 1})
        for (const element_type type : {element_type::float32, element_type::int8, element_type::float64}) {
            const std::int64_t of_warp = std::int64_t{32} * k::plan::scan_elements(type);
            for (const std::int64_t count : {of_warp, of_warp - 5, std::int64_t{19}})
                check_all(chosen, {.type = type, .outer = 3, .count = count, .part = of_warp}, scan_mapping::short_rows,
                          misaligned);
            if (type == element_type::int8) continue;
            for (const std::int64_t more : {std::int64_t{0}, std::int64_t{77}})
                check_all(chosen, {.type = type, .outer = 1, .count = 8 * of_warp + more, .part = 8 * of_warp},
                          scan_mapping::rows, misaligned);
            for (const scan_mapping mapping : {scan_mapping::row_parts, scan_mapping::walked_rows})
                check_all(chosen, {.type = type, .outer = 1, .count = 8 * of_warp + 77, .part = 8 * of_warp}, mapping,
                          misaligned);
        }
    const std::int64_t of_block = std::int64_t{32} * k::plan::scan_elements(element_type::complex128) * 8;
    check({.type = element_type::int64, .outer = 1, .count = 17 * 4096 + 9, .part = 4096}, scan_mapping::served_parts,
          {0, 1, 0}, {});
    check({.type = element_type::float64, .outer = 2, .count = 18 * of_block + 3, .part = 2 * of_block},
          scan_mapping::row_parts, {0, 1, 0}, {1, 0, 0});
}

TEST_CASE("nests: what is made of a scan of columns is made of each value, with what is beside it") {
    using k::element_type;
    tests::sample chosen(2);  // what one size leaves out, the next has
    for (const std::int64_t misaligned : {0, 1}) {
        check_all(chosen, {.outer = 2, .count = 45, .inner = 33, .part = 8}, scan_mapping::panels, misaligned);
        check_all(chosen, {.outer = 1, .count = 45, .inner = 64, .part = 8}, scan_mapping::panels, misaligned);
        check_all(chosen, {.narrow_level = 1, .outer = 2, .count = 505, .inner = 9, .part = 8, .slots = 2},
                  scan_mapping::narrow_panels, misaligned);
        check_all(chosen, {.outer = 1, .count = 45, .inner = 65, .part = 17}, scan_mapping::lines, misaligned);
        check_all(chosen, {.type = element_type::int64, .outer = 2, .count = 30, .inner = 5, .part = 30},
                  scan_mapping::columns, misaligned);
        check_all(chosen, {.outer = 2, .count = 45, .inner = 5, .part = 20}, scan_mapping::columns, misaligned);
    }
    check_all(chosen, {.outer = 1, .count = 640, .inner = 65, .part = 250}, scan_mapping::panels);  // of two warps
}

TEST_CASE("nests: a panel whose warp has more lanes than columns has whole warps, where arrays are read beside") {
    scan_step step{.outer = 2, .count = 640, .inner = 72, .part = 310};
    step.mapping = scan_mapping::panels;
    const scan_beside same{step.count * step.inner, step.inner, 1};
    const auto columns_beside = [&](const scan_beside& array) {
        scan_step with = step;
        with.finish = std::make_shared<const k::plan::scan_finish>(k::plan::scan_finish{&steps(false), {array, array}});
        return k::plan::panel_of(with).columns;
    };
    CHECK(k::plan::panel_of(step).columns == 16);
    CHECK(columns_beside(same) == 32);
    CHECK(columns_beside({step.inner, 0, 1}) == 16);  // one element of each line
    tests::sample every(1);
    check_all(every, step, scan_mapping::panels);
    step.part = 250;
    CHECK(k::plan::panel_of(step).columns == 32);
    CHECK(columns_beside(same) == 32);
}
