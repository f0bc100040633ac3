// examples/measure: what the examples share: a clock that waits for the device, and a check that ends the program.
#pragma once

#include <kiln/kiln.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

/// Milliseconds until `call` returned and the device had done what it asked for.
template <class Call>
double milliseconds(Call call) {
    kiln::synchronize();
    const auto start = std::chrono::steady_clock::now();
    call();
    kiln::synchronize();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// The median of 11 calls, after one that is not counted: it may compile.
template <class Call>
double median_milliseconds(Call call) {
    call();
    std::vector<double> times;
    for (int i = 0; i < 11; ++i) times.push_back(milliseconds(call));
    std::nth_element(times.begin(), times.begin() + 5, times.end());
    return times[5];
}

/// "NVIDIA H200", or the CPU's name and why it is the CPU.
inline std::string device_text() {
    const kiln::device_info device = kiln::current_device().describe();
    return device.name + (device.is_cuda    ? ""
                          : device.compiles ? " (no GPU, or KILN_DEVICE=cpu)"
                                            : " (no GPU, or KILN_DEVICE=cpu; kernels are interpreted)");
}

/// What was found, and that it is as it should be; ends the program with 1 where it is not.
inline void check(bool right, const std::string& what) {
    fmt::print("{}: {}\n", right ? "checked" : "WRONG", what);
    if (!right) std::exit(1);
}
