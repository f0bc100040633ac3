// kiln/device/cpu/shared_object: a file without a name, or in a private folder, and dlopen.
#include <device/cpu/shared_object.hpp>

#include <compile/elf_check.hpp>

#include <jit_cache/trust.hpp>
#include <jit_cache/write_signals.hpp>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln::backend {

namespace {

/// A path to the descriptor that no dlopen() of this process was ever given: the loader takes an object of a name that it
/// knows for the one that it loaded by it, and descriptors' numbers come back. The kernel passes "./" and a second "/" over,
/// so a serial number's ones and zeros are spelt with them.
std::string path_never_used(int descriptor) {
    static constinit std::atomic<std::uint64_t> serial{0};
    std::string path = "/proc/self/fd/";
    for (std::uint64_t rest = serial.fetch_add(1, std::memory_order_relaxed); rest > 0; rest >>= 1)
        path += rest % 2 == 1 ? "./" : "/";
    return path + std::to_string(descriptor);
}

/// An open file for the bytes, as long as this lives.
class private_file {
public:
    private_file() = default;
    private_file(private_file&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)), name_(std::exchange(other.name_, {})) {}
    private_file& operator=(private_file&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        std::swap(name_, other.name_);
        return *this;
    }
    ~private_file() {
        if (!name_.empty()) ::unlink(name_.c_str());
        if (descriptor_ >= 0) ::close(descriptor_);
    }

    /// Under no name: nobody can put another in its place, and nothing is left of it whatever ends the process.
    static private_file in_memory() {
        private_file made;
        made.descriptor_ = ::memfd_create("kiln kernel", MFD_CLOEXEC);
        return made;
    }
    /// Of a name never used before, deleted with this.
    static private_file in_folder(const std::string& folder) {
        std::random_device random;
        const std::uint64_t drawn = (std::uint64_t{random()} << 32) | random();
        std::string name = folder + "/kiln-" + std::to_string(::getpid()) + "-" + std::to_string(drawn) + ".so";
        private_file made;
        made.descriptor_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0700);
        if (made.descriptor_ >= 0) made.name_ = std::move(name);
        return made;
    }

    /// What dlopen() is to be given.
    [[nodiscard]] std::string path() const { return name_.empty() ? path_never_used(descriptor_) : name_; }

    /// errno, or 0.
    [[nodiscard]] int write(const std::string& bytes) const {
        if (descriptor_ < 0) return errno;
        const jit_cache::write_signals_held_back held_back;
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t count = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return count < 0 ? errno : EIO;
            done += static_cast<std::size_t>(count);
        }
        return 0;
    }

    /// errno, or 0 when a page of it can be mapped as code: noexec mounts and security modules say no here, as they would
    /// to dlopen().
    [[nodiscard]] int map_as_code() const {
        // Without /proc, or where it may not be looked into, a file without a name cannot be opened by one.
        if (name_.empty() && ::access(path().c_str(), R_OK) != 0) return errno;
        void* page = ::mmap(nullptr, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, descriptor_, 0);
        if (page == MAP_FAILED) return errno;
        ::munmap(page, 1);
        return 0;
    }

private:
    int descriptor_ = -1;
    std::string name_;  // empty: none
};

/// Folders, in the order in which they are tried where memory without a name may not be run.
std::vector<std::string> folders() {
    std::vector<std::string> found;
    const auto add = [&](const std::string& parent, const char* below = "") {
        if (parent.starts_with('/')) found.push_back(parent + below);
    };
    using jit_cache::trust::environment;
    add(environment("TMPDIR"));
    add("/tmp");
    add(environment("XDG_RUNTIME_DIR"));
    add("/dev/shm");
    add("/var/tmp");
    add(environment("XDG_CACHE_HOME"));
    add(environment("HOME"), "/.cache");
    add(environment("HOME"));
    return found;
}

/// What says nothing about a place, and may be over the next time.
bool is_passing(int error) {
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN || error == EINTR;
}

struct placed {
    private_file file;
    shared_object::outcome how = shared_object::outcome::nowhere;  // loaded: the file holds the bytes and may be run
    std::string why;
};

placed place(const std::string& bytes) {
    placed result;
    const auto holds = [&](private_file made, const std::string& where) {
        int error = made.write(bytes);
        if (error == 0) error = made.map_as_code();
        if (error == 0) {
            result.file = std::move(made);
            result.how = shared_object::outcome::loaded;
            return true;
        }
        if (is_passing(error)) result.how = shared_object::outcome::passing;
        const bool forbidden = error == EPERM || error == EACCES;
        result.why += where + ": " + (forbidden ? "files there cannot be run" : std::strerror(error)) + "; ";
        return false;
    };
    if (holds(private_file::in_memory(), "memory")) return result;
    for (const std::string& folder : folders()) {
        if (const std::string why = jit_cache::trust::distrust_shared_folder(folder); !why.empty()) {
            result.why += why + "; ";
            continue;
        }
        if (holds(private_file::in_folder(folder), folder)) return result;
    }
    return result;
}

/// By the loader's words, since it gives no number. What is not about the object is about the moment: descriptors, memory,
/// mappings.
shared_object::outcome judge(std::string_view message) {
    for (const std::string_view about_the_object : {"undefined symbol", "ELF", "version `", "symbol lookup"})
        if (message.find(about_the_object) != std::string_view::npos) return shared_object::outcome::refused;
    return shared_object::outcome::passing;
}

}  // namespace

bool shared_object::can_run(std::string& why) {
    placed tried = place("a byte of no code");
    why = std::move(tried.why);
    return tried.how != outcome::nowhere;
}

shared_object::opening shared_object::open(const std::string& bytes) {
    opening result;
    if (std::string damage = compile::why_not_loadable(bytes); !damage.empty()) {
        result.how = outcome::refused;
        result.why = std::move(damage);
        return result;
    }
    placed at = place(bytes);
    result.how = at.how;
    if (at.how != outcome::loaded) {
        result.why = std::move(at.why);
        return result;
    }
    if (void* opened = ::dlopen(at.file.path().c_str(), RTLD_NOW | RTLD_LOCAL)) {
        result.object.reset(new shared_object(opened));
        return result;
    }
    const char* message = ::dlerror();
    result.why = message ? message : "dlopen failed";
    result.how = judge(result.why);
    return result;
}

shared_object::~shared_object() { ::dlclose(opened_); }

void* shared_object::symbol(const std::string& name) const { return ::dlsym(opened_, name.c_str()); }

}  // namespace kiln::backend
