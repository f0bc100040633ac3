// step_cycle: which recorded step follows which, from where the arrays were before each.
#include <api/step_cycle.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using kiln::detail::step_cycle;

namespace {

/// Adds places until they close the cycle; how many steps there are then.
int steps_of(step_cycle& cycle, const std::vector<std::vector<int>>& places) {
    int steps = 0;
    for (const std::vector<int>& each : places) {
        if (cycle.closes(each)) return steps;
        ++steps;
    }
    return -1;
}

/// "0 1 0 [2] ": steps by their numbers, whole rounds in brackets.
std::string walked(const step_cycle& cycle, int& at, std::int64_t count, std::int64_t most_rounds) {
    std::string out;
    cycle.walk(
        at, count, most_rounds, [&](int step) { out += std::to_string(step) + " "; },
        [&](std::int64_t rounds) { out += "[" + std::to_string(rounds) + "] "; });
    return out;
}

}  // namespace

TEST_CASE("arrays that stay where they are make one step") {
    step_cycle cycle;
    CHECK(steps_of(cycle, {{0, 1}, {0, 1}}) == 1);
    CHECK(cycle.length() == 1);
    CHECK(cycle.after(0) == 0);
}

TEST_CASE("A to B and B to A are two steps, in turn, for odd counts and even ones") {
    step_cycle cycle;
    CHECK(steps_of(cycle, {{0}, {1}, {0}}) == 2);
    int at = 0;
    CHECK(walked(cycle, at, 3, 4) == "[1] 0 ");
    CHECK(at == 1);
    CHECK(walked(cycle, at, 1, 4) == "1 ");
    CHECK(at == 0);
}

TEST_CASE("whole rounds are walked at once, from where they begin, and what is left one by one") {
    step_cycle cycle;
    CHECK(steps_of(cycle, {{0}, {1}, {2}, {0}}) == 3);
    int at = 0;
    CHECK(walked(cycle, at, 14, 2) == "[2] [2] 0 1 ");
    CHECK(at == 2);
    CHECK(walked(cycle, at, 8, 2) == "2 [2] 0 ");
    CHECK(at == 1);
    CHECK(walked(cycle, at, 0, 2).empty());
}

TEST_CASE("as many rounds at once as a power of two has") {
    step_cycle pair;
    CHECK(steps_of(pair, {{0}, {1}, {0}}) == 2);
    int at = 0;
    CHECK(walked(pair, at, 100, 64) == "[32] [16] [2] ");
    CHECK(walked(pair, at, 101, 16) == "[16] [16] [16] [2] 0 ");
    CHECK(walked(pair, at, 2, 16) == "1 0 ");
    step_cycle single;
    CHECK(steps_of(single, {{0}, {0}}) == 1);
    at = 0;
    CHECK(walked(single, at, 7, 8) == "[4] [2] 0 ");
}

TEST_CASE("steps before the arrays come into their round are walked once") {
    step_cycle cycle;
    CHECK(steps_of(cycle, {{0}, {1}, {2}, {1}}) == 3);
    CHECK(cycle.first() == 1);
    CHECK(cycle.length() == 2);
    int at = 0;
    CHECK(walked(cycle, at, 5, 1) == "0 [1] [1] ");
    CHECK(at == 1);
    CHECK(walked(cycle, at, 2, 5) == "[1] ");
}

TEST_CASE("places that are the same in another order are other places") {
    step_cycle cycle;
    CHECK(steps_of(cycle, {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 1, 2}}) == 3);
}
