// kiln/compile/leash: a terminal of nobody's, whose only use is that it hangs up.
//
// A program that has it as its controlling terminal gets SIGHUP, and with it its whole process group, when the last
// descriptor of the other end is closed: when this process ends, by SIGKILL too. prctl(PR_SET_PDEATHSIG) would have to be
// called in the child, between fork() and exec(); posix_spawn() leaves no room for that, and a fork() of a process with
// 100 GB of memory copies their page tables.
#pragma once

#include <compile/descriptor.hpp>

#include <fcntl.h>
#include <stdlib.h>

#include <string>

namespace kiln::compile {

class leash {
public:
    /// Without pseudo-terminals (no /dev/pts in a container) it holds nobody.
    leash() : end_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
        char path[64];
        if (!end_ || ::grantpt(end_.get()) != 0 || ::unlockpt(end_.get()) != 0 ||
            ::ptsname_r(end_.get(), path, sizeof path) != 0)
            return;
        // Where /dev/pts is another container's, the path is of another terminal, or of none.
        const descriptor other_end(::open(path, O_RDWR | O_NOCTTY | O_CLOEXEC));
        if (other_end) path_ = path;
    }

    /// What a session's first process opens to be held, and may close again; empty: it cannot be.
    [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
    descriptor end_;
    std::string path_;
};

}  // namespace kiln::compile
