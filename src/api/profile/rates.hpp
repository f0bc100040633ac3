// kiln/api/profile/rates: what is known of a device that a profile names.
#pragma once

#include <kiln/rates.hpp>

#include <string>

namespace kiln::inline v0_1::detail {

/// nullptr: nobody measured it.
const device_rates* rates_of(const std::string& device_name);

}  // namespace kiln::inline v0_1::detail
