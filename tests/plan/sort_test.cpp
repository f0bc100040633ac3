// Which steps a sort takes, and that each pass reads what the one before it wrote.
#include <plan/sort.hpp>

#include <doctest/doctest.h>

#include <algorithm>

namespace k = kiln;
using k::plan::sort_kind;

namespace {

k::plan::sort_plan plan_of(k::element_type type, std::int64_t rows, std::int64_t count, bool values, bool positions,
                           const k::plan::target& on = k::plan::cuda_target) {
    return k::plan::plan_sort({.type = type, .values = values, .positions = positions, .rows = rows, .count = count},
                              on);
}

}  // namespace

TEST_CASE("short rows take one step, long ones a pass for each byte of an element") {
    CHECK(plan_of(k::element_type::float32, 1000, 64, true, false).steps.front().what == sort_kind::network);
    CHECK(plan_of(k::element_type::float32, 1000, 512, true, false).steps.front().what == sort_kind::network);
    CHECK(plan_of(k::element_type::float32, 1000, 513, true, false).steps.front().what == sort_kind::block);
    CHECK(plan_of(k::element_type::float64, 1000, 257, true, false).steps.front().what == sort_kind::network);
    CHECK(plan_of(k::element_type::float64, 1000, 257, true, true).steps.front().what == sort_kind::block);
    CHECK(plan_of(k::element_type::uint8, 1000, 257, true, false).steps.front().what == sort_kind::block);
    CHECK(plan_of(k::element_type::float32, 1000, 4096, true, true).steps.size() == 1);
    for (const k::element_type type : {k::element_type::uint8, k::element_type::float16, k::element_type::float64}) {
        const k::plan::sort_plan on_gpu = plan_of(type, 3, 4097, true, false);
        CHECK(static_cast<int>(on_gpu.steps.size()) == 2 + k::bytes_of(type));
        CHECK(on_gpu.steps[0].what == sort_kind::clear);
        CHECK(on_gpu.steps[1].what == sort_kind::count);
        CHECK(static_cast<int>(plan_of(type, 3, 4097, true, false, k::plan::host_target).steps.size()) ==
              k::bytes_of(type));
    }
}

TEST_CASE("each pass reads what the one before it wrote, writes elsewhere, and the last ends in the results") {
    for (const k::element_type type :
         {k::element_type::uint8, k::element_type::float16, k::element_type::float32, k::element_type::float64})
        for (const bool values : {true, false})
            for (const bool positions : {true, false}) {
                if (!values && !positions) continue;
                const k::plan::sort_plan plan = plan_of(type, 2, 100000, values, positions);
                int from = 0;
                int places_from = -1;
                for (const k::plan::sort_step& each : plan.steps) {
                    if (each.what != sort_kind::pass) continue;
                    CHECK(each.from == from);
                    CHECK(each.places_from == places_from);
                    CHECK(each.to != each.from);
                    CHECK((each.places_to == -1 || each.places_to != each.places_from));
                    from = each.to;
                    places_from = each.places_to;
                    for (const int memory : {each.to, each.places_to, each.counts, each.states})
                        CHECK(memory < 3 + static_cast<int>(plan.temporaries.size()));
                }
                CHECK(from == (values ? 1 : -1));
                CHECK(places_from == (positions ? 2 : -1));
                CHECK(k::plan::sorts_in_place(plan) == !(values && type == k::element_type::uint8));
            }
}

TEST_CASE("counts and places have 64 bits where a row has 2^30 elements or more") {
    const std::int64_t most = (std::int64_t{1} << 30) - 1;
    CHECK(!plan_of(k::element_type::uint8, 4, most, true, true).steps.back().wide);
    CHECK(plan_of(k::element_type::uint8, 1, most + 1, true, true).steps.back().wide);
}

namespace {

k::plan::sort_plan plan_of_first(std::int64_t kept, std::int64_t rows, std::int64_t count) {
    return k::plan::plan_sort({.positions = true, .rows = rows, .count = count, .kept = kept}, k::plan::cuda_target);
}

}  // namespace

TEST_CASE("the first few of a row are selected: at once, or, where rows are few or long, from its parts first") {
    CHECK(plan_of_first(5, 200000, 61).steps.front().what == sort_kind::network);
    const k::plan::sort_plan at_once = plan_of_first(10, 4099, 10007);
    REQUIRE(at_once.steps.size() == 1);
    CHECK(at_once.steps[0].what == sort_kind::select);
    CHECK(at_once.steps[0].parts == 1);
    CHECK(at_once.temporaries.empty());
    CHECK_FALSE(k::plan::sorts_in_place(at_once));
    for (const auto& [rows, count] : {std::pair<std::int64_t, std::int64_t>{1, 67108879}, {64, 32003}, {1, 4097}}) {
        const k::plan::sort_plan plan = plan_of_first(10, rows, count);
        REQUIRE(plan.steps.size() > 1);
        CHECK(plan.steps.back().parts == 1);
        CHECK(plan.steps.back().to == 1);
        CHECK(plan.steps.back().places_to == 2);
        for (std::size_t i = 1; i < plan.steps.size(); ++i) {
            CHECK(plan.steps[i].from == plan.steps[i - 1].to);
            CHECK(plan.steps[i].places_from == plan.steps[i - 1].places_to);
            CHECK(plan.steps[i].count == plan.steps[i - 1].parts * 10);
        }
    }
}
