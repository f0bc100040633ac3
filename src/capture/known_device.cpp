#include <capture/known_device.hpp>

#include <kiln/error.hpp>

namespace kiln::inline v0_1::detail {

std::string name_of(const known_device& device) {
    if (device.kind == device_kind::cuda) return "cuda:" + std::to_string(device.index);
    return device.index == 0 ? "cpu" : "cpu:" + std::to_string(device.index);
}

void throw_two_devices(const known_device& one, const known_device& other) {
    const std::string first = name_of(one);
    throw device_error(
        "kiln: arrays on " + first + " and on " + name_of(other) +
        " meet in one expression, or in what it is assigned to, which runs on one device: copy one over, "
        "k::to(k::" +
        (one.kind == device_kind::cuda ? "cuda(" + std::to_string(one.index) + ")" : first) + ", x)");
}

}  // namespace kiln::inline v0_1::detail
