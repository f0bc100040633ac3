// kiln/api/profile/event_json: an event of a profile as JSON.
#pragma once

#include <kiln/profile.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace kiln::inline v0_1::detail {

/// Every field, whatever it has. `source`: its place among the file's sources, if it has one.
std::string whole_event_json(const profile_event& of, std::optional<std::size_t> source);

/// The fields that say something, as a trace's slices have them: a tenth of the other's size.
std::string brief_event_json(const profile_event& of);

}  // namespace kiln::inline v0_1::detail
