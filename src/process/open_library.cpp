#include <process/open_library.hpp>

#include <process/until_exit.hpp>

#include <dlfcn.h>

namespace kiln::process {

namespace {

extern until_exit openings;
constinit until_exit openings([] { openings.exit_has_begun(); }, until_exit::ended_library::refuses);

}  // namespace

void* open_library(const char* name, std::string& why) {
    const until_exit::call under_way(openings);
    if (!under_way) {
        why = std::string(name) + ": the program is ending";
        return nullptr;
    }
    void* const opened = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!opened) {
        const char* const reason = ::dlerror();
        why = reason ? reason : std::string(name) + ": no reason given";
    }
    return opened;
}

}  // namespace kiln::process
