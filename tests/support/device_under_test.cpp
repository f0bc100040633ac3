#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>
#include <support/needs_gpu.hpp>
#include <support/operations.hpp>

#include <kiln/kiln.hpp>

#include <stdexcept>

namespace tests {

std::atomic<std::int64_t> compared_elements{0};

namespace {

std::atomic<int> cases_without_gpu{0};

}  // namespace

void skip_without_gpu() { ++cases_without_gpu; }

int skipped_without_gpu() { return cases_without_gpu; }

device_under_test device() {
    const kiln::device_info info = kiln::current_device().describe();
    return {info.is_cuda, info.compiles, info.is_cuda || cubins_wanted(),
            info.is_cuda || (info.compiles && !cubins_wanted())};
}

double library_bound_ulps(oracle::op code, oracle::type of) {
    // Right to the bound in float, and rounded once more.
    if (of == oracle::type::f16 || of == oracle::type::bf16) return 0.51;
    const bool on_cuda = device().is_cuda;
    const bool single = of == oracle::type::f32;
    switch (code) {
#define KILN_BOUND(name, cpu_float, cpu_double, cuda_float, cuda_double) \
    case oracle::op::name: return on_cuda ? (single ? cuda_float : cuda_double) : (single ? cpu_float : cpu_double);
#include <support/library_bounds.def>
        default: return 0;
    }
}

namespace {

template <class T>
std::vector<T> run(oracle::op code, const std::vector<std::vector<oracle::value>>& operands) {
    const kiln::array<T> a = kiln::from_host<T>(typed<T>(operands[0]));
    switch (code) {
#define KILN_TEST_ONE(name) \
    case oracle::op::name: return kiln::array<T>(kiln::name(a)).to_host();
#define KILN_TEST_TWO(name) \
    case oracle::op::name: return kiln::array<T>(kiln::name(a, kiln::from_host<T>(typed<T>(operands[1])))).to_host();
        KILN_TEST_LIBRARY(KILN_TEST_ONE, KILN_TEST_TWO)
#undef KILN_TEST_ONE
#undef KILN_TEST_TWO
        default: throw std::logic_error("no library function");
    }
}

template <class T>
std::vector<oracle::value> measure(oracle::op code, const std::vector<std::vector<oracle::value>>& operands) {
    const std::vector<T> got = run<T>(code, operands);
    std::vector<oracle::value> out = oracle::from_all(got);
    long double worst = 0;
    std::string where;
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::vector<oracle::value> at;
        for (const std::vector<oracle::value>& operand : operands) at.push_back(operand[i]);
        const long double off = oracle::ulps_between(out[i], oracle::library_exact(code, at));
        if (off <= worst) continue;
        worst = off;
        where = oracle::name_of(code) + std::string("(") + oracle::to_string(at[0]);
        if (at.size() > 1) where += ", " + oracle::to_string(at[1]);
        where += ") is " + oracle::to_string(out[i]);
    }
    compared_elements += static_cast<std::int64_t>(out.size());
    CHECK_MESSAGE(worst <= library_bound_ulps(code, oracle::type_for<T>), where, ", ", static_cast<double>(worst),
                  " ulp off");
    return out;
}

}  // namespace

oracle::library measured_library() {
    return [](oracle::op code, oracle::type of, const std::vector<std::vector<oracle::value>>& operands) {
        switch (of) {
            case oracle::type::f16: return measure<kiln::float16>(code, operands);
            case oracle::type::bf16: return measure<kiln::bfloat16>(code, operands);
            case oracle::type::f32: return measure<float>(code, operands);
            default: return measure<double>(code, operands);
        }
    };
}

}  // namespace tests
