// Host kernels on ranges that begin and end anywhere, as threads get them: in the middle of a row, of a plain stretch of
// one, between any two tiles.
#include <support/changed_variable.hpp>
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/positions.hpp>
#include <support/rooms.hpp>

#include <device/cpu/cpu_device.hpp>
#include <device/cpu/cpu_kernel.hpp>
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

/// An expression's kernel, compiled for the host once.
class host_kernel {
public:
    template <class E>
    explicit host_kernel(const E& e) : call_(tests::bind_for(k::plan::frame::host, {}, e)) {
        k::plan::schedule made =
            k::plan::partition(k::lower::lower(tests::graph_of(e), call_.kind().numbers(), call_.kind().baked()).code,
                               call_.kind(), k::plan::host_target);
        REQUIRE(made.kernels.size() == 1);
        kernel_ = made.kernels.front();
        REQUIRE(kernel_.scalars.empty());
        if (!device().toolchain()) return;
        const k::emit::source source = k::emit::emit(made.program, kernel_, k::plan::frame::host);
        loaded_ = device().load(device().toolchain()->compile(source).bytes, source.name, made.program, kernel_);
        REQUIRE(loaded_);
    }

    [[nodiscard]] bool can_run() const { return loaded_ != nullptr; }

    /// Over the ranges between the cuts, in memory that was -1.
    [[nodiscard]] std::vector<float> run(const std::vector<std::int64_t>& cuts, k::backend::stores how,
                                         start begins) const {
        constexpr std::size_t line = 64 / sizeof(float);
        const std::int64_t elements = call_.bound->element_count;
        std::vector<float> memory(static_cast<std::size_t>(elements) + 3 * line, -1.0f);
        const std::size_t past_line = reinterpret_cast<std::uintptr_t>(memory.data()) / sizeof(float) % line;
        float* const to = memory.data() + (line - past_line) + (begins == start::between_lines ? 3 : 0);
        std::vector<void*> parameters{const_cast<float**>(&to)};
        for (const k::plan::operand& each : kernel_.inputs)
            parameters.push_back(const_cast<std::byte**>(&call_.bound->node(each.memory)->data));
        std::vector<std::int64_t> layout(static_cast<std::size_t>(kernel_.layout_words));
        if (kernel_.has_layout()) k::plan::fill_layout(kernel_, *call_.bound, layout.data());
        parameters.push_back(layout.data());

        const auto& runs = static_cast<const k::backend::cpu_kernel&>(*loaded_);
        k::backend::launch_arguments arguments;
        arguments.element_count = elements;
        arguments.block_count = k::plan::block_count(kernel_, *call_.bound);
        const std::int64_t count = runs.divided(arguments).count;
        std::int64_t begin = 0;
        for (const std::int64_t cut : cuts) {
            const std::int64_t end = std::min(cut, count);
            if (begin < end) runs.run(parameters.data(), begin, end, how);
            begin = std::max(begin, end);
        }
        runs.run(parameters.data(), begin, count, how);
        if (how == k::backend::stores::streamed) k::backend::finish_streaming();
        CHECK(to[-1] == -1.0f);
        CHECK(to[elements] == -1.0f);
        return {to, to + elements};
    }

private:
    static k::backend::device& device() {
        static const std::unique_ptr<k::backend::device> on = [] {
            const tests::changed_variable cpu("KILN_CPU", "compile");
            return k::backend::make_cpu_device();
        }();
        return *on;
    }

    tests::call call_;
    k::plan::kernel kernel_;
    std::unique_ptr<k::backend::loaded_kernel> loaded_;
};

using all_cuts = std::vector<std::vector<std::int64_t>>;

template <class E>
void check_ranges(const E& e, const all_cuts& all) {
    if (tests::device().is_cuda) return;  // whose arrays the CPU cannot read
    const host_kernel kernel(e);
    if (!kernel.can_run()) return;
    const std::vector<float> expected = k::eval(e).to_host();
    for (const std::vector<std::int64_t>& cuts : all)
        for (const auto how : {k::backend::stores::cached, k::backend::stores::streamed})
            for (const start begins : {start::on_a_line, start::between_lines})
                CHECK_SAME(kernel.run(cuts, how, begins), expected);
}

}  // namespace

TEST_CASE("rows that threads share are computed once, wherever they are cut") {
    const auto m = distinct<float>({7, 101});
    const k::array<float> x = m.on_device();
    using k::boundary::clamp;
    const auto stencil = k::shift(x, {1, 0}, clamp) + k::shift(x, {0, 1}, clamp) - k::shift(x, {0, -30}, clamp) * x;
    const auto broadcast = x + x(k::range(0, 1), k::all) - x(k::all, k::range(0, 1));
    const all_cuts cuts = {
        {}, {1}, {64}, {100, 101, 102}, {17, 18, 50, 230}, {64, 128, 192, 256, 320, 384, 448, 512, 576, 640, 704}};
    check_ranges(stencil, cuts);
    check_ranges(broadcast, cuts);
    check_ranges(x * x + x, cuts);
}

TEST_CASE("tiles that threads share are computed once, wherever they are cut") {
    const auto m = distinct<float>({130, 70});
    const k::array<float> x = m.on_device();
    const auto sum = k::transpose(x) * x(0, 0, k::newaxis) - k::cast<float>(k::index(1));
    const all_cuts cuts = {{}, {1}, {2, 3, 4}, {5}};
    check_ranges(sum, cuts);
    const auto c = distinct<float>({40, 3, 70});
    const k::array<float> z = c.on_device();
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
        const all_cuts cuts = {{}, {1}, {64}, {2, 3, 4, 5, 6}, {100, 101, 102, 1999}, {64, 128, 1024, 1088, 1920}};
        check_ranges(sum, cuts);
        check_ranges(positions, cuts);
    }
}
