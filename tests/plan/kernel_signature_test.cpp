// In which order kernels take their parameters, and that nobody else says it: a kernel whose signature is turned around is
// written, interpreted and recorded as that one says.
#include <device/interpreted.hpp>
#include <support/rooms.hpp>

#include <device/cpu/cpu_device.hpp>
#include <device/recording/sequence.hpp>
#include <plan/kernel_signature.hpp>
#include <support/changed_variable.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>

namespace k = kiln;
using k::plan::role;

namespace {

std::vector<role> roles_of(const k::plan::kernel& of) {
    std::vector<role> out;
    for (const k::plan::parameter& each : of.signature) out.push_back(each.what);
    return out;
}

/// y = x * s + i, whose parameters are turned around.
tests::hand_made turned_around() {
    using namespace tests;
    hand_made made;
    const value_id x = made.array(element_type::float64);
    const value_id i = made.position();
    const value_id s = made.scalar(element_type::float64);
    const value_id product = made.step(operation::mul, element_type::float64, {x, s});
    made.output(made.step(operation::add, element_type::float64,
                          {product, made.cast(element_type::int64, element_type::float64, i)}));
    std::reverse(made.kernel.signature.begin(), made.kernel.signature.end());
    return made;
}

constexpr std::int64_t count = 1000;

struct operands {
    std::vector<double> x = std::vector<double>(count, 3.0);
    std::vector<double> y = std::vector<double>(count, -1.0);
    tests::hand_packed packed;

    operands() {
        packed.count(count);
        packed.value(2.5);
        packed.value(std::int64_t{40});
        packed.pointer(x.data());
        packed.pointer(y.data());
    }
    [[nodiscard]] bool are_right() const {
        for (std::size_t i = 0; i < y.size(); ++i)
            if (y[i] != 7.5 + 40.0 + static_cast<double>(i)) return false;
        return true;
    }
};

}  // namespace

TEST_CASE("outputs, inputs, scalars, and the count where all operands are contiguous") {
    const k::array<float> x = k::ones<float>({64});
    const auto e = x * 2.0f + k::cast<float>(k::arange<int>(64));
    const k::plan::kernel kernel = tests::schedule({}, e).kernels.at(0);
    CHECK(roles_of(kernel) == std::vector<role>{role::output, role::input, role::position, role::scalar,
                                                role::element_count, role::turned});
    CHECK(k::plan::find_parameter(kernel.signature, role::position, 1) == 2);
    CHECK(k::plan::find_parameter(kernel.signature, role::input, 1) == -1);
    CHECK(k::plan::find_parameter(kernel.signature, role::layout) == -1);
}

TEST_CASE("elsewhere the layout, as many bytes as it has words; scalars of 16 bytes have 16") {
    const k::array<std::complex<double>> m = k::ones<std::complex<double>>({8, 9});
    const k::plan::kernel kernel =
        tests::schedule({}, m * std::complex<double>(1, 2) + m(k::range(0, 1), k::all)).kernels.at(0);
    CHECK(roles_of(kernel) ==
          std::vector<role>{role::output, role::input, role::input, role::scalar, role::layout, role::turned});
    CHECK(kernel.signature.at(3).bytes == 16);
    CHECK(kernel.signature.at(4).bytes == 8 * kernel.layout_words);
}

TEST_CASE("kernels go to and fro by the number of their launch, but clusters and those of the host") {
    const k::array<float> x = k::ones<float>({64, 64});
    const auto goes_both_ways = [](const auto& e) {
        return tests::first_stage_schedule(k::plan::cuda_target_of(90), e).kernels.front().signature.back().what ==
               role::turned;
    };
    CHECK(goes_both_ways(x + k::transpose(x)));
    CHECK(goes_both_ways(k::sum(x, k::axis(1))));
    CHECK(goes_both_ways(x / k::sum(x, k::axis(1), k::keep_dims)));
    const k::array<float> tall = k::ones<float>({4096, 8192});
    const auto about_mean = tall - k::mean(tall, k::axis(0));
    CHECK_FALSE(goes_both_ways(about_mean / k::sqrt(k::mean(k::square(about_mean), k::axis(0)))));
    const k::plan::schedule on_host = tests::schedule(tests::how{.on = k::plan::host_target}, x + 1.0f);
    CHECK(on_host.kernels.front().signature.back().what != role::turned);
}

TEST_CASE("parameters that are addresses are those of memory, and a position's value is none") {
    for (const role each : {role::output, role::input, role::workspace, role::counters, role::scan_result,
                            role::scan_operand, role::scan_offsets, role::segment_result, role::segment_table,
                            role::segment_numbers, role::segment_values, role::segment_places})
        CHECK(k::plan::is_address(each));
    for (const role each : {role::position, role::scalar, role::element_count, role::layout, role::turned,
                            role::scan_outer, role::scan_count, role::scan_inner, role::scan_part, role::scan_parts,
                            role::segment_elements, role::segment_count, role::segment_stride, role::segment_setting,
                            role::segment_rows, role::segment_parts, role::segment_inside})
        CHECK_FALSE(k::plan::is_address(each));
}

TEST_CASE("the interpreter finds parameters where the signature says") {
    const tests::hand_made made = turned_around();
    for (const k::backend::block_table* blocks : tests::block_tables()) {
        operands with;
        tests::run_interpreted(made, with.packed, count, *blocks);
        CHECK(with.are_right());
    }
}

TEST_CASE("compiled kernels take parameters as the signature says") {
    const tests::changed_variable cpu("KILN_CPU", "compile");
    const std::unique_ptr<k::backend::device> on = k::backend::make_cpu_device();
    const tests::hand_made made = turned_around();
    const std::string cuda = k::emit::emit(made.code, made.kernel, k::plan::frame::cuda).text;
    CHECK(cuda.find(
              "(const unsigned int count, const double s0, const i64 index0, const double* __restrict__ x0, double* "
              "__restrict__ y0)") != cuda.npos);
    if (!on->toolchain()) return;
    const k::emit::source source = k::emit::emit(made.code, made.kernel, k::plan::frame::host);
    const auto loaded = on->load(on->toolchain()->compile(source).bytes, source.name, made.code, made.kernel);
    REQUIRE(loaded);
    operands with;
    k::backend::launch_arguments arguments;
    arguments.parameters = with.packed.slots();
    arguments.element_count = count;
    on->launch(*loaded, arguments);
    CHECK(with.are_right());
}

TEST_CASE("a recorded launch keeps as many bytes of each parameter as the signature says") {
    const k::plan::kernel_signature takes = {{role::scalar, 0, 16}, {role::output, 0, 8}, {role::layout, 0, 24}};
    const k::backend::loaded_kernel kernel(takes);
    std::uint64_t scalar[] = {1, 2};
    std::uint64_t layout[] = {3, 4, 5};
    std::uint64_t memory = 0;
    std::uint64_t* output = &memory;
    void* parameters[] = {scalar, &output, layout};
    k::backend::launch_arguments arguments;
    arguments.parameters = parameters;
    k::backend::recorded_launch recorded(kernel, arguments);
    scalar[1] = layout[2] = 0;
    void** const kept = recorded.arguments(0).parameters;
    CHECK(static_cast<const std::uint64_t*>(kept[0])[1] == 2);
    CHECK(static_cast<const std::uint64_t*>(kept[2])[2] == 5);
    CHECK(recorded.address(1) == reinterpret_cast<std::byte*>(&memory));
}
