#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>

namespace tests {

std::atomic<std::int64_t> compared_elements{0};

device_under_test device() {
    const kiln::device_info info = kiln::current_device();
    return {info.is_cuda, info.compiles, info.is_cuda || cubins_wanted()};
}

double library_bound_ulps(oracle::op code, oracle::type of) {
    // Right to 1 ulp of float, and rounded once more.
    if (of == oracle::type::f16 || of == oracle::type::bf16) return 0.51;
    if (!device().is_cuda) return 2;
    const bool single = of == oracle::type::f32;
    switch (code) {
        case oracle::op::exp: return single ? 2 : 1;
        case oracle::op::log: return 1;
        case oracle::op::pow: return single ? 4 : 2;
        default: return 2;  // sin, cos, tanh
    }
}

namespace {

template <class T>
std::vector<T> run(oracle::op code, const std::vector<std::vector<oracle::value>>& operands) {
    const kiln::array<T> a = kiln::from_host<T>(typed<T>(operands[0]));
    switch (code) {
        case oracle::op::exp: return kiln::array<T>(kiln::exp(a)).to_host();
        case oracle::op::log: return kiln::array<T>(kiln::log(a)).to_host();
        case oracle::op::sin: return kiln::array<T>(kiln::sin(a)).to_host();
        case oracle::op::cos: return kiln::array<T>(kiln::cos(a)).to_host();
        case oracle::op::tanh: return kiln::array<T>(kiln::tanh(a)).to_host();
        default: return kiln::array<T>(kiln::pow(a, kiln::from_host<T>(typed<T>(operands[1])))).to_host();
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
