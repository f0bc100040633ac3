// kiln/api/profile/advice: what could be done about what a profile saw.
#pragma once

#include <kiln/profile.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::inline v0_1::detail {

/// A line for each, that begins with "- ". `host_ns`: of all events, each moment of a thread once.
std::string advice_on(const std::vector<profile_event>& events, std::int64_t host_ns);

}  // namespace kiln::inline v0_1::detail
