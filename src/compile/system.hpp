// kiln/compile/system: what several files of this room ask the operating system.
#pragma once

#include <string>
#include <system_error>

#include <sys/stat.h>

namespace kiln::compile {

/// strerror without its race between threads.
inline std::string text_of(int error) { return std::generic_category().message(error); }

/// A regular file, or a link to one.
inline bool is_file(const std::string& path) {
    struct ::stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace kiln::compile
