// What a nest has as a function of its own (statement::kind::apart): run, checked, and where policies have one.
#include "run_nest.hpp"

#include <support/rooms.hpp>

#include <plan/nest/builder.hpp>
#include <plan/nest/check.hpp>
#include <plan/policy/policies.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

namespace {

namespace k = kiln;
namespace nest = k::plan::nest;
namespace types = nest::types;
using k::plan::role;
using nest::builder;
using nest::id;
using nest::runner;
using nest::value;

constexpr int threads = 32;

/// y[i] is what `inside` gives back of thread i, x and a variable that changes.
nest::tree made(const std::function<value(builder&, value thread, id x, value changes)>& inside) {
    constexpr auto real = types::element(k::element_type::float32);
    builder to("kiln_tried", threads, false);
    const id y = to.memory_parameter({role::output}, "y0", real, true);
    const id x = to.memory_parameter({role::input}, "x0", real, false);
    to.loop_of(runner::grid, "block");
    const value thread = to.loop_of(runner::thread, "thread", threads);
    const value changes = to.variable("changes", types::number, 0);
    to.when(thread < 7, [&] {
        const value found = to.apart("found", types::number, [&] { return inside(to, thread, x, changes); });
        to.assign(to.at(y, thread), found);
    });
    return to.finish();
}

std::string why(const nest::tree& of) { return why_wrong(of, k::plan::cuda_target_of(90)); }
bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// The first place from i on where x is 0.
value first_zero(builder& to, value thread, id x) {
    const value found = to.variable("place", types::number, 100);
    to.loop(
        runner::serial, "next", thread, threads, 1,
        [&](value next) {
            to.when(to.at(x, next) == 0, [&] {
                to.assign(found, next);
                to.leave();
            });
        },
        /*written_out=*/1, types::number);
    return found;
}

bool has_apart(const nest::tree& of) {
    return std::any_of(of.statements.begin(), of.statements.end(),
                       [](const nest::statement& each) { return each.what == nest::statement::kind::apart; });
}

template <class E>
bool looks_for_nans(const E& e) {
    const k::plan::schedule planned = tests::first_stage_schedule(k::plan::cuda_target_of(90), e);
    REQUIRE(!planned.kernels.empty());
    return has_apart(k::plan::nest_of(planned.program, planned.kernels.front()));
}

}  // namespace

TEST_CASE("nests: what is apart is run like the rest") {
    const nest::tree of = made([](builder& to, value thread, id x, value) { return first_zero(to, thread, x); });
    CHECK(why(of) == "");
    tests::device_memory y(threads);
    tests::device_memory x(threads);
    for (std::size_t i = 0; i < threads; ++i) x.elements[i] = i == 3 || i == 9 ? 0 : 5;
    tests::nest_call call;
    call.memories = {&y, &x};
    tests::terms unused;
    run_nest(of, call, unused);
    CHECK(std::vector<std::int64_t>(y.elements.begin(), y.elements.begin() + 8) ==
          std::vector<std::int64_t>{3, 3, 3, 3, 9, 9, 9, tests::device_memory::poison});
}

TEST_CASE("nests: what is apart meets nobody, and takes no registers") {
    CHECK(says(why(made([](builder& to, value thread, id, value) {
                   to.barrier();
                   return thread;
               })),
               "a barrier that some threads"));
    CHECK(says(why(made([](builder&, value, id, value changes) { return changes; })),
               "changes changes, and is taken apart"));
    CHECK(says(why(made([](builder& to, value thread, id, value changes) {
                   to.assign(changes, 1);
                   return thread;
               })),
               "changes changes, and is taken apart"));
    const auto registers = [](bool inside) {
        builder to("kiln_tried", threads, false);
        to.loop_of(runner::grid, "block");
        const value thread = to.loop_of(runner::thread, "thread", threads);
        id own = inside ? nest::none : to.own("mine", types::small, 2);
        to.apart("found", types::small, [&] {
            if (inside) own = to.own("mine", types::small, 2);
            to.assign(to.at(own, 0), thread);
            return to.let("out", to.at(own, 0));
        });
        return why(to.finish());
    };
    CHECK(registers(true) == "");
    CHECK(says(registers(false), "mine is in registers, and is taken apart"));
}

TEST_CASE_TEMPLATE("nests: the first NaN is looked for apart where float's places are wanted alone", T, float, double,
                   std::int32_t, std::int64_t) {
    const k::array<T> x = k::ones<T>({100'000, 8});
    const k::array<T> c = k::ones<T>({64, 8});
    const auto apart = x(k::all, k::newaxis) - c;
    const auto distance = k::sum(apart * apart, k::axis(2));
    constexpr bool is_looked_for = std::is_same_v<T, float>;
    CHECK(looks_for_nans(k::argmin(distance, k::axis(1))) == is_looked_for);
    CHECK(looks_for_nans(k::argmax(distance, k::axis(1))) == is_looked_for);
    CHECK(!looks_for_nans(k::min(distance, k::axis(1))));
}
