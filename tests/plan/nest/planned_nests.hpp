// tests/plan/nest/planned_nests: the one kernel of some expressions, planned for a device that need not be there, or planned anew, run without
// text and compared with what the CPU makes of them.
#pragma once

#include "run_integers.hpp"

#include <plan/kernel_signature.hpp>
#include <plan/layout.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace tests {

namespace k = kiln;

template <class E>
void require_same(const std::vector<std::int64_t>& left, const E& e) {
    const k::array<k::value_t<E>> wanted = e;
    const auto elements = wanted.to_host();
    REQUIRE(left.size() == elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (left[i] != static_cast<std::int64_t>(elements[i]))
            FAIL("element ", i, " of ", elements.size(), " is ", left[i], " in place of ", elements[i]);
}

/// Runs the one kernel of some expressions that are evaluated together, planned anew by `change`, and compares with what the CPU makes of
/// each.
template <class Change, class... Es>
void check_planned(const k::stage::stages& planned, const k::plan::target& on, Change change, const Es&... es) {
    REQUIRE(planned.list.size() == 1);
    const k::stage::stage& only = planned.list.front();
    tests::call call{only.leaves, only.outputs, nullptr};
    call.bind(on.kind);
    const k::plan::call_class& kind = call.kind();
    k::plan::schedule made = k::plan::partition(
        k::lower::lower(only.described, kind.numbers(), kind.baked(), k::plan::looked_up(kind)).code, kind, on);
    change(made, kind);
    const std::vector<std::vector<std::int64_t>> left = tests::run_integers(made, call, on.kind);
    REQUIRE(left.size() == sizeof...(Es));
    std::size_t next = 0;
    (require_same(left[next++], es), ...);
}

template <class Change, class... Es>
void check_changed(const k::plan::target& on, Change change, const Es&... es) {
    check_planned(tests::stages_of(on, es...), on, change, es...);
}

template <class T>
k::array<T> numbers(std::mt19937& random, std::initializer_list<std::int64_t> extents) {
    const k::shape shape(extents);
    std::vector<T> out(static_cast<std::size_t>(shape.size()));
    for (T& each : out) each = static_cast<T>(random() % 100);
    return k::from_host<T>(out, shape);
}

/// What follows from how a kernel's threads take its elements.
inline void plan_again(k::plan::schedule& made) {
    k::plan::kernel& only = made.kernels.front();
    k::plan::assign_words(only);
    only.signature = k::plan::signature_of(made.program, only);
}

/// The one kernel of an expression, as it would be planned for as many values as each choice of `changes` is for.
template <class Change>
std::vector<std::int64_t> orders_of(const k::stage::stages& planned, Change change) {
    const k::plan::target& on = k::plan::cuda_target;
    const k::stage::stage& only = planned.list.front();
    tests::call call{only.leaves, only.outputs, nullptr};
    call.bind(on.kind);
    k::plan::schedule made = k::plan::partition(
        k::lower::lower(only.described, call.kind().numbers(), call.kind().baked(), k::plan::looked_up(call.kind()))
            .code,
        call.kind(), on);
    change(made, call.kind());
    return tests::run_integers(made, call, on.kind, tests::sums::tell_order).at(0);
}

template <class E, class Change>
std::vector<std::int64_t> orders_of(const E& e, Change change) {
    return orders_of(tests::stages_of(k::plan::cuda_target, e), change);
}

}  // namespace tests
