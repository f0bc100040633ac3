// kiln-cache/progress_line: how far a long command is, on a line of stderr that goes away.
// in: KILN_PROGRESS, counts   out: a line   knows nothing of: what is counted
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace kiln_cache {

class progress_line {
public:
    /// `doing`: "unpacking". Shown where KILN_PROGRESS says 1, or nothing and stderr is a terminal.
    explicit progress_line(std::string_view doing);
    ~progress_line();
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;

    /// Writes ten times a second at most, but the first and the last.
    void show(std::uint64_t done, std::uint64_t total);

private:
    std::string doing_;
    bool is_wanted_ = false;
    bool is_shown_ = false;
    std::chrono::steady_clock::time_point last_{};
};

}  // namespace kiln_cache
