// Scans in one pass, run without text: what comes out is combined as the steps combine it that read the operand twice, pair by pair.
#include "run_nest.hpp"

#include <plan/nest/builder.hpp>
#include <plan/policy/scan.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

namespace {

namespace k = kiln;
using k::plan::scan_mapping;
using k::plan::scan_step;
using numbers = std::vector<std::int64_t>;

/// A number for each way to combine elements: (a + b) + c is another one than a + (b + c), and nothing + a than a.
class ways : public tests::element_meaning {
public:
    static std::int64_t mixed(std::int64_t a, std::int64_t b) {
        std::uint64_t x = static_cast<std::uint64_t>(a) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(b);
        x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
        return static_cast<std::int64_t>((x ^ x >> 32) >> 1);  // not the number of what nobody has set
    }
    std::int64_t identity(const k::plan::reduced_output&) override { return 1; }
    tests::known combine(const k::plan::reduced_output&, const tests::known& a, const tests::known& b) override {
        return {mixed(a.value, b.value)};
    }
    std::int64_t finish(const k::plan::reduced_output&, const tests::known& a, std::int64_t) override {
        return a.value;
    }
    numbers compute(int, std::span<const std::int64_t>, std::size_t) override { return {}; }
};

std::size_t at(std::int64_t of) { return static_cast<std::size_t>(of); }

numbers elements_of(std::int64_t count) {
    numbers out(at(count));
    for (std::int64_t i = 0; i < count; ++i) out[at(i)] = ways::mixed(i, 77);
    return out;
}

tests::device_memory memory_of(const numbers& elements) {
    tests::device_memory out(elements.size());
    out.elements = elements;
    return out;
}

void launch(const scan_step& step, tests::device_memory* to, tests::device_memory* from, tests::device_memory* third,
            unsigned seed = 1) {
    ways meaning;
    tests::nest_call call;
    call.seed = seed;
    call.blocks = k::plan::block_count(step);
    call.numbers = {step.outer, step.count, step.inner, step.part, step.parts()};
    call.memories = {to, from, third};
    run_nest(k::plan::scan_nest(step), call, meaning);
}

/// Totals of parts, their scan in the same way, each part on top of those before it.
numbers in_steps(scan_step step, const numbers& from) {
    tests::device_memory operand(from.size());
    operand.elements = from;
    tests::device_memory result(from.size());
    if (step.parts() == 1) {
        launch(step, &result, &operand, nullptr);
        return result.elements;
    }
    scan_step totals_only = step;
    totals_only.totals_only = true;
    tests::device_memory totals(at(step.outer * step.parts() * step.inner));
    launch(totals_only, &totals, &operand, nullptr);
    scan_step of_totals = k::plan::scan_of_totals(step);
    const std::int64_t of_warp = std::int64_t{32} * k::plan::scan_elements(step.type);
    if (of_totals.narrow_level) {
        of_totals.part = k::plan::plan_scan(of_totals, k::plan::cuda_target).steps.back().part;
    } else if (step.inner == 1 && of_totals.count > 16) {
        of_totals.mapping = of_totals.count <= of_warp ? scan_mapping::short_rows : scan_mapping::rows;
        of_totals.part = of_totals.mapping == scan_mapping::rows ? 8 * of_warp : of_warp;
    } else {
        of_totals.part = 64;
    }
    tests::device_memory offsets(totals.elements.size());
    offsets.elements = in_steps(of_totals, totals.elements);
    tests::device_memory again(from.size());
    again.elements = from;
    step.offsets = 2;
    launch(step, &result, &again, &offsets);
    return result.elements;
}

/// With as few slots as a ring has.
scan_step narrow(scan_step step) {
    step.narrow_level = 1;
    step.slots = 2;
    return step;
}

numbers in_one_pass(scan_step step, scan_mapping mapping, const numbers& from, unsigned seed, bool in_place,
                    std::int64_t misaligned) {
    step.mapping = mapping;
    step.offsets = 2;
    tests::device_memory operand(from.size(), misaligned);
    operand.elements = from;
    tests::device_memory result(from.size(), misaligned);
    tests::device_memory states(at(2 * step.outer * step.parts() * step.inner + 100));
    launch(step, in_place ? &operand : &result, &operand, &states, seed);
    return in_place ? operand.elements : result.elements;
}

/// Gives what is wanted.
numbers check(const scan_step& step, scan_mapping mapping, std::int64_t misaligned = 0) {
    CAPTURE(step.outer);
    CAPTURE(step.count);
    CAPTURE(step.inner);
    CAPTURE(step.part);
    const numbers from = elements_of(step.element_count());
    const numbers wanted = in_steps(step, from);
    CHECK(in_one_pass(step, mapping, from, 1, false, misaligned) == wanted);
    CHECK(in_one_pass(step, mapping, from, 2, true, misaligned) == wanted);  // blocks in another order
    return wanted;
}

}  // namespace

TEST_CASE("nests: a scan of columns in one pass combines as its steps do, whatever the order of blocks") {
    using k::element_type;
    for (const element_type type : {element_type::float32, element_type::complex128, element_type::int8})
        for (const std::int64_t inner : {3, 32, 40, 64}) {
            if (inner == 3 && type == element_type::int8) continue;
            check({.type = type, .outer = 2, .count = 45, .inner = inner, .part = 8}, scan_mapping::panels);
            check({.type = type, .outer = 1, .count = 9, .inner = inner, .part = 4}, scan_mapping::panels, 1);
        }
    check({.outer = 1, .count = 300, .inner = 33, .part = 100}, scan_mapping::panels);
    check({.outer = 1, .count = 640, .inner = 65, .part = 310}, scan_mapping::panels);  // of two warps
}

TEST_CASE("nests: a scan of few columns in one pass combines as its steps do, whatever the order of blocks") {
    using k::element_type;
    for (const element_type type : {element_type::float32, element_type::complex128, element_type::int8})
        for (const std::int64_t inner : {2, 3, 9, 27}) {
            check(narrow({.type = type, .outer = 2, .count = 1045, .inner = inner, .part = 8}),
                  scan_mapping::narrow_panels);
            check(narrow({.type = type, .outer = 1, .count = 9, .inner = inner, .part = 4}),
                  scan_mapping::narrow_panels, 1);
        }
    // Of a panel, of groups of panels, and of more than are looked at together.
    for (const std::int64_t count : {512, 513, 8192, 16905})
        check(narrow({.outer = 1, .count = count, .inner = 3, .part = 8}), scan_mapping::narrow_panels);
    check(narrow({.type = element_type::complex128, .outer = 1, .count = 1200, .inner = 27, .part = 1}),
          scan_mapping::narrow_panels);
}

TEST_CASE("nests: few lines that come in chunks are on top of what comes before each part of them") {
    // As streamed/carried_scan takes them: a chunk has a part before it, in whose place what is known of all before it is read.
    const scan_step whole = narrow({.outer = 1, .count = 20011, .inner = 9, .part = 8});
    const numbers from = elements_of(whole.element_count());
    const numbers wanted = in_steps(whole, from);
    const std::int64_t of_part = whole.part * whole.inner;
    const auto elements = [&](std::int64_t first_part, std::int64_t end_part) {
        return numbers(from.begin() + first_part * of_part,
                       from.begin() + std::min(end_part * of_part, whole.element_count()));
    };
    const std::vector<std::int64_t> cuts = {0, 700, 1401, whole.parts()};
    numbers totals;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        tests::device_memory operand = memory_of(elements(cuts[i], cuts[i + 1]));
        scan_step chunk = whole;
        chunk.count = static_cast<std::int64_t>(operand.elements.size()) / whole.inner;
        chunk.totals_only = true;
        tests::device_memory made(at(chunk.parts() * chunk.inner));
        launch(chunk, &made, &operand, nullptr);
        totals.insert(totals.end(), made.elements.begin(), made.elements.end());
    }
    scan_step of_totals = k::plan::scan_of_totals(whole);
    of_totals.part = k::plan::plan_scan(of_totals, k::plan::cuda_target).steps.back().part;
    const numbers before = in_steps(of_totals, totals);
    numbers got;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        const std::int64_t dummy = cuts[i] > 0 ? 1 : 0;  // a part
        numbers here(at(dummy * of_part), 77);
        const numbers chunk_elements = elements(cuts[i], cuts[i + 1]);
        here.insert(here.end(), chunk_elements.begin(), chunk_elements.end());
        tests::device_memory memory = memory_of(here);
        tests::device_memory known = memory_of(numbers(before.begin() + (cuts[i] - dummy) * whole.inner, before.end()));
        scan_step chunk = whole;
        chunk.count = static_cast<std::int64_t>(here.size()) / whole.inner;
        chunk.offsets = 2;
        tests::device_memory result(here.size());
        launch(chunk, &result, &memory, &known);
        got.insert(got.end(), result.elements.begin() + dummy * of_part, result.elements.end());
    }
    CHECK(got == wanted);
}

TEST_CASE("nests: a thread that walks a whole line combines as the steps of its parts do") {
    using k::element_type;
    for (const element_type type : {element_type::float32, element_type::complex128, element_type::int8})
        for (const std::int64_t part : {1, 3, 8, 16, 17, 45})
            for (const std::int64_t inner : {2, 65, 130})
                check({.type = type, .outer = 2, .count = 45, .inner = inner, .part = part}, scan_mapping::lines,
                      part % 2);
    check({.outer = 1, .count = 300, .inner = 33, .part = 100}, scan_mapping::lines);
}

TEST_CASE("nests: parts of columns come together by groups, and groups of groups") {
    for (const std::int64_t parts : {64, 65, 129}) {
        check({.outer = 2, .count = 2 * parts - 1, .inner = 3, .part = 2}, scan_mapping::panels);
        check({.outer = 1, .count = 2 * parts, .inner = 50, .part = 2}, scan_mapping::panels);
    }
    for (const std::int64_t parts : {4096, 4097, 4161})
        check({.outer = 1, .count = parts - 1, .inner = 2, .part = 1}, scan_mapping::panels);
}

namespace {

scan_step rows(k::element_type type, std::int64_t outer, std::int64_t count) {
    scan_step out{.type = type, .mapping = scan_mapping::rows, .outer = outer, .count = count};
    out.part = std::int64_t{32} * k::plan::scan_elements(type) * 8;
    return out;
}

}  // namespace

TEST_CASE("nests: a scan of rows in one pass combines as its steps do, whatever the order of blocks") {
    using k::element_type;
    check(rows(element_type::complex128, 2, 2 * 2048 + 700), scan_mapping::row_parts);
    check(rows(element_type::float64, 1, 4096 + 1), scan_mapping::row_parts, 1);
    for (const std::int64_t misaligned : {0, 1}) {
        check(rows(element_type::complex128, 2, 2 * 2048 + 700), scan_mapping::walked_rows, misaligned);
        check(rows(element_type::float64, 2, 3 * 4096 + 1 - misaligned), scan_mapping::walked_rows, misaligned);
    }
    // Past a round, and with a block that makes for all what comes before their parts.
    const auto check_served = [](const scan_step& line, const numbers& wanted) {
        CHECK(in_one_pass(line, scan_mapping::served_parts, elements_of(line.element_count()), 2, true, 1) == wanted);
    };
    const scan_step wide = rows(element_type::complex128, 1, 33 * 2048 + 1);
    check_served(wide, check(wide, scan_mapping::row_parts, 1));
    const scan_step line = rows(element_type::int64, 1, 65 * 4096 + 1);
    check_served(line, in_steps(line, elements_of(line.element_count())));
}

namespace {

/// Lines from the last element to the first.
numbers turned(const scan_step& of, const numbers& elements) {
    numbers out(elements.size());
    for (std::int64_t o = 0; o < of.outer; ++o)
        for (std::int64_t x = 0; x < of.count; ++x)
            for (std::int64_t i = 0; i < of.inner; ++i)
                out[at((o * of.count + of.count - 1 - x) * of.inner + i)] =
                    elements[at((o * of.count + x) * of.inner + i)];
    return out;
}

/// Casts and lines from the last element to the first change where elements are, and nothing of how they are combined.
void check_ends(scan_step step, scan_mapping mapping, std::int64_t misaligned = 0) {
    const numbers from = elements_of(step.element_count());
    const numbers wanted = in_one_pass(step, mapping, from, 1, false, misaligned);
    for (const bool reads_backward : {false, true})
        for (const bool writes_backward : {false, true})
            for (const auto cast : {std::optional<k::element_type>(), std::optional(k::element_type::int16)}) {
                if (cast && kind_of(step.type) == k::element_kind::complex) continue;
                step.reads = {cast, reads_backward};
                step.writes = {cast, writes_backward};
                const numbers made =
                    in_one_pass(step, mapping, reads_backward ? turned(step, from) : from, 3, false, misaligned);
                CAPTURE(static_cast<int>(mapping));
                CAPTURE(reads_backward);
                CAPTURE(writes_backward);
                CAPTURE(cast.has_value());
                CHECK((writes_backward ? turned(step, made) : made) == wanted);
            }
}

}  // namespace

TEST_CASE("nests: scans that cast, and go through lines backwards, combine as others do") {
    using k::element_type;
    for (const std::int64_t misaligned : {0, 1}) {
        const element_type type = misaligned ? element_type::float32 : element_type::int64;
        check_ends({.type = type, .outer = 2, .count = 45, .inner = 33, .part = 8}, scan_mapping::panels, misaligned);
        check_ends({.type = type, .outer = 1, .count = 45, .inner = 64, .part = 8}, scan_mapping::panels, misaligned);
        check_ends({.type = type, .outer = 1, .count = 45, .inner = 65, .part = 17}, scan_mapping::lines, misaligned);
        check_ends({.type = type, .outer = 2, .count = 30, .inner = 5, .part = 30}, scan_mapping::columns, misaligned);
        const std::int64_t of_warp = std::int64_t{32} * k::plan::scan_elements(type);
        for (const std::int64_t count : {of_warp, of_warp - 5})
            check_ends({.type = type, .outer = 2, .count = count, .part = of_warp}, scan_mapping::short_rows,
                       misaligned);
    }
    check_ends(rows(element_type::complex128, 1, 2048 + 77), scan_mapping::row_parts);
    for (const scan_mapping mapping : {scan_mapping::row_parts, scan_mapping::walked_rows})
        check_ends(rows(element_type::float64, 1, 4096 + 33), mapping, 1);
}

namespace {

/// Each block publishes its number; and one waits for that of another block, `apart` away.
std::string fault_of(std::int64_t apart, bool twice = false) {
    namespace nest = k::plan::nest;
    using nest::types::word;
    nest::builder to("neighbours", 32, true);
    const nest::type element = nest::types::element(k::element_type::int64);
    const nest::id result = to.memory_parameter(k::plan::scan_signature[0], "to", element, true);
    const nest::id states =
        to.memory_parameter(k::plan::scan_signature[2], "states", nest::types::published(k::element_type::int64), true);
    to.loop_of(nest::runner::grid, "block");
    const nest::value lane = to.loop_of(nest::runner::thread, "lane", 32);
    to.when(lane == 0, [&] {
        const nest::value number = to.let("number", to.ticket(states, 0));
        to.publish(to.at(states, number + 1), to.convert(number, element));
        if (twice) to.publish(to.at(states, number + 1), to.convert(number, element));
        const nest::id other = to.own("other", element, 1);
        to.when(number == 2, [&] {
            to.await(to.at(other, 0), 1, to.at(states, number + 1 + apart), 1, 1);
            to.assign(to.at(result, 0), to.at(other, 0));
        });
    });
    tests::device_memory made(1), published(9);
    tests::nest_call call;
    call.blocks = 5;
    call.memories = {&made, &published};
    ways meaning;
    try {
        run_nest(to.finish(), call, meaning);
    } catch (const tests::nest_fault& fault) {
        return fault.what();
    }
    return std::to_string(made.elements[0]);
}

}  // namespace

TEST_CASE("nests: who waits for what no block before it publishes is found") {
    CHECK(fault_of(-1) == "1");
    CHECK(fault_of(0) == "2");
    CHECK(fault_of(1).find("waits for states[4], which no block before it publishes") != std::string::npos);
    CHECK(fault_of(-1, true).find("stored twice") != std::string::npos);
}
