// Host kernels on ranges that begin and end anywhere, as threads get them: in the middle of a row, of a plain stretch of
// one, between any two tiles.
#include <support/changed_variable.hpp>
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/positions.hpp>
#include <support/rooms.hpp>

#include <launch/cpu_device.hpp>
#include <launch/cpu_kernel.hpp>
#include <plan/layout.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace k = kiln;
using tests::distinct;

namespace {

/// Where a test's output begins.
enum class start { on_a_line, between_lines };

/// Computes the expression over the ranges between the cuts, by a kernel of its own, in memory that was -1.
template <class E>
std::vector<float> in_ranges(const E& e, const std::vector<std::int64_t>& cuts, k::launch::stores how, start begins) {
    static const std::unique_ptr<k::launch::device> on = [] {
        const tests::changed_variable cpu("KILN_CPU", "compile");
        return k::launch::make_cpu_device();
    }();
    if (!on->toolchain()) return {};
    const tests::call call = tests::bind({}, e);
    const k::plan::schedule made =
        k::plan::partition(k::lower::lower(tests::graph_of(e), call.leaf_numbers(), call.bits()).code, *call.bound,
                           k::plan::host_target, true);
    REQUIRE(made.kernels.size() == 1);
    const k::plan::kernel& kernel = made.kernels.front();
    REQUIRE(kernel.scalars.empty());
    const k::emit::source source = k::emit::emit(made.program, kernel, k::plan::frame::host);
    const auto loaded = on->load(on->toolchain()->compile(source).bytes, source.name, made.program, kernel);
    REQUIRE(loaded);

    constexpr std::size_t line = 64 / sizeof(float);
    std::vector<float> memory(static_cast<std::size_t>(call.bound->element_count) + 3 * line, -1.0f);
    const std::size_t past_line = reinterpret_cast<std::uintptr_t>(memory.data()) / sizeof(float) % line;
    float* const to = memory.data() + (line - past_line) + (begins == start::between_lines ? 3 : 0);
    std::vector<void*> parameters{const_cast<float**>(&to)};
    for (const k::plan::operand& each : kernel.inputs)
        parameters.push_back(const_cast<std::byte**>(&call.bound->node(each.memory)->data));
    std::vector<std::int64_t> layout(static_cast<std::size_t>(kernel.layout_words));
    if (kernel.has_layout()) k::plan::fill_layout(kernel, *call.bound, layout.data());
    parameters.push_back(layout.data());

    const auto& runs = static_cast<const k::launch::cpu_kernel&>(*loaded);
    k::launch::launch_arguments arguments;
    arguments.element_count = call.bound->element_count;
    arguments.block_count = k::plan::block_count(kernel, *call.bound);
    const std::int64_t count = runs.divided(arguments).count;
    std::int64_t begin = 0;
    for (const std::int64_t cut : cuts) {
        const std::int64_t end = std::min(cut, count);
        if (begin < end) runs.run(parameters.data(), begin, end, how);
        begin = std::max(begin, end);
    }
    runs.run(parameters.data(), begin, count, how);
    if (how == k::launch::stores::streamed) k::launch::finish_streaming();
    CHECK(to[-1] == -1.0f);
    CHECK(to[call.bound->element_count] == -1.0f);
    return {to, to + call.bound->element_count};
}

template <class E>
void check_ranges(const E& e, const std::vector<std::int64_t>& cuts) {
    if (tests::device().is_cuda) return;  // whose arrays the CPU cannot read
    const std::vector<float> expected = k::eval(e).to_host();
    for (const auto how : {k::launch::stores::cached, k::launch::stores::streamed})
        for (const start begins : {start::on_a_line, start::between_lines}) {
            const std::vector<float> got = in_ranges(e, cuts, how, begins);
            if (!got.empty()) CHECK_SAME(got, expected);
        }
}

}  // namespace

TEST_CASE("rows that threads share are computed once, wherever they are cut") {
    const auto m = distinct<float>({7, 101});
    const k::array<float> x = m.on_device();
    using k::boundary::clamp;
    const auto stencil = k::shift(x, {1, 0}, clamp) + k::shift(x, {0, 1}, clamp) - k::shift(x, {0, -30}, clamp) * x;
    const auto broadcast = x + x(k::range(0, 1), k::all) - x(k::all, k::range(0, 1));
    for (const std::vector<std::int64_t>& cuts :
         std::vector<std::vector<std::int64_t>>{{},
                                                {1},
                                                {64},
                                                {100, 101, 102},
                                                {17, 18, 50, 230},
                                                {64, 128, 192, 256, 320, 384, 448, 512, 576, 640, 704}}) {
        check_ranges(stencil, cuts);
        check_ranges(broadcast, cuts);
        check_ranges(x * x + x, cuts);
    }
}

TEST_CASE("tiles that threads share are computed once, wherever they are cut") {
    const auto m = distinct<float>({130, 70});
    const k::array<float> x = m.on_device();
    const auto sum = k::transpose(x) * x(0, 0, k::newaxis) - k::cast<float>(k::index(1));
    for (const std::vector<std::int64_t>& cuts : std::vector<std::vector<std::int64_t>>{{}, {1}, {2, 3, 4}, {5}})
        check_ranges(sum, cuts);
    const auto c = distinct<float>({40, 3, 70});
    const k::array<float> z = c.on_device();
    for (const std::vector<std::int64_t>& cuts : std::vector<std::vector<std::int64_t>>{{}, {1}, {2, 3, 4}, {5}})
        check_ranges(k::permute(z, {2, 1, 0}) + k::permute(z, {2, 1, 0}) * k::permute(z, {2, 1, 0}), cuts);
}

TEST_CASE("short rows that threads share are computed once, wherever they are cut") {
    for (const std::int64_t columns : {2, 3, 5, 17}) {
        CAPTURE(columns);
        const auto m = distinct<float>({1000, columns});
        const auto c = distinct<float>({1000, 1}, 7);
        const k::array<float> x = m.on_device();
        const k::array<float> column = c.on_device();
        const auto sum = x * x(k::range(0, 1), k::all) + column - k::shift(x, {1, 0}, k::boundary::clamp);
        const auto positions = x - k::cast<float>(k::index(0)) * k::cast<float>(k::index(1));
        for (const std::vector<std::int64_t>& cuts : std::vector<std::vector<std::int64_t>>{
                 {}, {1}, {64}, {2, 3, 4, 5, 6}, {100, 101, 102, 1999}, {64, 128, 1024, 1088, 1920}}) {
            check_ranges(sum, cuts);
            check_ranges(positions, cuts);
        }
    }
}
