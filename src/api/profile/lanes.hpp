// kiln/api/profile/lanes: rows for runs of one stream, which may overlap: on the CPU those of several threads, on a GPU those of
// kernels that begin before the one before them ends.
#pragma once

#include <kiln/profile.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace kiln::inline v0_1::detail {

struct lane {
    std::string name;                 // "cuda:0 stream 0"; of a second one "cuda:0 stream 0 (2)"
    std::vector<std::size_t> events;  // in order of their runs, of which none overlap
};

/// By device, stream and number; a run is in the first of its stream that is free when it begins.
std::vector<lane> lanes_of(const std::vector<profile_event>& events);

}  // namespace kiln::inline v0_1::detail
