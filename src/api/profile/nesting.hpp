// kiln/api/profile/nesting: what a thread does while it does something else.
// in: intervals of threads   out: which lie in which   knows nothing of: what they stand for
#pragma once

#include <kiln/profile.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kiln::inline v0_1::detail {

struct interval {
    int thread = 0;
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
};

inline constexpr std::size_t no_interval = static_cast<std::size_t>(-1);

struct nested_interval {
    std::size_t number = 0;            // among those that were given
    std::size_t around = no_interval;  // the number of the innermost one that it lies in
    std::int64_t end_ns = 0;           // its own, or earlier
};

/// Thread by thread, in order of their beginnings, the outer ones first. Of two of one thread that overlap one lies in the
/// other: one that would end inside a later one ends where that begins. Of equal ones the earlier number is around.
std::vector<nested_interval> nested(const std::vector<interval>& all);

/// Of each event: host time without what other events inside it took. Their sum counts no time of a thread twice.
std::vector<std::int64_t> own_host_ns(const std::vector<profile_event>& events);

}  // namespace kiln::inline v0_1::detail
