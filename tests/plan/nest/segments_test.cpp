// The nests of segments, run without text: each element is in its segment's word once, whatever table it went through, and
// nothing that is of no segment is in any.
#include "run_nest.hpp"

#include <plan/nest/check.hpp>
#include <plan/policy/segments.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <utility>

namespace {

namespace k = kiln;
using k::element_type;
using k::plan::segment_pass;
using k::plan::segment_step;

/// Pieces of helpers as plain numbers: magnitudes are the elements, a part is both and the digits; bins are the elements, too.
class plain_pieces : public tests::terms {
public:
    std::int64_t piece(const std::string& name, std::span<const std::int64_t> of) override {
        if (name == "segment_real" || name == "segment_magnitude" || name == "segment_small_magnitude" ||
            name == "segment_ordered_least" || name == "segment_ordered_greatest" ||
            name.starts_with("segment_extreme_"))
            return of[0];
        if (name == "bin_of") return of[0];
        if (name == "bin_of_float") return of[0] < 0 ? of[7] : of[0];  // unsigned: in none it is past the last
        if (name.starts_with("bin_")) return 0;
        if (name == "segment_part" || name == "segment_small_part") return of[0] + 10 * of[1] + of[2];
        if (name == "segment_rest") return of[0] - of[1];
        if (name.starts_with("segment_total_")) return of[0] + 100 * of[1] + 10000 * of[2] + of[3];
        return tests::terms::piece(name, of);
    }
};

/// A step of `elements` whose numbers go from -2 to 2 past the last segment.
struct segment_run {
    explicit segment_run(segment_step step, std::int64_t misaligned = 0, bool sorted = false)
        : of(step),
          numbers(static_cast<std::size_t>(step.elements / step.inside), misaligned),
          values(static_cast<std::size_t>(step.elements), misaligned),
          words(static_cast<std::size_t>(3 * step.count / step.inside * row_pitch(step))),
          magnitudes(static_cast<std::size_t>(step.count / step.inside * row_pitch(step))),
          result(static_cast<std::size_t>(step.count)),
          counters(k::plan::segment_block_counter + 1) {
        std::fill(counters.elements.begin(), counters.elements.end(), 0);
        std::mt19937 random(static_cast<unsigned>(step.elements + step.count));
        const bool sign = step.numbers != element_type::uint8;
        for (std::int64_t& each : numbers.elements)
            each = static_cast<std::int64_t>(random() % static_cast<unsigned>(step.count / step.inside + 4)) -
                   (sign ? 2 : 0);
        if (step.all_inside)
            for (std::int64_t& each : numbers.elements) each %= step.count;
        if (sorted) std::sort(numbers.elements.begin(), numbers.elements.end());
        for (std::int64_t& each : values.elements) each = static_cast<std::int64_t>(random() % 1000);
        const bool is_extreme = step.pass == segment_pass::least || step.pass == segment_pass::greatest;
        for (std::size_t i = 0; i < words.elements.size(); ++i)
            words.elements[i] = is_extreme ? step.setting
                                : step.pass == segment_pass::parts && i < static_cast<std::size_t>(step.count)
                                    ? static_cast<std::int64_t>(i % 7)
                                    : 0;
        // Not in their table, but where they are alone.
        if (step.in_sectors)
            for (std::size_t i = 0; i < magnitudes.elements.size(); ++i)
                magnitudes.elements[i] = std::exchange(words.elements[i], 0);
        before = words.elements;
        magnitudes_before = magnitudes.elements;
        tests::nest_call call;
        call.blocks = std::min<std::int64_t>(k::plan::block_count(step), 3);
        const std::int64_t stride = call.blocks * k::plan::segment_threads * k::plan::segment_vector(step);
        call.numbers = {step.elements, step.count, stride, step.copies, step.setting, 0, 0, 0};
        call.memories = {&result, ends_in_counters(step) ? &counters : &words, &numbers, &values};
        if (step.in_sectors) call.memories.push_back(&magnitudes);
        plain_pieces pieces;
        const k::plan::nest::tree nest = k::plan::segment_nest(step);
        CHECK(why_wrong(nest, k::plan::cuda_target).empty());
        run_nest(nest, call, pieces);
    }

    /// Of its words, or of magnitudes that have a memory of their own.
    [[nodiscard]] bool is_of_magnitudes() const { return of.in_sectors && of.pass == segment_pass::magnitude; }
    [[nodiscard]] std::vector<std::int64_t> wanted() const {
        std::vector<std::int64_t> out = is_of_magnitudes() ? magnitudes_before : before;
        const std::int64_t pitch = row_pitch(of);
        const std::int64_t parts = of.in_sectors ? 0 : of.count;
        const std::int64_t rests = of.in_sectors ? of.count / of.inside * pitch : 2 * of.count;
        for (std::size_t i = 0; i < values.elements.size(); ++i) {
            const std::int64_t inside = of.inside;
            const auto at = static_cast<std::int64_t>(i);
            const std::int64_t number = numbers.elements[static_cast<std::size_t>(at / inside)];
            if (number < 0 || number >= of.count / inside) continue;
            const std::int64_t s = number * pitch + at % inside;
            std::int64_t& word = out[static_cast<std::size_t>(s)];
            const std::int64_t value = values.elements[i];
            const std::int64_t magnitude = (of.in_sectors ? magnitudes_before : before)[static_cast<std::size_t>(s)];
            switch (of.pass) {
                case segment_pass::number: ++word; break;
                case segment_pass::sum: word += value; break;
                case segment_pass::least: word = std::min(word, value); break;
                case segment_pass::greatest:
                case segment_pass::magnitude: word = std::max(word, value); break;
                default:
                    out[static_cast<std::size_t>(parts + s)] += value + 10 * magnitude + of.setting;
                    if (of.has_rests()) out[static_cast<std::size_t>(rests + s)] += value - magnitude;
            }
        }
        return out;
    }

    segment_step of;
    tests::device_memory numbers, values, words, magnitudes, result, counters;
    std::vector<std::int64_t> before, magnitudes_before;
};

void check_run(const segment_step& step, std::int64_t misaligned = 0, bool sorted = false) {
    CAPTURE(static_cast<int>(step.pass));
    CAPTURE(step.count);
    CAPTURE(step.shared);
    CAPTURE(misaligned);
    CAPTURE(sorted);
    const segment_run run(step, misaligned, sorted);
    std::vector<std::int64_t> wanted = run.wanted();
    if (ends_in_counters(step)) {
        wanted.resize(static_cast<std::size_t>(step.count));
        const bool cleared = std::count(run.counters.elements.begin(), run.counters.elements.end(), 0) ==
                             std::ssize(run.counters.elements);
        CHECK(cleared);
    }
    const bool same = (ends_in_counters(step)   ? run.result
                       : run.is_of_magnitudes() ? run.magnitudes
                                                : run.words)
                          .elements == wanted;
    CHECK(same);
    if (step.in_sectors)
        CHECK((run.is_of_magnitudes() ? run.words.elements == run.before
                                      : run.magnitudes.elements == run.magnitudes_before));
}

/// As they are planned for a GPU.
std::vector<segment_step> steps_of(const k::detail::segment_call& by, std::int64_t elements, element_type numbers,
                                   element_type values, bool any_order = false) {
    std::vector<segment_step> out;
    for (const segment_step& each : plan_segments(by, elements, numbers, values, k::plan::cuda_target, any_order).steps)
        if (each.over_elements()) out.push_back(each);
    return out;
}

}  // namespace

TEST_CASE("nests: every element is counted in its segment, through tables of blocks and without") {
    using kind = k::detail::segment_call::kind;
    for (const element_type numbers : {element_type::uint8, element_type::int32, element_type::int64})
        for (const std::int64_t count : {3, 256, 5000, 9000})
            for (const std::int64_t misaligned : {0, 1})
                for (const bool sorted : {false, true})
                    for (const segment_step& each :
                         steps_of({kind::number, count}, 40003, numbers, element_type::int64))
                        check_run(each, misaligned, sorted);
}

TEST_CASE("nests: every element is counted in its bin, by doubles and by floats") {
    using kind = k::detail::segment_call::kind;
    for (const element_type numbers : {element_type::float64, element_type::float32, element_type::int16})
        for (const std::int64_t count : {3, 100, 5000, 9000})
            for (const std::int64_t misaligned : {0, 1})
                for (const segment_step& each :
                     steps_of({kind::number, count, true, 0, 13}, 40003, numbers, element_type::int64)) {
                    CHECK(each.by_floats == (numbers != element_type::float64 && count < 9000));
                    check_run(each, misaligned, false);
                }
}

TEST_CASE("nests: every element is in its segment's sum, least and greatest, and in the parts of floats' sums") {
    using kind = k::detail::segment_call::kind;
    for (const kind what : {kind::sum, kind::least, kind::greatest})
        for (const element_type values : {element_type::int32, element_type::float32, element_type::float64})
            for (const std::int64_t count : {3, 1500, 5000})
                for (const bool sorted : {false, true})
                    for (const segment_step& each : steps_of({what, count}, 20005, element_type::int32, values))
                        check_run(each, sorted, sorted);
}

TEST_CASE(
    "nests: every value of a row that has one number is in a segment of its own, neighbouring threads on neighbours") {
    using kind = k::detail::segment_call::kind;
    for (const kind what : {kind::sum, kind::least, kind::greatest})
        for (const element_type values : {element_type::int32, element_type::float32, element_type::float64})
            for (const std::int64_t inside : {2, 3, 7, 8})
                for (const std::int64_t rows : {3, 800, 3000}) {
                    k::detail::segment_call by{what, rows * inside};
                    by.inside = inside;
                    for (const segment_step& each : steps_of(by, 5003 * inside, element_type::int32, values)) {
                        CHECK(each.in_sectors ==
                              (what == kind::sum && values != element_type::int32 && rows * inside > 1024));
                        check_run(each, rows == 3, rows != 3000);
                    }
                }
}

TEST_CASE("nests: sums of floats in any order are added where the result is, of few segments as ever") {
    for (const element_type values : {element_type::float32, element_type::float64, element_type::float16})
        for (const std::int64_t count : {1000, 9000})
            for (const std::int64_t inside : {1, 3}) {
                k::detail::segment_call by{k::detail::segment_call::kind::sum, count * inside};
                by.inside = inside;
                const std::vector<segment_step> steps = steps_of(by, 5003 * inside, element_type::int32, values, true);
                const bool adds = values != element_type::float16 && count == 9000;
                CHECK(steps.size() == (adds ? 1 : 2));
                CHECK(steps.back().any_order == adds);
                if (!adds) continue;
                for (const std::int64_t misaligned : {0, 1})
                    for (const bool sorted : {false, true}) check_run(steps.back(), misaligned, sorted);
            }
}

TEST_CASE("nests: words of rows are in as few sectors as they can be, and every sum is made of its row's") {
    k::detail::segment_call by{k::detail::segment_call::kind::sum, 3000};
    for (const std::int64_t inside : {2, 3, 4, 5, 6, 7, 8})
        for (const element_type values : {element_type::float32, element_type::float64}) {
            by.inside = inside;
            by.count = 1000 * inside;
            const k::plan::segment_plan plan =
                plan_segments(by, 1'000'000 * inside, element_type::int32, values, k::plan::cuda_target);
            const segment_step& step = plan.steps.back();
            CHECK(step.in_sectors);
            const std::int64_t pitch = row_pitch(step);
            CHECK(pitch == (inside == 3 ? 4 : inside == 7 ? 8 : inside));
            const std::int64_t words = step.has_rests() ? 2000 * pitch : 1000 * pitch;
            CHECK(words_of_rows(step) == words);
            CHECK(plan.words >= words + 500 * pitch);
            CHECK(plan.words >= (step.has_rests() ? 3 : 2) * step.count);
            CHECK(plan.steps.front().count == plan.words);
            tests::device_memory memory(static_cast<std::size_t>(words)),
                magnitudes(static_cast<std::size_t>(1000 * pitch)), result(static_cast<std::size_t>(step.count));
            for (std::size_t i = 0; i < memory.elements.size(); ++i)
                memory.elements[i] = static_cast<std::int64_t>(i % 97);
            for (std::size_t i = 0; i < magnitudes.elements.size(); ++i)
                magnitudes.elements[i] = static_cast<std::int64_t>(i % 89);
            tests::nest_call call;
            call.blocks = k::plan::block_count(step);
            call.numbers = {step.elements, step.count, 0, 1, step.setting, 0, 0, 0};
            call.memories = {&result, &memory, nullptr, nullptr, &magnitudes};
            plain_pieces pieces;
            run_nest(k::plan::segment_nest(step), call, pieces);
            bool same = true;
            for (std::int64_t s = 0; s < step.count; ++s) {
                const std::int64_t at = s / inside * pitch + s % inside;
                const std::int64_t rest = step.has_rests() ? (1000 * pitch + at) % 97 : 0;
                same = same && result.elements[static_cast<std::size_t>(s)] ==
                                   at % 89 + 100 * (at % 97) + 10000 * rest + step.setting;
            }
            CHECK(same);
        }
}

TEST_CASE("nests: a thread for each segment clears words and makes results of them") {
    for (const segment_pass pass : {segment_pass::clear, segment_pass::total, segment_pass::extreme}) {
        segment_step step{.pass = pass, .values = element_type::float64, .count = 700, .setting = 5};
        tests::device_memory words(2100), result(700);
        for (std::size_t i = 0; i < words.elements.size(); ++i) words.elements[i] = static_cast<std::int64_t>(i);
        tests::nest_call call;
        call.blocks = k::plan::block_count(step);
        call.numbers = {0, step.count, 0, 1, step.setting, 0, 0, 0};
        call.memories = {&result, &words, nullptr, nullptr};
        plain_pieces pieces;
        run_nest(k::plan::segment_nest(step), call, pieces);
        for (std::int64_t s = 0; s < 700; ++s) {
            const auto at = static_cast<std::size_t>(s);
            if (pass == segment_pass::clear) CHECK(words.elements[at] == 5);
            else if (pass == segment_pass::extreme) CHECK(result.elements[at] == s);
            else CHECK(result.elements[at] == s + 100 * (700 + s) + 10000 * (1400 + s) + 5);
        }
    }
}

TEST_CASE("nests: a table that is read before all have combined theirs is a race") {
    const segment_step step =
        steps_of({k::detail::segment_call::kind::number, 10}, 5000, element_type::int32, element_type::int64)[0];
    k::plan::nest::tree nest = k::plan::segment_nest(step);
    for (auto& each : nest.statements)
        if (each.what == k::plan::nest::statement::kind::barrier) {
            each.what = k::plan::nest::statement::kind::define;
            each.variable = static_cast<k::plan::nest::id>(nest.variables.size());
            nest.variables.push_back({"nothing", k::plan::nest::types::small});
        }
    tests::device_memory numbers(5000), words(10), result(10), counters(k::plan::segment_block_counter + 1);
    std::fill(counters.elements.begin(), counters.elements.end(), 0);
    std::fill(numbers.elements.begin(), numbers.elements.end(), 4);
    std::fill(words.elements.begin(), words.elements.end(), 0);
    tests::nest_call call;
    call.numbers = {5000, 10, 4096, step.copies, 0, 0, 0, 0};
    call.memories = {&result, &counters, &numbers, nullptr};
    plain_pieces pieces;
    CHECK_THROWS_WITH_AS(run_nest(nest, call, pieces), doctest::Contains("a race: table["), tests::nest_fault);
}
