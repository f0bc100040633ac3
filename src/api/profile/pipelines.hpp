// kiln/api/profile/pipelines: what an expression of host arrays did with its time: copies in, kernels, copies out, and copies of the host
// by itself where memory is not locked; how much of them was hidden beside the longest, and which that was.
// in: events   out: sums, a table   knows nothing of: how expressions are cut
#pragma once

#include <kiln/profile.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::inline v0_1::detail {

struct pipeline_times {
    std::int64_t in_ns = 0;
    std::int64_t kernels_ns = 0;
    std::int64_t out_ns = 0;
    std::int64_t host_ns = 0;  // its threads copied, or the one that gives work waited for them
    std::int64_t wall_ns = 0;  // from the first event to the end of the last
    std::int64_t bytes_in = 0;
    std::int64_t bytes_out = 0;

    [[nodiscard]] std::int64_t longest_ns() const noexcept;
    /// Of all but the longest part, how much took no time of its own: 0 to 1. 1: the whole took as long as its longest part.
    [[nodiscard]] double hidden() const noexcept;
    /// "the link in", "kernels", "the link out", "copies of the host"; "the host, which gives work": nothing of that took half of the time.
    [[nodiscard]] const char* bound_by() const noexcept;
};

/// Of one pipeline's events.
pipeline_times times_of_pipeline(const std::vector<const profile_event*>& events);

/// A row for each place in the program that evaluated such expressions; empty where nobody did.
std::string pipelines_text(const std::vector<profile_event>& events);

}  // namespace kiln::inline v0_1::detail
