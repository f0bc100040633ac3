// jit_cache/note_file: the same care as for entries: no links followed, no FIFO waited for, nothing of others written to.
#include "note_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace jit_cache {

namespace {

constexpr int common_flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;

}  // namespace

file_descriptor open_note(const file_descriptor& folder, const char* name) {
    return file_descriptor(::openat(folder.get(), name, O_RDONLY | common_flags));
}

file_descriptor open_note_to_write(const file_descriptor& root, const char* name) {
    file_descriptor note(::openat(root.get(), name, O_RDWR | O_CREAT | common_flags, 0600));
    struct ::stat status {};
    if (!note || ::fstat(note.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    if (!distrust(status, access::write).empty()) return {};
    return note;
}

bool lock_note(const file_descriptor& note) {
    for (int tries_left = 5; tries_left > 0; --tries_left) {
        if (::flock(note.get(), LOCK_EX | LOCK_NB) == 0) return true;
        if (errno != EWOULDBLOCK && errno != EINTR) return true;
        const ::timespec moment{.tv_sec = 0, .tv_nsec = 500'000};
        ::nanosleep(&moment, nullptr);
    }
    return false;
}

std::string read_at(const file_descriptor& note, std::uint64_t offset, std::size_t count) {
    std::string bytes(count, '\0');
    for (std::size_t done = 0; done < count;) {
        const ::ssize_t read =
            ::pread(note.get(), bytes.data() + done, count - done, static_cast<::off_t>(offset + done));
        if (read > 0) {
            done += static_cast<std::size_t>(read);
        } else if (read == 0 || errno != EINTR) {
            return {};
        }
    }
    return bytes;
}

bool write_at(const file_descriptor& note, std::uint64_t offset, std::string_view bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
        const ::ssize_t written =
            ::pwrite(note.get(), bytes.data() + done, bytes.size() - done, static_cast<::off_t>(offset + done));
        if (written > 0) {
            done += static_cast<std::size_t>(written);
        } else if (written == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

}  // namespace jit_cache
