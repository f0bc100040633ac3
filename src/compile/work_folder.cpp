// kiln/compile/work_folder: mkdir, flock, and the order in which both stay right beside other processes.
#include <compile/work_folder.hpp>

#include <compile/compiler_failure.hpp>
#include <compile/system.hpp>

#include <jit_cache/key.hpp>
#include <jit_cache/trust.hpp>
#include <jit_cache/write_signals.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

namespace kiln::compile {

namespace trust = jit_cache::trust;

namespace {

constexpr int most_tries = 32;  // beside as many processes as make and remove at the same moment
constexpr long abandoned_after_s = 3600;
constexpr std::uint64_t little_room = std::uint64_t{4} << 20;  // bytes

/// By the path that compilers will say: a /tmp that is a link to elsewhere has two.
std::string base_in(const std::string& parent) {
    const std::unique_ptr<char, void (*)(void*)> real(::realpath(parent.c_str(), nullptr), std::free);
    return (real ? std::string(real.get()) : parent) + "/kiln-" + std::to_string(::geteuid());
}

struct opened_base {
    descriptor folder;  // open if all is well
    int error = 0;      // of a system call
    std::string why;    // not, for people
};

/// The user's folder, if it is there and really the user's.
opened_base open_base(const std::string& path) {
    opened_base result{descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)), 0, {}};
    struct ::stat status {};
    if (!result.folder || ::fstat(result.folder.get(), &status) != 0) {
        result.error = errno;
        result.why = path + ": " + text_of(result.error);
        result.folder.close();
    } else if (const std::string trouble = trust::distrust(status, trust::owners::user); !trouble.empty()) {
        result.why = path + ": " + trouble;
        result.folder.close();
    }
    return result;
}

/// Whether a name still means what was opened by it.
bool is_still_there(int base, const std::string& name, const descriptor& opened) {
    struct ::stat now {};
    struct ::stat then {};
    return ::fstatat(base, name.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0 && ::fstat(opened.get(), &then) == 0 &&
           now.st_ino == then.st_ino && now.st_dev == then.st_dev;
}

// --- Sweeping -----------------------------------------------------------------------------------------------------------

/// The process of "4711-3"; 0: no name of a work folder.
pid_t process_of(std::string_view name) {
    pid_t process = 0;
    unsigned long serial = 0;
    const char* const end = name.data() + name.size();
    const auto [dash, trouble] = std::from_chars(name.data(), end, process);
    if (trouble != std::errc{} || dash == end || *dash != '-') return 0;
    const auto [last, more_trouble] = std::from_chars(dash + 1, end, serial);
    return more_trouble == std::errc{} && last == end ? process : 0;
}

/// What a process that was killed just now had started may still make a file between the listing of a folder and its removal.
void remove_folder(const std::string& path) noexcept {
    std::error_code failed;
    for (int tries = 0; tries < most_tries; ++tries) {
        std::filesystem::remove_all(path, failed);
        if (!failed) return;
        ::usleep(1000);
    }
}

bool is_gone(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

/// Process numbers come back, and another container has its own: what nobody holds for an hour is nobody's. No clock is
/// read: `now` is when this process made its own folder.
bool is_abandoned(int base, const std::string& name, const ::timespec& now) {
    const pid_t process = process_of(name);
    if (process <= 0 || process == ::getpid()) return false;
    const descriptor folder(::openat(base, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct ::stat status {};
    if (!folder || ::fstat(folder.get(), &status) != 0) return false;
    const bool old = status.st_mtim.tv_sec + abandoned_after_s < now.tv_sec;
    if (!old && !is_gone(process)) return false;
    if (::flock(folder.get(), LOCK_EX | LOCK_NB) == 0) return true;
    return errno != EWOULDBLOCK && old && is_gone(process);  // a file system without locks
}

void sweep(const std::string& base_path, const ::timespec& now) {
    opened_base base = open_base(base_path);
    if (!base.folder) return;
    const std::unique_ptr<DIR, int (*)(DIR*)> names(::fdopendir(base.folder.get()), ::closedir);
    if (!names) return;
    const int number = base.folder.release();  // closed with the list
    std::vector<std::string> abandoned;
    while (const ::dirent* const each = ::readdir(names.get()))
        if (is_abandoned(number, each->d_name, now)) abandoned.emplace_back(each->d_name);
    for (const std::string& name : abandoned) remove_folder(base_path + '/' + name);
    ::rmdir(base_path.c_str());  // unless another is in use
}

/// Wherever an earlier process may have had one, once a process.
void sweep_once(const std::vector<std::string>& parents, const descriptor& own) {
    static constinit std::atomic<pid_t> swept{0};
    struct ::stat status {};
    if (swept.exchange(::getpid(), std::memory_order_relaxed) == ::getpid() || ::fstat(own.get(), &status) != 0) return;
    for (const std::string& parent : parents)
        if (trust::distrust_shared_folder(parent).empty()) sweep(base_in(parent), status.st_mtim);
}

// --- Which folder ---------------------------------------------------------------------------------------------------------

/// The place in the list that worked last, as long as the list is the same: a full /tmp is found out once.
class last_place {
public:
    static std::size_t of(std::uint64_t list) {
        const std::uint64_t known = known_.load(std::memory_order_relaxed);
        return known >> 8 == list >> 8 ? known & 0xff : 0;
    }
    static void worked(std::uint64_t list, std::size_t place) {
        known_.store((list & ~std::uint64_t{0xff}) | place, std::memory_order_relaxed);
    }

private:
    static constinit std::atomic<std::uint64_t> known_;
};
constinit std::atomic<std::uint64_t> last_place::known_{0};

std::uint64_t hash_of(const std::vector<std::string>& list) {
    std::string joined;
    for (const std::string& each : list) joined += each + '\n';
    return jit_cache::content_hash(joined).high;
}

}  // namespace

std::vector<std::string> temporary_folders() {
    std::vector<std::string> found;
    const auto add = [&found](std::string folder) {
        while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
        if (folder.starts_with('/') && std::find(found.begin(), found.end(), folder) == found.end())
            found.push_back(std::move(folder));
    };
    add(trust::environment("TMPDIR"));
    add("/tmp");
    add(trust::environment("XDG_RUNTIME_DIR"));
    add("/dev/shm");
    add("/var/tmp");
    add(trust::environment("XDG_CACHE_HOME"));
    if (const std::string home = trust::environment("HOME"); !home.empty()) add(home + "/.cache");
    return found;
}

work_folder::work_folder(trouble& met, std::size_t first_place) {
    const std::vector<std::string> parents = temporary_folders();
    const std::uint64_t list = hash_of(parents);
    for (place_ = std::max(first_place, last_place::of(list)); place_ < parents.size(); ++place_) {
        const std::string& parent = parents[place_];
        trouble here{trust::distrust_shared_folder(parent), false};
        if (here.why.empty() && make_in(parent, here)) {
            last_place::worked(list, place_);
            sweep_once(parents, lock_);
            return;
        }
        met.why += (met.why.empty() ? "" : "; ") + here.why;
        met.is_for_now = met.is_for_now || here.is_for_now;
    }
    last_place::worked(list, 0);  // the next time there may be room again
}

work_folder::work_folder(work_folder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)), place_(other.place_) {}

work_folder& work_folder::operator=(work_folder&& other) noexcept {
    if (this == &other) return *this;
    remove();
    path_ = std::exchange(other.path_, {});
    lock_ = std::move(other.lock_);
    place_ = other.place_;
    return *this;
}

bool work_folder::make_in(const std::string& parent, trouble& met) {
    static constinit std::atomic<unsigned long> serial{0};
    const std::string base_path = base_in(parent);
    const auto failed = [&](int error) {
        met = {base_path + ": " + text_of(error), is_passing(error)};
        return false;
    };
    for (int tries = 0; tries < most_tries; ++tries) {
        if (::mkdir(base_path.c_str(), 0700) != 0 && errno != EEXIST) return failed(errno);
        const opened_base base = open_base(base_path);
        if (base.error == ENOENT) continue;  // whoever was the last in it has removed it
        if (!base.folder) {
            met = {base.why, is_passing(base.error)};
            return false;
        }
        const int number = base.folder.get();
        const std::string name = std::to_string(::getpid()) + '-' + std::to_string(serial.fetch_add(1));
        if (::mkdirat(number, name.c_str(), 0700) != 0) {
            if (errno == ENOENT || errno == EEXIST) continue;
            return failed(errno);
        }
        lock_ = descriptor(::openat(number, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!lock_ && is_passing(errno)) {
            const int error = errno;
            ::unlinkat(number, name.c_str(), AT_REMOVEDIR);
            return failed(error);
        }
        // A sweeper in another container takes the number of this process for that of a dead one: what it locked first
        // is its own, and what it removed is no longer there.
        if (lock_ && ::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) continue;
        if (!lock_ || !is_still_there(number, name, lock_)) continue;
        path_ = base_path + '/' + name;
        return true;
    }
    met = {base_path + ": others remove what is made in it", false};
    return false;
}

void work_folder::remove() noexcept {
    if (path_.empty()) return;
    remove_folder(path_);
    lock_.close();
    path_.resize(path_.rfind('/'));
    ::rmdir(path_.c_str());  // the user's folder, unless it is still in use
    path_.clear();
}

bool work_folder::write(const char* name, const std::string& bytes) const {
    const jit_cache::write_signals_held_back held_back;
    descriptor file(::open(path_of(name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file) return false;
    for (std::size_t done = 0; done < bytes.size();) {
        const ::ssize_t count = ::write(file.get(), bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += static_cast<std::size_t>(count);
    }
    return ::close(file.release()) == 0;  // where a file server says that it is full
}

work_folder::reading work_folder::read(const char* name, std::size_t most_bytes, std::string& bytes) const {
    // O_NONBLOCK: whatever made the file may have made a FIFO of it.
    const descriptor file(::open(path_of(name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct ::stat status {};
    if (!file) return errno == ENOENT ? reading::missing : reading::failed;
    if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return reading::failed;
    if (static_cast<std::uint64_t>(status.st_size) > most_bytes) return reading::too_large;
    bytes.assign(static_cast<std::size_t>(status.st_size), '\0');
    for (std::size_t done = 0; done < bytes.size();) {
        const ::ssize_t count = ::read(file.get(), bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return reading::failed;
        done += static_cast<std::size_t>(count);
    }
    return reading::done;
}

bool work_folder::is_full() const {
    struct ::statvfs room {};
    if (::statvfs(path_.c_str(), &room) != 0) return false;
    const bool no_files = room.f_files > 0 && room.f_favail == 0;
    return no_files || std::uint64_t{room.f_bavail} * room.f_frsize < little_room;
}

}  // namespace kiln::compile
