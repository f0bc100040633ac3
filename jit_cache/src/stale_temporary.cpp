// jit_cache/stale_temporary: the process number, the age, the lock, the first bytes, in the order of what they cost.
#include "stale_temporary.hpp"

#include "entry_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>

namespace jit_cache {

bool is_stale_temporary(const file_descriptor& shard, const std::string& name, const temporary_owner& owner,
                        std::int64_t now_unix_s) {
    constexpr std::int64_t hour_s = 3'600;
    struct ::stat status {};
    if (::fstatat(shard.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
        return false;
    const bool owner_is_gone =
        owner.is_local &&
        (owner.process <= 0 || (::kill(static_cast<::pid_t>(owner.process), 0) != 0 && errno == ESRCH));
    const std::int64_t age_s = now_unix_s - status.st_mtim.tv_sec;
    if (!owner_is_gone && age_s > -hour_s && age_s < hour_s) return false;
    const file_descriptor file(::openat(shard.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
    return probe_entry(shard, name).state != file_state::foreign;
}

}  // namespace jit_cache
