// kiln/compile/file_size_limit: whether this process may write a file that large.
#pragma once

#include <sys/resource.h>

#include <cstddef>

namespace kiln::compile {

/// Beyond RLIMIT_FSIZE a write raises SIGXFSZ, which ends a program that does not expect it. So it is asked first.
inline bool may_write_file_of(std::size_t bytes) noexcept {
    ::rlimit most{};
    return ::getrlimit(RLIMIT_FSIZE, &most) != 0 || bytes <= most.rlim_cur;
}

}  // namespace kiln::compile
