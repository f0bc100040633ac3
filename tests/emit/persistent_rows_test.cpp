// Which kernels the reductions of rows become: read off their plans. That the text is CUDA, the cubins say; that it is
// right, tests/language/persistent_rows_test.cpp.
#include <support/child.hpp>
#include <support/rooms.hpp>

#include <doctest/doctest.h>

namespace k = kiln;
using tests::occurrences;

namespace {

/// Of the one kernel of an expression.
template <class E>
std::string text_of(const E& e) {
    const std::vector<k::emit::source> made = tests::first_stage_sources(k::plan::cuda_target_of(90), e);
    REQUIRE(made.size() == 1);
    return made.front().text;
}

template <class T>
k::array<T> rows_of(std::int64_t length) {
    return k::ones<T>({1000, length});
}

k::array<float> array_of(const k::shape& shape) { return k::zeros<float>(shape); }

template <class E>
auto softmax(const E& m) {
    const auto e = k::exp(m - k::max(m, k::axis(1), k::keep_dims));
    return e / k::sum(e, k::axis(1), k::keep_dims);
}

}  // namespace

TEST_CASE("rows: what stands twice is one reduction, so that a kernel's eight are enough") {
    const k::array<float> x = k::ones<float>({300, 40});
    const auto sources = [](const k::expr<float>& e) { return tests::first_stage_sources(k::plan::cuda_target, e); };
    k::expr<float> e = k::stddev(x, k::axis(1));
    for (int i = 0; i < 11; ++i) e = e + k::stddev(x, k::axis(1));
    CHECK(sources(e).size() == 1);
    CHECK(sources(k::stddev(x, k::axis(1))).size() == 1);
}

TEST_CASE(
    "rows: quotients that are only stored take fast paths without a branch, and an item all once more where one was "
    "not right") {
    for (const std::int64_t n : {257, 1000, 5003}) {
        CAPTURE(n);
        const k::array<float> x = rows_of<float>(n);
        const std::string stored = text_of(softmax(x));
        CHECK(occurrences(stored, " fast_element_2(row_t") == 1);
        CHECK(occurrences(stored, " element_2(row_t") == 1);
        CHECK(occurrences(stored, "if (!in_range) {") == 1);
        // The sum of what is not below 0.
        CHECK(occurrences(stored, "quotient_by_positive_in_range(t") == 2);
        // What is added up is computed once, and of what has no quotient there are no fast paths; nor are there of doubles.
        const auto quotients = x / k::max(x, k::axis(1), k::keep_dims);
        CHECK(occurrences(text_of(k::sum(quotients, k::axis(1))), "fast_element") == 0);
        CHECK(occurrences(text_of(x - k::max(x, k::axis(1), k::keep_dims)), "fast_element") == 0);
        CHECK(occurrences(text_of(softmax(rows_of<double>(n))), "fast_element") == 0);
    }
    // Of a row of few elements most items are the only ones.
    CHECK(occurrences(text_of(softmax(rows_of<float>(13))), "fast_element") == 0);
}

TEST_CASE("rows of 16-bit floats that one warp has store no vector in parts but at their ends") {
    const auto are_going_on = [](const auto& x) { return occurrences(text_of(softmax(x)), "last_y0 = given_y0") > 0; };
    const auto goes_on = [&](std::int64_t n) { return are_going_on(rows_of<k::float16>(n)); };
    const k::array<k::float16> longer = k::flatten(rows_of<k::float16>(254));
    const std::int64_t rows = longer.size() / 254;
    CHECK(are_going_on(k::reshape(longer(k::range(1, rows * 253 + 1)), {rows, 253})));
    CHECK_FALSE(goes_on(253));   // moved by the block
    CHECK_FALSE(goes_on(1021));  // of a whole warp, whose lanes take neighbours
    CHECK_FALSE(goes_on(5003));  // several warps
    CHECK_FALSE(goes_on(1024));  // whole vectors
    CHECK_FALSE(goes_on(13));    // moved by the warp
}

TEST_CASE(
    "rows of bytes that begin anywhere are stored in vectors where several warps have them, and read one by one") {
    const auto bytes = [](std::int64_t n) {
        const k::array<float> x = rows_of<float>(n);
        return text_of(k::cast<std::int8_t>(x / k::max(x, k::axis(1), k::keep_dims)));
    };
    CHECK(occurrences(bytes(4097), "store(y0 + (begin_y0 + ") == 1);
    CHECK(occurrences(bytes(4097), "skew_x0") == 0);
    CHECK(occurrences(bytes(4096), "skew_y0") == 0);
    CHECK(occurrences(bytes(1021), "skew_y0") == 0);
}

TEST_CASE("rows: the largest begins at an infinity that no thread divides for, the place of a byte beside a word") {
    CHECK(occurrences(text_of(softmax(rows_of<float>(257))), "(-1e38f * 1e38f)") == 1);
    CHECK(occurrences(text_of(softmax(rows_of<float>(257))), "/ 0.0f") == 0);
    CHECK(occurrences(text_of(k::argmin(rows_of<std::int8_t>(257), k::axis(1))), "{ int value; int at; }") == 1);
    CHECK(occurrences(text_of(k::argmin(rows_of<float>(257), k::axis(1))), "{ float value; int at; }") == 1);
}

TEST_CASE(
    "rows and columns of which shared memory has a part: what registers have is on its way before copies are waited "
    "for") {
    const auto waits_after_reads = [](const auto& e) {
        const std::string text = text_of(e);
        CHECK(occurrences(text, "    wait_copies<0>();") == 1);
        return occurrences(text, "    reads_are_underway();\n    wait_copies<0>();") == 1;
    };
    CHECK(waits_after_reads(k::logsumexp(array_of({200, 32000}), k::axis(1))));
    CHECK(waits_after_reads(softmax(array_of({64, 1024, 1024}))));  // columns in vectors
    // Of the longest rows, before any is copied.
    const std::string longest = text_of(softmax(array_of({300, 100'000})));
    const std::size_t underway = longest.find("    reads_are_underway();");
    REQUIRE(underway != longest.npos);
    CHECK(longest.find("load_f32x4(x0") < underway);
    CHECK(underway < longest.find("copy_async<16>(slots"));
}

TEST_CASE("rows: what each has one of is read before the first phase, whichever needs it") {
    constexpr std::int64_t length = 32000;
    const k::array<float> x = k::zeros<float>({200, length});
    const k::array<std::int64_t> label = k::zeros<std::int64_t>({200});
    const auto shifted = x - k::max(x, k::axis(1), k::keep_dims);
    const auto is_label = k::arange<std::int64_t>(length) == label(k::all, k::newaxis);
    const std::string text =
        text_of(k::log(k::sum(k::exp(shifted), k::axis(1))) - k::sum(k::where(is_label, shifted, 0.0f), k::axis(1)));
    const std::size_t read = text.find(" = x1[at_x1];");
    REQUIRE(read != text.npos);
    CHECK(read < text.find("copy_async<16>(slots"));
    CHECK(occurrences(text, " = x1[at_x1];") == 1);
}

TEST_CASE("rows that many values share: sums go on from one of a value's threads to the next under fast_math alone") {
    const k::array<float> own = array_of({16384, 1}), row = array_of({16384});
    const auto text_under = [&](const k::options& wanted) {
        const k::plan::target on = k::plan::cuda_target_of(90);
        const k::stage::stages planned = tests::stages_of(on, k::sum(k::sqrt(row - own), k::axis(1)));
        const k::stage::stage& first = planned.list.front();
        tests::call bound{first.leaves, first.outputs, nullptr};
        bound.bind(on.kind, wanted);
        const k::plan::call_class kind = tests::class_alone(std::move(bound));
        const k::plan::schedule made = k::plan::partition(
            k::lower::lower(first.described, kind.numbers(), kind.baked(), k::plan::looked_up(kind)).code, kind, on);
        REQUIRE(made.kernels.front().values_in_lanes);
        return k::emit::emit(made.program, made.kernels.front(), on.kind).text;
    };
    const std::string in_order = text_under({});
    CHECK(occurrences(in_order, "waiting[") > 0);
    CHECK(occurrences(in_order, "in_range") > 0);
    CHECK(text_under({.fma = true}) == in_order);
    const std::string in_any_order = text_under({.fast_math = true});
    CHECK(occurrences(in_any_order, "waiting[") == 0);
    CHECK(occurrences(in_any_order, "in_range") == 0);  // whose tests are all true then
}
