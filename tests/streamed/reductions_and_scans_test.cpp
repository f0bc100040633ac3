// Reductions and scans of host arrays: partial results go from chunk to chunk, in the order of one piece.
#include <streamed/in_chunks.hpp>
#include <support/sample.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace k = kiln;
using namespace tests::in_chunks;

TEST_CASE("host arrays: reductions and scans along axes that are not cut") {
    const std::vector<float> m = noise<float>(400 * 330, 7);
    const std::vector<std::pair<std::vector<float>, k::shape>> operands = {{m, {400, 330}}, {m, {8, 50, 330}}};
    const char* const little = "600K";
    check_same<float>(little, operands, [](const auto& of) { return k::sum(of[0] * of[0], k::axis(1)); });
    check_same<float>(little, operands, [](const auto& of) { return of[0] / k::sum(of[0], k::axis(1), k::keep_dims); });
    check_same<float>(little, operands,
                      [](const auto& of) { return k::max(of[1], k::axis(2)) + k::min(of[1], k::axis(2)); });
    check_same<float>(little, operands, [](const auto& of) { return k::mean(of[1], k::axes(1, 2)); });
    check_same<float>(little, operands, [](const auto& of) { return k::var(of[0], k::axis(1)); });
    check_same<float>(little, operands, [](const auto& of) { return k::argmax(of[0], k::axis(1)); });
    check_same<float>(little, operands, [](const auto& of) {
        return k::exp(of[0] * 0.01f - k::max(of[0] * 0.01f, k::axis(1), k::keep_dims)) /
               k::sum(k::exp(of[0] * 0.01f - k::max(of[0] * 0.01f, k::axis(1), k::keep_dims)), k::axis(1),
                      k::keep_dims);
    });
}

TEST_CASE("host arrays: reductions over all elements, and over the axis that is cut") {
    const std::vector<float> m = noise<float>(1'000'003, 8);
    std::vector<float> plain = m;
    for (float& each : plain)
        if (!std::isfinite(each)) each = 0.25f;
    const std::vector<std::pair<std::vector<float>, k::shape>> operands = {{plain, {1'000'003}}};
    const char* const little = "1000K";
    check_same<float>(little, operands, [](const auto& of) { return k::sum(of[0]); });
    check_same<float>(little, operands, [](const auto& of) { return k::sum(of[0] * of[0] + 1.0f); });
    check_same<float>(little, operands, [](const auto& of) { return k::mean(of[0]); });
    check_same<float>(little, operands, [](const auto& of) { return k::max(of[0]) - k::min(of[0]); });
    check_same<float>(little, operands, [](const auto& of) { return k::any(of[0] > 99.0f); });
    check_same<float>(little, operands, [](const auto& of) { return k::count(of[0] > 9.0f); });
    check_same<float>(little, operands, [](const auto& of) { return k::sum(k::cast<int>(of[0])); });
    check_same<float>(little, operands, [](const auto& of) { return of[0] / k::sqrt(k::sum(of[0] * of[0])); });
    check_same<float>(little, operands, [](const auto& of) { return k::sum(k::cast<double>(of[0])); });
    const std::vector<std::pair<std::vector<float>, k::shape>> matrix = {
        {std::vector<float>(plain.begin(), plain.begin() + 999 * 1001), {999, 1001}}};
    check_same<float>(little, matrix, [](const auto& of) { return k::sum(of[0]); });
    check_same<float>(little, matrix, [](const auto& of) { return k::sum(of[0], k::axis(0)); });
    check_same<float>(little, matrix, [](const auto& of) { return k::mean(of[0], k::axis(0), k::keep_dims); });
    check_same<float>(little, matrix, [](const auto& of) { return of[0] - k::mean(of[0], k::axis(0)); });
}

TEST_CASE(
    "host arrays: what is known of elements is carried from chunk to chunk, whatever is reduced, over whichever axes") {
    const std::vector<float> values = noise<float>(1'000'000, 18);
    std::vector<float> plain = values;
    for (float& each : plain)
        if (!std::isfinite(each)) each = -0.0f;
    const char* const little = "900K";
    for (const std::vector<float>& elements : {values, plain}) {
        const std::vector<std::pair<std::vector<float>, k::shape>> operands = {
            {elements, {1'000'000}},
            {elements, {2000, 500}},
            {elements, {100, 50, 200}},
            {std::vector<float>(elements.begin(), elements.begin() + 999'999), {7, 142'857}}};
        tests::sample chosen(2);  // of seven: what one reduction leaves out, the next has
        const auto each_of = [&](auto reduce) {
            if (chosen.takes_next())
                check_same<float>(little, operands, [&](const auto& of) { return reduce(of[0], k::axes(0)); });
            if (chosen.takes_next())
                check_same<float>(little, operands, [&](const auto& of) { return reduce(of[0] * 0.5f, k::axes(0)); });
            if (chosen.takes_next())
                check_same<float>(little, operands, [&](const auto& of) { return reduce(of[1], k::axes(0)); });
            if (chosen.takes_next())
                check_same<float>(little, operands,
                                  [&](const auto& of) { return reduce(of[1] + 1.0f, k::axes(0, 1)); });
            if (chosen.takes_next())
                check_same<float>(little, operands, [&](const auto& of) { return reduce(of[2], k::axes(0, 2)); });
            if (chosen.takes_next())
                check_same<float>(little, operands,
                                  [&](const auto& of) { return reduce(of[2] - 3.0f, k::axes(0, 1)); });
            if (chosen.takes_next())
                check_same<float>(little, operands, [&](const auto& of) { return reduce(of[3], k::axes(1)); });
        };
        each_of([](const auto& x, const k::axis_list& over) { return k::sum(x, over); });
        each_of([](const auto& x, const k::axis_list& over) { return k::mean(x, over, k::keep_dims); });
        each_of([](const auto& x, const k::axis_list& over) { return k::prod(x, over); });
        each_of([](const auto& x, const k::axis_list& over) { return k::var(x, over); });
        each_of([](const auto& x, const k::axis_list& over) { return k::stddev(x, over, k::keep_dims); });
        each_of([](const auto& x, const k::axis_list& over) { return k::logsumexp(x, over); });
        each_of([](const auto& x, const k::axis_list& over) { return k::min(x, over); });
        each_of([](const auto& x, const k::axis_list& over) { return k::sum(k::cast<double>(x), over); });
        each_of([](const auto& x, const k::axis_list& over) { return k::sum(k::cast<k::float16>(x), over); });
    }
    const std::vector<std::pair<std::vector<float>, k::shape>> operands = {{plain, {1'000'000}}, {plain, {2000, 500}}};
    check_same<float>(little, operands, [&](const auto& of) { return k::argmax(of[0]); });
    check_same<float>(little, operands, [&](const auto& of) { return k::argmin(of[1]); });
    check_same<float>(little, operands, [&](const auto& of) { return k::argmax(of[1] * 3.0f, k::axis(0)); });
    check_same<float>(little, operands, [&](const auto& of) { return k::argmin(k::cast<int>(of[1]), k::axis(0)); });
    check_same<float>(little, operands, [&](const auto& of) {
        return (of[1] - k::mean(of[1], k::axis(0))) / k::stddev(of[1], k::axis(0));
    });
    check_same<float>(little, operands, [&](const auto& of) { return k::sum(k::sum(of[1], k::axis(1)) * 2.0f); });
    check_same<float>(little, operands, [&](const auto& of) { return k::sum(of[1], k::axis(0)) * 2.0f; });
    check_same<float>(little, operands,
                      [&](const auto& of) { return k::var(of[1], k::axis(0)) + k::max(of[1], k::axis(0)); });
}

TEST_CASE("host arrays: scans along the axis that is cut") {
    std::vector<float> plain = noise<float>(1'000'000, 20);
    for (float& each : plain)
        if (!std::isfinite(each)) each = -0.0f;
    const std::vector<std::pair<std::vector<float>, k::shape>> operands = {
        {plain, {1'000'000}}, {plain, {2000, 500}}, {plain, {1, 4000, 250}}, {plain, {50, 20'000}}};
    const char* const little = "2500K";
    check_same<float>(little, operands, [](const auto& of) { return k::cumsum(of[0], k::axis(0)); });
    check_same<float>(little, operands, [](const auto& of) { return k::cumsum(of[0] * 0.5f - 1.0f, k::axis(0)); });
    check_same<float>(little, operands, [](const auto& of) { return k::cumsum(of[1], k::axis(0)); });
    check_same<float>(little, operands, [](const auto& of) { return k::cumprod(of[1] * 0.01f, k::axis(0)); });
    check_same<float>(little, operands, [](const auto& of) { return k::cumsum(of[2], k::axis(1)); });
    check_same<float>(little, operands, [](const auto& of) { return k::cumsum(k::cast<int>(of[0]), k::axis(0)); });
    check_same<float>(little, operands, [](const auto& of) { return k::cumsum(of[3] + 1.0f, k::axis(0)); });
}

TEST_CASE("host arrays: scans along other axes, of fewer lines than the whole has") {
    std::vector<float> plain = noise<float>(1'000'000, 24);
    for (float& each : plain)
        if (!std::isfinite(each)) each = 0.25f;
    const std::vector<std::pair<std::vector<float>, k::shape>> operands = {
        {plain, {250, 4000}}, {plain, {20, 50'000}}, {plain, {100, 1000, 10}}, {plain, {1000, 10, 100}}};
    const char* const little = "2500K";
    check_same<float>(little, operands, [](const auto& of) { return k::cumsum(of[0], k::axis(1)); });
    check_same<float>(little, operands, [](const auto& of) { return k::cumsum(of[1], k::axis(1)); });
    check_same<float>(little, operands, [](const auto& of) { return k::cumsum(of[1] * 0.5f, k::axis(1)) - of[1]; });
    check_same<float>(little, operands, [](const auto& of) { return k::cumprod(of[2] * 0.1f + 1.0f, k::axis(1)); });
    check_same<float>(little, operands, [](const auto& of) { return k::cumsum(of[3], k::axis(1)); });
    check_same<float>(little, operands, [](const auto& of) { return k::cummax(of[1], k::axis(1)); });
    check_same<float>(little, operands,
                      [](const auto& of) { return k::max(k::cumsum(of[1] + 1.0f, k::axis(1)), k::axis(1)); });
}

TEST_CASE("host arrays: a chunk of one column is scanned as a column of the whole is") {
    std::vector<float> plain = noise<float>(33 * 513, 25);
    for (float& each : plain)
        if (!std::isfinite(each)) each = 0.25f;
    const std::vector<std::pair<std::vector<float>, k::shape>> wide = {{plain, {33, 513}}};
    check_same<float>("200K", wide, [](const auto& of) { return k::cumsum(of[0], k::axis(0)); });
    // Of few columns, whose parts come together in panels.
    plain.resize(16800);
    const std::vector<std::pair<std::vector<float>, k::shape>> narrow = {{plain, {2400, 7}}};
    check_same<float>("50K", narrow, [](const auto& of) { return k::cumsum(of[0], k::axis(0)); });
    check_same<float>("50K", narrow,
                      [](const auto& of) { return k::sum(k::cumsum(of[0], k::axis(0)) * (of[0] + 1.0f), k::axis(1)); });
}

TEST_CASE("host arrays: scans inside expressions are in the host's memory before what is made of them") {
    std::vector<float> plain = noise<float>(1'000'000, 23);
    for (float& each : plain)
        if (!std::isfinite(each)) each = 0.5f;
    const std::vector<std::pair<std::vector<float>, k::shape>> operands = {{plain, {1'000'000}}, {plain, {2000, 500}}};
    const char* const little = "2500K";
    check_same<float>(little, operands, [](const auto& of) { return k::cumsum(of[0], k::axis(0)) * 0.5f + of[0]; });
    check_same<float>(little, operands, [](const auto& of) {
        return k::cumsum(of[1], k::axis(0)) / (k::cast<float>(k::index(k::axis(0))) + 1.0f);
    });
    check_same<float>(little, operands,
                      [](const auto& of) { return k::cumsum(k::cumsum(of[0], k::axis(0)) - of[0], k::axis(0)); });
    check_same<float>(little, operands,
                      [](const auto& of) { return k::cumsum(of[1], k::axis(0)) - k::cummax(of[1], k::axis(0)); });
    check_same<float>(little, operands,
                      [](const auto& of) { return k::sum(k::cumsum(of[1], k::axis(0)) * 0.1f, k::axis(1)); });
}
