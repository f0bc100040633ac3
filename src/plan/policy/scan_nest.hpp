// kiln/plan/policy/scan_nest: what the nests of a scan's steps have in common: parameters, and names for what is written often.
// in: a step   out: what its nest begins with   knows nothing of: who takes which element
#pragma once

#include <plan/nest/builder.hpp>
#include <plan/policy/scan.hpp>
#include <plan/policy/scan_finisher.hpp>

#include <optional>

namespace kiln::plan {

class scan_nest_builder {
protected:
    scan_nest_builder(const scan_step& of, int threads)
        : of_(of), element_type_(nest::types::element(of.type)), to_(scan_name(of), threads, /*wide=*/true) {
        // The result and the operand may be one array: what a thread writes, it or its block has read before, and nobody else
        // reads.
        to_.made().aliased = true;
        plan::reduced_output combined{of.what, of.type, of.type};
        combined.definition = of.definition;
        to_.set({.members = {{0, combined}}, .finishes = false});
        result_ = to_.memory_parameter(scan_signature[0], "to", nest::types::element(of.result_type()), true);
        operand_ = to_.memory_parameter(scan_signature[1], "from", nest::types::element(of.operand_type()), false);
        if (of.in_one_pass()) {
            states_ = to_.memory_parameter(scan_signature[2], "states", nest::types::published(of.type), true);
            to_.made().memories[static_cast<std::size_t>(states_)].of_many_blocks = true;
        } else {
            offsets_ = to_.memory_parameter(scan_signature[2], "offsets", element_type_, false);
        }
        outer_ = to_.number_parameter(scan_signature[3], "outer", nest::types::word);
        count_ = to_.number_parameter(scan_signature[4], "count", nest::types::word);
        inner_ = to_.number_parameter(scan_signature[5], "inner", nest::types::word);
        part_ = to_.number_parameter(scan_signature[6], "part", nest::types::word);
        parts_ = to_.number_parameter(scan_signature[7], "parts", nest::types::word);
        finisher_.emplace(to_, of, result_);
    }

    /// Which part the block takes: no block waits for one that has not begun.
    nest::value number_of_block(nest::value thread) {
        const nest::id number = to_.shared("taken", nest::types::word, 1);
        to_.when(thread == 0, [&] { to_.assign(to_.at(number, 0), to_.ticket(states_, 0)); });
        to_.barrier();
        return to_.let("number", to_.at(number, 0));
    }

    [[nodiscard]] nest::value nothing(std::string_view name) {
        return to_.variable(name, nest::types::accumulators(), to_.identity());
    }
    void add(nest::value to, nest::value more) { to_.assign(to, to_.combine(to, more)); }
    /// Of one element.
    void add_element(nest::value to, nest::value element) {
        const nest::value one = to_.variable("one", nest::types::accumulators());
        to_.assign(s(one), element);
        add(to, one);
    }
    /// The element of accumulators.
    [[nodiscard]] nest::value s(nest::value accumulators) { return to_.member(accumulators, 0); }
    /// An element of the operand, and one for the result.
    [[nodiscard]] nest::value as_read(nest::value element) {
        return of_.reads.type ? to_.convert(element, element_type_) : element;
    }
    [[nodiscard]] nest::value as_written(nest::value element) {
        return of_.writes.type ? to_.convert(element, nest::types::element(of_.value_type())) : element;
    }
    /// What becomes of an element, where it is stored; `number` of what is loaded beside is for it.
    void store_element(nest::value place, nest::value element, const scan_finisher::elements& beside = {},
                       nest::value number = {}) {
        const std::vector<nest::value> made = finisher_->results_of(as_written(element), beside, number);
        for (std::size_t i = 0; i < made.size(); ++i) to_.assign(to_.at(finisher_->results()[i], place), made[i]);
    }
    /// Where element x of a line is, counted as memory has them.
    [[nodiscard]] nest::value in_line(nest::value x) { return of_.writes.backward ? count_ - 1 - x : x; }
    /// Where the element so many rows after one that is at `first` is.
    [[nodiscard]] nest::value further(const scan_access& how, nest::value first, nest::value rows) {
        return how.backward ? first - rows * inner_ : first + rows * inner_;
    }
    [[nodiscard]] nest::value small(nest::value of) { return to_.convert(of, nest::types::small); }
    [[nodiscard]] nest::value at_most(nest::value a, int b) { return to_.select(a < b, a, b); }
    [[nodiscard]] nest::value ceiling(nest::value a, std::int64_t b) { return (a + (b - 1)) / b; }

    const scan_step& of_;
    const nest::type element_type_;
    nest::builder to_;
    nest::id result_ = nest::none, operand_ = nest::none, offsets_ = nest::none, states_ = nest::none;
    nest::value outer_, count_, inner_, part_, parts_;
    std::optional<scan_finisher> finisher_;
};

/// Of mapping `lines`.
nest::tree line_scan_nest(const scan_step& of);
/// Of mapping `columns` and `panels`.
nest::tree column_scan_nest(const scan_step& of);
/// Of mapping `narrow_panels`.
nest::tree narrow_column_scan_nest(const scan_step& of);
/// Of the others but `clear`.
nest::tree row_scan_nest(const scan_step& of);

}  // namespace kiln::plan
