// tests/jit_cache/system_faults: this executable's own definitions of the C library's functions. They come before the
// library's, and hand on to them: to a sanitizer's first, which would else lose track of the descriptors.
// in: which call, which of them, how   out: nothing; the call behaves so   knows nothing of: the store
#undef _FORTIFY_SOURCE
#include "system_faults.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>

namespace system_faults {

namespace {

constexpr int none = -1;

std::atomic<int> failing{none};  // a call, or none
std::atomic<int> failing_error{0};
std::atomic<int> failing_first{1};
std::atomic<int> failing_last{0};
std::atomic<int> seen{0};
std::atomic<int> hit{0};
std::atomic<bool> is_short{false};
std::atomic<int> calls_to_live{0};  // 0: for ever

// True: the call is not made, errno is set.
bool intercepted(call which) {
    if (calls_to_live > 0 && --calls_to_live == 0) ::kill(::getpid(), SIGKILL);
    if (failing == static_cast<int>(which)) {
        const int number = ++seen;
        if (number >= failing_first && number <= failing_last) {
            ++hit;
            errno = failing_error;
            return true;
        }
    }
    if (is_short && (which == call::read || which == call::write || which == call::openat) && ++seen % 2 == 0) {
        ++hit;
        errno = EINTR;
        return true;
    }
    return false;
}

std::size_t shortened(std::size_t bytes) { return is_short ? std::min<std::size_t>(bytes, 3) : bytes; }

}  // namespace

fail::fail(call which, int error, int first, int how_many) {
    failing_error = error;
    failing_first = first;
    failing_last = first + how_many - 1;
    seen = 0;
    hit = 0;
    failing = static_cast<int>(which);
}

fail::~fail() { failing = none; }

int fail::count() const { return hit; }

short_and_interrupted::short_and_interrupted() {
    seen = 0;
    hit = 0;
    is_short = true;
}

short_and_interrupted::~short_and_interrupted() { is_short = false; }

int short_and_interrupted::count() const { return hit; }

void kill_at(int number) { calls_to_live = number; }

}  // namespace system_faults

using system_faults::call;
using system_faults::intercepted;

namespace {

template <class Function>
Function next_definition(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int mkdirat(int folder, const char* name, ::mode_t mode) noexcept {
    static const auto real = next_definition<int (*)(int, const char*, ::mode_t)>("mkdirat");
    return intercepted(call::mkdirat) ? -1 : real(folder, name, mode);
}

int openat(int folder, const char* name, int flags, ...) {
    static const auto real = next_definition<int (*)(int, const char*, int, ...)>("openat");
    ::mode_t mode = 0;
    if ((flags & O_CREAT) != 0) {
        va_list more;
        va_start(more, flags);
        mode = va_arg(more, ::mode_t);
        va_end(more);
    }
    return intercepted(call::openat) ? -1 : real(folder, name, flags, mode);
}

// What headers make of openat and read where programs are fortified, as Ubuntu's are.
int __openat_2(int folder, const char* name, int flags) { return openat(folder, name, flags); }
::ssize_t __read_chk(int file, void* bytes, std::size_t count, std::size_t) { return read(file, bytes, count); }

int fstat(int file, struct ::stat* status) noexcept {
    static const auto real = next_definition<int (*)(int, struct ::stat*)>("fstat");
    return intercepted(call::fstat) ? -1 : real(file, status);
}

int fstatat(int folder, const char* name, struct ::stat* status, int flags) noexcept {
    static const auto real = next_definition<int (*)(int, const char*, struct ::stat*, int)>("fstatat");
    return intercepted(call::fstatat) ? -1 : real(folder, name, status, flags);
}

::ssize_t read(int file, void* bytes, std::size_t count) {
    static const auto real = next_definition<::ssize_t (*)(int, void*, std::size_t)>("read");
    return intercepted(call::read) ? -1 : real(file, bytes, system_faults::shortened(count));
}

::ssize_t write(int file, const void* bytes, std::size_t count) {
    static const auto real = next_definition<::ssize_t (*)(int, const void*, std::size_t)>("write");
    return intercepted(call::write) ? -1 : real(file, bytes, system_faults::shortened(count));
}

int close(int file) {
    static const auto real = next_definition<int (*)(int)>("close");
    // The descriptor is gone even when close() reports an error, as on Linux.
    const bool failed = intercepted(call::close);
    const int error = errno;
    const int result = real(file);
    if (!failed) return result;
    errno = error;
    return -1;
}

int flock(int file, int operation) noexcept {
    static const auto real = next_definition<int (*)(int, int)>("flock");
    return intercepted(call::flock) ? -1 : real(file, operation);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
    static const auto real = next_definition<int (*)(int, const char*, int, const char*)>("renameat");
    return intercepted(call::renameat) ? -1 : real(from_folder, from, to_folder, to);
}

int unlinkat(int folder, const char* name, int flags) noexcept {
    static const auto real = next_definition<int (*)(int, const char*, int)>("unlinkat");
    return intercepted(call::unlinkat) ? -1 : real(folder, name, flags);
}

int utimensat(int folder, const char* name, const struct ::timespec times[2], int flags) noexcept {
    static const auto real = next_definition<int (*)(int, const char*, const struct ::timespec*, int)>("utimensat");
    return intercepted(call::utimensat) ? -1 : real(folder, name, times, flags);
}

}  // extern "C"
