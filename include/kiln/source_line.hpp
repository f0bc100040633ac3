// kiln/source_line: a line of the user's program. (std::source_location, which clang++ 14 does not have with libstdc++.)
#pragma once

#include <kiln/export.hpp>

#include <atomic>

namespace kiln::inline v0_1 {

struct source_line {
    const char* file = "";  // as the compiler was given it; "": not known
    unsigned line = 0;

    /// As a default argument: where the function is called.
    static constexpr source_line here(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) noexcept {
        return {file, line};
    }
};

namespace detail {

/// Profiles that record.
KILN_API extern std::atomic<int> profile_count;
KILN_API void set_source_line(source_line where) noexcept;

/// The calling thread's next evaluation begins there.
inline void note_source_line(source_line where) noexcept {
    if (profile_count.load(std::memory_order_relaxed) != 0) [[unlikely]]
        set_source_line(where);
}

}  // namespace detail
}  // namespace kiln::inline v0_1
