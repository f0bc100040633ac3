// jit_cache/entry_file: the system calls behind one entry.
// in: an open shard, a name, bytes   out: an entry or what is wrong with it   knows nothing of: keys wanted, threads
#include "entry_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <ctime>
#include <new>

namespace jit_cache {

namespace {

constexpr std::string_view temporary_prefix = ".tmp-";

file_reading reading(file_state state, std::string why) {
    file_reading result;
    result.state = state;
    result.why = std::move(why);
    return result;
}

struct opened_file {
    file_descriptor file;
    file_reading problem;  // when the file is not open
    struct ::stat status {};
};

// O_NONBLOCK: a FIFO under the entry's name would block the open for ever. O_NOFOLLOW: a symbolic link's target is none
// of our files. What was opened is then asked what it is: asking first would leave a gap for an exchange.
opened_file open_entry(const file_descriptor& shard, const std::string& name) {
    int number = -1;
    do {
        number = ::openat(shard.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    } while (number < 0 && errno == EINTR);
    opened_file result;
    if (number < 0) {
        const int error = errno;
        if (error == ENOENT) {
            result.problem = reading(file_state::absent, {});
        } else if (error == ELOOP) {
            result.problem = reading(file_state::broken, "it is a symbolic link");
        } else if (error == ENXIO || error == ENODEV) {
            result.problem = reading(file_state::broken, "it is not a regular file");
        } else {
            result.problem = reading(file_state::failed, error_text(error));
        }
        return result;
    }
    file_descriptor file(number);
    if (::fstat(file.get(), &result.status) != 0) {
        result.problem = reading(file_state::failed, error_text(errno));
    } else if (!S_ISREG(result.status.st_mode)) {
        result.problem = reading(file_state::broken, "it is not a regular file");
    } else {
        result.file = std::move(file);
    }
    return result;
}

// Fills `out` from its `filled`-th byte on; signals and short reads only repeat the call. Returns errno, or 0 with
// `filled` moved: less than asked means that the file ended.
int read_fully(const file_descriptor& file, std::string& out, std::size_t& filled) {
    while (filled < out.size()) {
        const ::ssize_t count = ::read(file.get(), out.data() + filled, out.size() - filled);
        if (count > 0) {
            filled += static_cast<std::size_t>(count);
        } else if (count == 0) {
            return 0;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

int write_fully(const file_descriptor& file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ::ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
        if (count > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(count));
        } else if (count == 0) {
            return EIO;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

int sync_fully(const file_descriptor& file) {
    while (::fsync(file.get()) != 0) {
        if (errno == EINVAL || errno == ENOSYS) return 0;  // a file system that has nothing to wait for
        if (errno != EINTR) return errno;
    }
    return 0;
}

// Beyond RLIMIT_FSIZE a write raises SIGXFSZ, which ends the process. Held back here, the write fails with EFBIG, and
// the signal that waits afterwards is taken away unless one waited before.
class file_size_signal_held_back {
public:
    file_size_signal_held_back() {
        ::sigemptyset(&only_);
        ::sigaddset(&only_, SIGXFSZ);
        ::sigset_t pending;
        ::sigpending(&pending);
        waited_before_ = ::sigismember(&pending, SIGXFSZ) == 1;
        ::pthread_sigmask(SIG_BLOCK, &only_, &before_);
    }
    ~file_size_signal_held_back() {
        const ::timespec no_time{};
        if (!waited_before_) {
            while (::sigtimedwait(&only_, nullptr, &no_time) < 0 && errno == EINTR) {
            }
        }
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    file_size_signal_held_back(const file_size_signal_held_back&) = delete;
    file_size_signal_held_back& operator=(const file_size_signal_held_back&) = delete;

private:
    ::sigset_t only_{};
    ::sigset_t before_{};
    bool waited_before_ = false;
};

std::string new_temporary_name() {
    static std::atomic<std::uint64_t> serial{0};
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    return std::string(temporary_prefix) + std::to_string(::getpid()) + "-" + std::to_string(now) + "-" +
           std::to_string(serial.fetch_add(1, std::memory_order_relaxed));
}

// Two machines, or two containers, may share the folder and a process number: then the name is taken, and another is
// tried. O_EXCL also refuses a planted symbolic link.
file_descriptor create_temporary(const file_descriptor& shard, std::string& name) {
    for (int tries_left = 16; tries_left > 0; --tries_left) {
        name = new_temporary_name();
        const int number =
            ::openat(shard.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (number >= 0) return file_descriptor(number);
        if (errno != EEXIST && errno != EINTR) break;
    }
    return {};
}

int rename_into_place(const file_descriptor& shard, const std::string& temporary, const std::string& name) {
    if (::renameat(shard.get(), temporary.c_str(), shard.get(), name.c_str()) == 0) return 0;
    if (errno != EISDIR && errno != ENOTEMPTY && errno != EEXIST) return errno;
    // A folder has the entry's name. An empty one is taken away; one that holds something is somebody's, and stays.
    if (::unlinkat(shard.get(), name.c_str(), AT_REMOVEDIR) != 0) return errno;
    return ::renameat(shard.get(), temporary.c_str(), shard.get(), name.c_str()) == 0 ? 0 : errno;
}

}  // namespace

file_reading read_entry(const file_descriptor& shard, const std::string& name, access wanted) {
    opened_file opened = open_entry(shard, name);
    if (!opened.file) return opened.problem;
    const auto file_bytes = static_cast<std::uint64_t>(opened.status.st_size);
    const auto described = [&](file_state state, std::string why) {
        file_reading result = reading(state, std::move(why));
        result.file_bytes = file_bytes;
        result.last_used_unix_s = opened.status.st_mtim.tv_sec;
        return result;
    };
    if (wanted != access::inspect) {
        if (std::string why = distrust(opened.status); !why.empty())
            return described(file_state::broken, std::move(why));
    }

    std::string bytes(preamble_bytes, '\0');
    std::size_t filled = 0;
    if (const int error = read_fully(opened.file, bytes, filled); error != 0) {
        return described(file_state::failed, error_text(error));
    }
    if (filled >= header_bytes && check_header(bytes) == entry_state::newer) return described(file_state::newer, {});
    if (filled == bytes.size() && check_header(bytes) == entry_state::good) {
        // Only lengths that add up to the file's own size may decide how much memory is taken.
        if (std::string why = check_lengths(bytes, file_bytes); !why.empty()) {
            return described(file_state::broken, std::move(why));
        }
        if (file_bytes > largest_entry_bytes) return described(file_state::broken, "it is larger than any entry");
        try {
            bytes.resize(static_cast<std::size_t>(file_bytes));
        } catch (const std::bad_alloc&) {
            return described(file_state::failed, error_text(ENOMEM));
        }
        if (const int error = read_fully(opened.file, bytes, filled); error != 0) {
            return described(file_state::failed, error_text(error));
        }
    }
    bytes.resize(filled);
    unpacked checked = unpack_entry(bytes);
    file_reading result = described(file_state::broken, std::move(checked.why));
    if (checked.state == entry_state::good) result.state = file_state::good;
    result.content = std::move(checked.content);
    return result;
}

void touch_entry(const file_descriptor& shard, const std::string& name) {
    const ::timespec now_and_now[2] = {{.tv_sec = 0, .tv_nsec = UTIME_NOW}, {.tv_sec = 0, .tv_nsec = UTIME_NOW}};
    [[maybe_unused]] const int ignored = ::utimensat(shard.get(), name.c_str(), now_and_now, AT_SYMLINK_NOFOLLOW);
}

file_state probe_entry(const file_descriptor& shard, const std::string& name) {
    const opened_file opened = open_entry(shard, name);
    if (!opened.file) return opened.problem.state;
    std::string bytes(header_bytes, '\0');
    std::size_t filled = 0;
    if (read_fully(opened.file, bytes, filled) != 0) return file_state::failed;
    bytes.resize(filled);
    switch (check_header(bytes)) {
        case entry_state::good: return file_state::good;
        case entry_state::newer: return file_state::newer;
        case entry_state::broken: break;
    }
    return file_state::broken;
}

published publish_entry(const file_descriptor& shard, const std::string& name, std::string_view bytes) {
    std::string temporary;
    file_descriptor file = create_temporary(shard, temporary);
    if (!file) return {.error = errno, .trouble = error_text(errno)};
    // Held while the file is open: a sweeper that can take it knows that the writer is gone, on any machine that shares
    // the folder. Without locks (ENOLCK) the sweeper goes by the process number and the age.
    [[maybe_unused]] const int ignored = ::flock(file.get(), LOCK_EX | LOCK_NB);

    int error = 0;
    {
        const file_size_signal_held_back held_back;
        error = write_fully(file, bytes);
    }
    // Without fsync a crash after the rename could leave the name with an empty file behind it.
    if (error == 0) error = sync_fully(file);
    if (!file.close() && error == 0) error = errno;
    if (error == 0) error = rename_into_place(shard, temporary, name);
    if (error == 0) return {};
    ::unlinkat(shard.get(), temporary.c_str(), 0);
    return {.error = error, .trouble = error_text(error)};
}

std::optional<std::int64_t> temporary_owner(std::string_view name) {
    if (!name.starts_with(temporary_prefix)) return std::nullopt;
    name.remove_prefix(temporary_prefix.size());
    std::int64_t process = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), process);
    if (parsed.ec != std::errc{} || parsed.ptr == name.data() + name.size() || *parsed.ptr != '-') return std::nullopt;
    return process;
}

}  // namespace jit_cache
