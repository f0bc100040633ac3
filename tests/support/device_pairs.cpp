#include <device/cpu/cpu_device.hpp>
#include <device/devices.hpp>
#include <support/device_pairs.hpp>

#include <kiln/expression.hpp>

namespace tests {

namespace {

kiln::device second_on_the_cpu() {
    // Stays: arrays of static storage may be on it.
    static kiln::backend::known_device& added =
        kiln::backend::add_device(kiln::backend::make_cpu_device(), kiln::device_kind::cpu, /*index=*/2);
    return kiln::detail::access::make<kiln::device>(&added);
}

}  // namespace

std::vector<device_pair> device_pairs() {
    const kiln::device usual = kiln::current_device();
    if (!usual.is_cuda()) return {{usual, second_on_the_cpu()}};
    std::vector<device_pair> out{{usual, kiln::cpu}};
    for (const kiln::device& each : kiln::devices())
        if (each.is_cuda() && each != usual && out.size() == 1) out.push_back({usual, each});
    return out;
}

}  // namespace tests
