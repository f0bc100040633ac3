// kiln/api/kept_rates: measured rates as the store keeps them: one entry for each device, beside the kernels.
// in: rates   out: text, and back   knows nothing of: how they were measured
#pragma once

#include <device/device.hpp>

#include <kiln/rates.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::inline v0_1::detail {

/// What the process has, or the store; nullptr: neither. They live as long as the process.
const device_rates* find_rates(backend::device& on);

/// The same, or what `measure` comes to, once for all threads that ask; kept then.
const device_rates& find_or_measure_rates(backend::device& on, const std::function<device_rates()>& measure);

/// What `measure` comes to, whatever is known; kept from now on.
const device_rates& measure_rates_again(backend::device& on, const std::function<device_rates()>& measure);

std::string text_of(const device_rates& of);
/// Nothing: it is not what text_of() makes.
std::optional<device_rates> parse_rates(std::string_view text);

}  // namespace kiln::inline v0_1::detail
