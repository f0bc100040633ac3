// The steps of a scan, taken one after the other in the plainest way, make what a loop makes, for both devices.
#include <plan/scan.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <utility>
#include <vector>

using namespace kiln;

namespace {

using numbers = std::vector<std::int64_t>;

/// What plan/scan.hpp says of a step.
void take(plan::scan_step step, std::vector<numbers>& memories) {
    if (step.mapping == plan::scan_mapping::clear) return;
    if (step.in_one_pass()) step.part = step.count;  // what it publishes is its own affair
    const numbers from = memories[static_cast<std::size_t>(step.from)];
    numbers& to = memories[static_cast<std::size_t>(step.to)];
    for (std::int64_t outer = 0; outer < step.outer; ++outer)
        for (std::int64_t inner = 0; inner < step.inner; ++inner)
            for (std::int64_t part = 0; part < step.parts(); ++part) {
                std::int64_t sum = 0;
                if (step.offsets >= 0 && part > 0) {
                    const std::int64_t before = step.narrow_level ? part : part - 1;  // itself is what comes before it
                    sum = memories[static_cast<std::size_t>(step.offsets)]
                                  [static_cast<std::size_t>((outer * step.parts() + before) * step.inner + inner)];
                }
                for (std::int64_t i = part * step.part; i < std::min(step.count, (part + 1) * step.part); ++i) {
                    const auto at = static_cast<std::size_t>((outer * step.count + i) * step.inner + inner);
                    const std::int64_t before = sum;
                    sum += from[at];
                    if (!step.totals_only) to[at] = step.is_exclusive() ? before : sum;
                }
                if (step.totals_only)
                    to[static_cast<std::size_t>((outer * step.parts() + part) * step.inner + inner)] = sum;
            }
}

}  // namespace

TEST_CASE("a scan's steps make what a loop makes") {
    std::mt19937 random(3);
    const shape shapes[] = {{1},       {16},      {17},      {1024},       {1025},      {8193, 1},
                            {100003},  {3, 9000}, {9000, 3}, {70, 80, 90}, {2, 300000}, {300000, 2},
                            {5, 1, 7}, {1, 1, 1}, {64, 65},  {2, 4097, 3}};
    for (const plan::target& on : {plan::cuda_target, plan::host_target})
        for (const shape& of : shapes)
            for (int axis = 0; axis < of.rank(); ++axis) {
                CAPTURE(to_string(of));
                CAPTURE(axis);
                const plan::scan_plan plan =
                    plan::plan_scan(of, axis, detail::reduction_kind::sum, element_type::float32, on);
                std::vector<numbers> memories(2, numbers(static_cast<std::size_t>(of.size())));
                for (std::int64_t& each : memories[0]) each = static_cast<std::int64_t>(random() % 100);
                for (const std::int64_t count : plan.temporaries)
                    memories.emplace_back(static_cast<std::size_t>(count / 4));
                numbers expected = memories[0];
                std::int64_t stride = 1;
                for (int i = axis + 1; i < of.rank(); ++i) stride *= of[i];
                for (std::int64_t i = 0; i < of.size(); ++i)
                    if (i / stride % of[axis] > 0)
                        expected[static_cast<std::size_t>(i)] += expected[static_cast<std::size_t>(i - stride)];
                std::int64_t totals = 0;
                for (const plan::scan_step& step : plan.steps) take(step, memories);
                for (const std::int64_t bytes : plan.temporaries) totals += bytes / 4;
                CHECK(memories[1] == expected);
                // What the totals add to the bytes of three passes is little.
                CHECK(totals <= of.size() / 8);
            }
}

TEST_CASE(
    "a scan of many lines beside each other, rows of which begin anywhere, is one kernel, whose threads walk down "
    "them") {
    using plan::scan_mapping;
    const auto steps_of = [](const kiln::shape& of, int axis) {
        std::vector<scan_mapping> out;
        const plan::scan_plan made = plan::plan_scan(of, axis, kiln::detail::reduction_kind::sum, element_type::float32,
                                                     plan::cuda_target_of(90));
        CHECK(made.temporaries.empty() == (made.steps.size() == 1));
        for (const plan::scan_step& each : made.steps) out.push_back(each.mapping);
        return out;
    };
    const std::vector<scan_mapping> walked = {scan_mapping::lines};
    const std::vector<scan_mapping> in_panels = {scan_mapping::clear, scan_mapping::panels};
    CHECK(steps_of({1013, 65537}, 0) == walked);
    CHECK(steps_of({127, 513, 1021}, 1) == walked);
    CHECK(steps_of({2053, 32771}, 0) == walked);
    CHECK(steps_of({1024, 65536}, 0) == in_panels);  // rows are whole vectors
    CHECK(steps_of({8192, 8192}, 0) == in_panels);
    CHECK(steps_of({16381, 4093}, 0) == in_panels);
    CHECK(steps_of({64, 65537}, 0) == std::vector<scan_mapping>{scan_mapping::columns});  // of one part
    // Threads that ask for two bytes at a time keep memory busy where they are twice as many.
    const auto of_int16 = [](const kiln::shape& of) {
        return plan::plan_scan(of, 1, kiln::detail::reduction_kind::sum, element_type::int64, plan::cuda_target_of(90),
                               0, {.type = element_type::int16})
            .steps.back()
            .mapping;
    };
    CHECK(of_int16({33, 511, 1021}) == scan_mapping::panels);
    CHECK(of_int16({127, 511, 1021}) == scan_mapping::lines);
}

TEST_CASE(
    "panels of rows that begin anywhere are of several warps, as far as a multiprocessor has room for three, and of "
    "few rows") {
    const auto panel = [](const kiln::shape& of, element_type type = element_type::float32) {
        const plan::scan_plan made =
            plan::plan_scan(of, 0, kiln::detail::reduction_kind::sum, type, plan::cuda_target_of(90));
        const plan::scan_panel out = plan::panel_of(made.steps.back());
        CHECK(out.rows >= made.steps.back().part);
        CHECK(plan::threads_per_block(made.steps.back()) == std::max(32, out.columns));
        return std::pair(out.rows, out.columns);
    };
    CHECK(panel({4099, 8191}) == std::pair(72, 160));
    CHECK(panel({4096, 8192}) == std::pair(128, 32));
    CHECK(panel({20011, 4099}) == std::pair(72, 160));
    CHECK(panel({400009, 127}) == std::pair(72, 128));
    CHECK(panel({16381, 16411}) == std::pair(72, 160));
    CHECK(panel({20011, 4096}) == std::pair(256, 32));
    CHECK(panel({4099, 8191}, element_type::float64) == std::pair(128, 64));
    CHECK(panel({8191, 2051}, element_type::float64) == std::pair(64, 128));
    CHECK(panel({12000, 4096}, element_type::float64) == std::pair(128, 16));
}

TEST_CASE("few columns are scanned by persistent blocks, whose slots have room for a panel of whole vectors") {
    const auto steps_of = [](const kiln::shape& of, element_type type = element_type::float32, int architecture = 90) {
        return plan::plan_scan(of, 0, kiln::detail::reduction_kind::sum, type, plan::cuda_target_of(architecture))
            .steps;
    };
    for (std::int64_t columns = 2; columns < 28; ++columns)
        for (const element_type type : {element_type::int8, element_type::float16, element_type::float32,
                                        element_type::float64, element_type::complex128}) {
            const plan::scan_step made = steps_of({1000000, columns}, type).back();
            CHECK(made.mapping == plan::scan_mapping::narrow_panels);
            CHECK(made.narrow_level == 1);
            const std::int64_t parts = plan::narrow_parts(columns);
            CHECK(parts % 4 == 0);
            CHECK(parts * columns <= plan::narrow_threads);
            CHECK(parts * (made.part * columns + plan::narrow_gap(made)) <= plan::narrow_slot_elements(made));
            CHECK(made.slots >= (columns > 16 ? 3 : 5));
            CHECK(plan::block_count(made) == plan::ceil_div(made.parts(), parts));
        }
    // As many blocks as run at once.
    plan::target some = plan::cuda_target_of(90);
    some.multiprocessors = 132;
    CHECK(plan::block_count(
              plan::plan_scan({10000000, 9}, 0, kiln::detail::reduction_kind::sum, element_type::float32, some)
                  .steps.back()) == 132);
    // Lines of less than two panels are not worth it; where nothing goes on in the background, the operand is read twice.
    const auto level = [](const kiln::shape& of) {
        return plan::plan_scan(of, 1, kiln::detail::reduction_kind::sum, element_type::float32,
                               plan::cuda_target_of(90))
            .steps.back()
            .narrow_level;
    };
    CHECK(level({100, 1700, 9}) == 0);
    CHECK(level({100, 1792, 9}) == 1);
    CHECK(level({15, 1792, 9}) == 0);  // few of them
    CHECK(steps_of({1000000, 9}, element_type::float32, 80).back().slots == 4);
    CHECK(steps_of({1000000, 9}, element_type::float32, 75).back().mapping == plan::scan_mapping::columns);
}

TEST_CASE(
    "columns that are too long for a panel to have a warp's are walked by a thread each, where there are as many as "
    "half of enough") {
    const auto mapping = [](const kiln::shape& of) {
        return plan::plan_scan(of, 0, kiln::detail::reduction_kind::sum, element_type::float32,
                               plan::cuda_target_of(90), 0, {.type = element_type::float16})
            .steps.back()
            .mapping;
    };
    CHECK(mapping({26381, 32771}) == plan::scan_mapping::lines);
    CHECK(mapping({26381, 32772}) == plan::scan_mapping::panels);
    CHECK(mapping({26381, 16411}) == plan::scan_mapping::panels);
}

TEST_CASE("a scan of columns has parts by what it accumulates, and no more than are scanned in parts of 64") {
    const auto part = [](const kiln::shape& of, std::optional<element_type> read = {}) {
        return plan::plan_scan(of, 0, kiln::detail::reduction_kind::sum, element_type::float32,
                               plan::cuda_target_of(90), 0, {.type = read})
            .steps.back()
            .part;
    };
    CHECK(part({20011, 4099}) == 72);
    CHECK(part({20011, 4099}, element_type::float16) == 72);
    CHECK(part({20011, 4096}) == 256);
    CHECK(part({20011, 31}) == 64);
    CHECK(part({2000000, 31}) == 237);  // few columns
    CHECK(part({2000000, 27}) == 52);   // fewer
    CHECK(part({2000000, 27}, element_type::float64) == 52);
    CHECK(part({2000000, 9}) == 32);
    const std::int64_t many = std::int64_t{1} << 24;
    CHECK(plan::ceil_div(many, part({many, 127})) <= 64 * 2065);
}

TEST_CASE(
    "rows of few parts are walked by a block each where there are enough of them; of more parts one block serves all") {
    using plan::scan_mapping;
    const auto steps_of = [](const kiln::shape& of, element_type type = element_type::float32) {
        std::vector<scan_mapping> out;
        const plan::scan_plan made =
            plan::plan_scan(of, 1, kiln::detail::reduction_kind::sum, type, plan::cuda_target_of(90));
        for (const plan::scan_step& each : made.steps) out.push_back(each.mapping);
        return out;
    };
    const std::vector<scan_mapping> walked = {scan_mapping::walked_rows};
    CHECK(steps_of({6001, 10007}) == walked);
    CHECK(steps_of({640, 8193}) == walked);
    CHECK(steps_of({640, 16 * 8192}) == walked);
    CHECK(steps_of({8192, 4097}, element_type::float64) == walked);
    CHECK(steps_of({8192, 2049}, element_type::complex128) == walked);
    CHECK(steps_of({639, 8193}) == std::vector<scan_mapping>{scan_mapping::clear, scan_mapping::row_parts});
    CHECK(steps_of({640, 16 * 8192 + 1}) == std::vector<scan_mapping>{scan_mapping::clear, scan_mapping::served_parts});
    CHECK(steps_of({640, 8192}) == std::vector<scan_mapping>{scan_mapping::rows});
}

TEST_CASE("rows have a warp's rounds, or a block's warps, for as many elements as they have") {
    const auto step_of = [](std::int64_t count, element_type type = element_type::float32) {
        return plan::plan_scan({100, count}, 1, kiln::detail::reduction_kind::sum, type, plan::cuda_target_of(90))
            .steps.back();
    };
    CHECK(plan::row_rounds(step_of(17)) == 1);
    CHECK(plan::row_rounds(step_of(128)) == 1);
    CHECK(plan::row_rounds(step_of(129)) == 2);
    CHECK(plan::row_rounds(step_of(1024)) == 8);
    CHECK(plan::row_rounds(step_of(1025)) == 8);
    CHECK(plan::row_rounds(step_of(65, element_type::float64)) == 2);
    CHECK(plan::row_warps(step_of(1024)) == 8);  // a row each
    const std::vector<std::pair<std::int64_t, int>> warps = {{1025, 2}, {2048, 2}, {2049, 3}, {3073, 4}, {4097, 6},
                                                             {6144, 6}, {6145, 8}, {8192, 8}, {8193, 8}};
    for (const auto& each : warps) {
        CAPTURE(each.first);
        CHECK(plan::row_warps(step_of(each.first)) == each.second);
    }
    // Chunks of a row that goes on after them are of the whole's kernel.
    plan::scan_step chunk = step_of(8192);
    chunk.count = 1025;
    chunk.offsets = 2;
    CHECK(plan::row_warps(chunk) == 8);
}

TEST_CASE("a scan of one long row of 4 or 8 bytes an element reads it once on CUDA, of wider elements twice") {
    const auto steps_of = [](element_type type) {
        std::vector<plan::scan_mapping> out;
        const plan::scan_plan made =
            plan::plan_scan({1 << 24}, 0, kiln::detail::reduction_kind::sum, type, plan::cuda_target_of(90));
        for (const plan::scan_step& each : made.steps) out.push_back(each.mapping);
        return out;
    };
    using plan::scan_mapping;
    const std::vector<scan_mapping> once = {scan_mapping::clear, scan_mapping::served_parts};
    for (const element_type type : {element_type::float32, element_type::int64, element_type::float64})
        CHECK(steps_of(type) == once);
    CHECK(steps_of(element_type::complex128).front() == scan_mapping::rows);
}
