// The nests of scans, run without text: each element is stored once, of all elements before it in its part, in their order.
#include "run_nest.hpp"

#include <plan/policy/scan.hpp>
#include <support/sample.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <sstream>
#include <string>

namespace {

namespace k = kiln;
using k::plan::scan_mapping;
using k::plan::scan_step;

/// The names in a term, as they follow each other.
std::string leaves(const std::string& term) {
    constexpr const char* between = "() +";
    std::string out;
    for (std::size_t i = term.find_first_not_of(between); i < term.size(); i = term.find_first_not_of(between, i)) {
        const std::size_t end = std::min(term.find_first_of(between, i), term.size());
        out.append(term, i, end - i) += ' ';
        i = end;
    }
    return out;
}

std::string sorted(const std::string& leaves) {
    std::istringstream in(leaves);
    std::multiset<std::string> names;
    for (std::string each; in >> each;) names.insert(each);
    std::string out;
    for (const std::string& each : names) out += each + " ";
    return out;
}

void require_same(const std::string& made, const std::string& wanted) {
    const bool same = made == wanted;
    REQUIRE_MESSAGE(same, made.substr(0, 200), " in place of ", wanted.substr(0, 200));
}

struct scan_run {
    explicit scan_run(const scan_step& step, std::int64_t misaligned = 0, bool in_place = false)
        : of(step),
          elements(static_cast<std::size_t>(step.element_count()), misaligned),
          result(static_cast<std::size_t>(step.totals_only ? totals() : step.element_count()), misaligned),
          offsets(static_cast<std::size_t>(totals())) {
        for (std::size_t i = 0; i < elements.elements.size(); ++i)
            elements.elements[i] = made_of.leaf("x" + std::to_string(i));
        for (std::size_t i = 0; i < offsets.elements.size(); ++i)
            offsets.elements[i] = made_of.leaf("o" + std::to_string(i));
        tests::nest_call call;
        call.blocks = k::plan::block_count(step);
        call.numbers = {step.outer, step.count, step.inner, step.part, step.parts()};
        call.memories = {in_place ? &elements : &result, &elements, step.offsets >= 0 ? &offsets : nullptr};
        run_nest(k::plan::scan_nest(step), call, made_of);
    }

    [[nodiscard]] std::int64_t totals() const { return of.outer * of.parts() * of.inner; }
    /// What all elements of part p of line (o, i) begin with.
    [[nodiscard]] std::string before(std::int64_t o, std::int64_t p, std::int64_t i) const {
        if (of.offsets < 0 || p == 0 || of.totals_only) return "";
        return "o" + std::to_string((o * of.parts() + p - 1) * of.inner + i) + " ";
    }
    /// And what its element x and those behind it have.
    [[nodiscard]] std::string element(std::int64_t o, std::int64_t p, std::int64_t i, std::int64_t x) const {
        return "x" + std::to_string((o * of.count + p * of.part + x) * of.inner + i) + " ";
    }

    void check(const tests::device_memory& made) const {
        for (std::int64_t o = 0; o < of.outer; ++o)
            for (std::int64_t p = 0; p < of.parts(); ++p)
                for (std::int64_t i = 0; i < of.inner; ++i) {
                    const std::int64_t length = std::min(of.part, of.count - p * of.part);
                    std::string wanted = before(o, p, i);
                    if (of.totals_only) {
                        for (std::int64_t x = 0; x < length; ++x) wanted += element(o, p, i, x);
                        const std::string total = in(made, (o * of.parts() + p) * of.inner + i);
                        // Of rows, lanes come together in pairs.
                        const bool in_order = of.mapping == scan_mapping::columns;
                        require_same(in_order ? total : sorted(total), in_order ? wanted : sorted(wanted));
                        continue;
                    }
                    for (std::int64_t x = 0; x < length; ++x) {
                        wanted += element(o, p, i, x);
                        require_same(in(made, (o * of.count + p * of.part + x) * of.inner + i), wanted);
                    }
                }
    }

    [[nodiscard]] std::string in(const tests::device_memory& made, std::int64_t at) const {
        const std::int64_t term = made.elements[static_cast<std::size_t>(at)];
        return term == tests::device_memory::poison ? "nothing" : leaves(made_of.text(term));
    }

    scan_step of;
    tests::terms made_of;
    tests::device_memory elements, result, offsets;
};

scan_step rows(std::int64_t outer, std::int64_t count, k::element_type type, bool totals_only) {
    scan_step out{.type = type, .totals_only = totals_only, .outer = outer, .count = count};
    const std::int64_t of_warp = std::int64_t{32} * k::plan::scan_elements(type);
    out.mapping = count <= of_warp ? scan_mapping::short_rows : scan_mapping::rows;
    out.part = out.mapping == scan_mapping::rows ? of_warp * 8 : of_warp;
    if (out.parts() > 1 && !totals_only) out.offsets = 2;
    return out;
}

}  // namespace

TEST_CASE("nests: scans along columns take each element once, in order") {
    std::mt19937 random(3);
    for (int round = 0; round < 12; ++round) {
        const auto up_to = [&](std::int64_t most) {
            return std::uniform_int_distribution<std::int64_t>(1, most)(random);
        };
        scan_step step{.outer = up_to(3), .count = up_to(40), .inner = up_to(50)};
        step.part = up_to(step.count);
        step.totals_only = round % 3 == 0;
        if (!step.totals_only && step.parts() > 1) step.offsets = 2;
        CAPTURE(step.outer);
        CAPTURE(step.count);
        CAPTURE(step.inner);
        CAPTURE(step.part);
        const scan_run run(step);
        run.check(run.result);
    }
}

TEST_CASE("nests: scans along rows take each element once, in order") {
    tests::sample sizes(5);
    for (const k::element_type type : {k::element_type::float64, k::element_type::complex128})
        for (const bool totals_only : {false, true})
            for (const std::int64_t count : {17, 65, 255, 256, 512, 600, 1025, 3100, 4500})
                for (const std::int64_t misaligned : {0, 1}) {
                    if (totals_only && count <= 32 * k::plan::scan_elements(type)) continue;
                    if (!sizes.takes_next()) continue;
                    CAPTURE(count);
                    CAPTURE(misaligned);
                    const scan_run run(rows(count > 1000 ? 1 : 3, count, type, totals_only), misaligned);
                    run.check(run.result);
                }
}

TEST_CASE("nests: a scan in place reads before it stores") {
    const scan_run columns(scan_step{.outer = 2, .count = 30, .inner = 5, .part = 30}, 0, true);
    columns.check(columns.elements);
    const scan_run of_rows(rows(9, 100, k::element_type::float64, false), 0, true);
    of_rows.check(of_rows.elements);
}

TEST_CASE("nests: what no kernel may do is found") {
    const scan_step step = rows(1, 600, k::element_type::float64, false);
    const auto message_of = [&](auto change) -> std::string {
        k::plan::nest::tree nest = k::plan::scan_nest(step);
        change(nest);
        tests::terms made_of;
        tests::device_memory in(600);
        tests::device_memory out(600);
        for (std::int64_t& each : in.elements) each = made_of.leaf("x");
        tests::nest_call call;
        call.blocks = k::plan::block_count(step);
        call.numbers = {step.outer, step.count, step.inner, step.part, step.parts()};
        call.memories = {&out, &in, nullptr};
        try {
            run_nest(nest, call, made_of);
        } catch (const tests::nest_fault& fault) {
            return fault.what();
        }
        return {};
    };
    using k::plan::nest::statement;
    CHECK(message_of([](auto&) {}).empty());
    CHECK(message_of([](auto& nest) {
              for (statement& each : nest.statements)  // a condition that is never true
                  if (each.what == statement::kind::barrier) {
                      each.what = statement::kind::define;
                      each.variable = static_cast<k::plan::nest::id>(nest.variables.size());
                      nest.variables.push_back({"nothing", k::plan::nest::types::small});
                  }
          }).find("a race: of_warp[") != std::string::npos);
    CHECK(message_of([](auto& nest) {
              for (auto& each : nest.memories)
                  if (each.name == "of_warp") each.elements = 1;
          }).find("of_warp[1] is outside") != std::string::npos);
}
