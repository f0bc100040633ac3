// kiln/launch/shared_object: the folders that a file may be run from, the private file, dlopen.
#include <launch/shared_object.hpp>

#include <compile/elf_check.hpp>
#include <compile/file_size_limit.hpp>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>
#include <vector>

namespace kiln::launch {

namespace {

std::string unused_name() {
    static std::atomic<std::uint64_t> counter{0};
    // Process ids come back, and a fork continues the counter: the random part keeps names from being guessed as well.
    std::random_device random;
    const std::uint64_t drawn = (std::uint64_t{random()} << 32) | random();
    return "/kiln-" + std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1)) + "-" +
           std::to_string(drawn) + ".so";
}

/// A file that is there as long as this is.
class private_file {
public:
    explicit private_file(std::string path) : path_(std::move(path)) {
        number_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    }
    private_file(const private_file&) = delete;
    private_file& operator=(const private_file&) = delete;
    ~private_file() {
        if (number_ < 0) return;
        ::close(number_);
        ::unlink(path_.c_str());
    }

    [[nodiscard]] const std::string& path() const { return path_; }

    bool write(const std::string& bytes) const {
        if (number_ < 0) return false;
        if (!compile::may_write_file_of(bytes.size())) {
            errno = EFBIG;
            return false;
        }
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t count = ::write(number_, bytes.data() + done, bytes.size() - done);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return false;
            done += static_cast<std::size_t>(count);
        }
        return ::fchmod(number_, 0700) == 0;
    }

    /// Whether a page of it can be mapped as code: noexec mounts and security modules say no here, as they would to
    /// dlopen.
    [[nodiscard]] bool maps_as_code() const {
        void* page = ::mmap(nullptr, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, number_, 0);
        if (page == MAP_FAILED) return false;
        ::munmap(page, 1);
        return true;
    }

private:
    std::string path_;
    int number_ = -1;
};

std::vector<std::string> folders() {
    std::vector<std::string> found;
    const auto add = [&](const char* parent, const char* below = "") {
        if (parent && *parent == '/') found.push_back(std::string(parent) + below);
    };
    add(std::getenv("TMPDIR"));
    add("/tmp");
    add(std::getenv("XDG_RUNTIME_DIR"));
    add("/dev/shm");
    add("/var/tmp");
    add(std::getenv("XDG_CACHE_HOME"));
    add(std::getenv("HOME"), "/.cache");
    add(std::getenv("HOME"));
    return found;
}

/// The folder that worked last comes first: a noexec /tmp is found out once, not at every kernel.
class folder_order {
public:
    std::vector<std::string> get() {
        std::vector<std::string> order = folders();
        const std::lock_guard hold(lock_);
        if (!known_.empty()) order.insert(order.begin(), known_);
        return order;
    }
    void worked(std::string_view folder) {
        const std::lock_guard hold(lock_);
        if (known_ != folder) known_ = folder;
    }

private:
    std::mutex lock_;
    std::string known_;
};

folder_order& known_folders() {
    static folder_order order;
    return order;
}

}  // namespace

namespace {

/// The bytes as a file that may be run, where there is one; `why` says what was wrong with each folder.
std::unique_ptr<private_file> make_runnable(const std::string& bytes, std::string& why) {
    for (const std::string& folder : known_folders().get()) {
        auto file = std::make_unique<private_file>(folder + unused_name());
        if (!file->write(bytes)) {
            why += folder + ": " + std::strerror(errno) + "; ";
            continue;
        }
        if (!file->maps_as_code()) {
            why += folder + ": files there cannot be run; ";
            continue;
        }
        known_folders().worked(folder);
        return file;
    }
    return nullptr;
}

}  // namespace

bool shared_object::finds_folder(std::string& why) { return make_runnable("a byte of no code", why) != nullptr; }

shared_object::opening shared_object::open(const std::string& bytes) {
    opening result;
    if (result.why = compile::why_not_loadable(bytes); !result.why.empty()) return result;
    const std::unique_ptr<private_file> file = make_runnable(bytes, result.why);
    if (!file) {
        result.folder_found = false;
        return result;
    }
    result.why.clear();
    if (void* opened = ::dlopen(file->path().c_str(), RTLD_NOW | RTLD_LOCAL)) {
        result.object.reset(new shared_object(opened));
        return result;
    }
    const char* message = ::dlerror();
    result.why = message ? message : "dlopen failed";
    return result;
}

shared_object::~shared_object() { ::dlclose(opened_); }

void* shared_object::symbol(const std::string& name) const { return ::dlsym(opened_, name.c_str()); }

}  // namespace kiln::launch
