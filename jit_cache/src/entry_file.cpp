// jit_cache/entry_file: the system calls behind one entry.
// in: an open shard, a name, bytes   out: an entry or what is wrong with it   knows nothing of: keys wanted, threads
#include "entry_file.hpp"

#include "names.hpp"
#include "temporary_name.hpp"

#include <jit_cache/write_signals.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <span>
#include <string_view>

namespace jit_cache {

namespace {

file_reading reading(file_state state, std::string why) {
    file_reading result;
    result.state = state;
    result.why = std::move(why);
    return result;
}

file_state state_of(entry_state state) {
    switch (state) {
        case entry_state::good: return file_state::good;
        case entry_state::newer: return file_state::newer;
        case entry_state::foreign: return file_state::foreign;
        case entry_state::broken: break;
    }
    return file_state::broken;
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
            result.problem = reading(file_state::foreign, "it is a symbolic link");
        } else if (error == ENXIO || error == ENODEV) {
            result.problem = reading(file_state::foreign, "it is not a regular file");
        } else {
            result.problem = reading(file_state::failed, error_text(error));
        }
        return result;
    }
    file_descriptor file(number);
    if (::fstat(file.get(), &result.status) != 0) {
        result.problem = reading(file_state::failed, error_text(errno));
    } else if (!S_ISREG(result.status.st_mode)) {
        result.problem = reading(file_state::foreign, "it is not a regular file");
    } else {
        result.file = std::move(file);
    }
    return result;
}

// Fills `out` from the file's next byte on; signals and short reads only repeat the call. Returns errno, or 0 with how many
// bytes came in `filled`: less than asked means that the file ended.
int read_fully(const file_descriptor& file, std::span<char> out, std::size_t& filled) {
    for (filled = 0; filled < out.size();) {
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

// Two machines, or two containers, may share the folder and a process number: then the name is taken, and another is
// tried. O_EXCL also refuses a planted symbolic link.
file_descriptor create_temporary(const file_descriptor& shard, std::string& name) {
    for (int tries_left = 16; tries_left > 0; --tries_left) {
        name = temporary_name();
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

enum class extent : std::uint8_t { description, whole };

// Most keys fit into the one, most entries into the other: they are then read in one call. Until the lengths were looked
// at, no more memory is taken, whatever size a sparse file pretends to have.
constexpr std::size_t first_read_of_description = std::size_t{8} << 10;
constexpr std::uint64_t first_read_of_entry = std::uint64_t{256} << 10;

file_reading read_file(const file_descriptor& shard, const std::string& name, access wanted, extent how) {
    opened_file opened = open_entry(shard, name);
    if (!opened.file) return opened.problem;
    const auto file_bytes = static_cast<std::uint64_t>(opened.status.st_size);
    const auto described = [&](file_state state, std::string why) {
        file_reading result = reading(state, std::move(why));
        result.file_bytes = file_bytes;
        result.last_used_unix_s = opened.status.st_mtim.tv_sec;
        return result;
    };
    if (std::string why = distrust(opened.status, wanted); !why.empty())
        return described(file_state::untrusted, std::move(why));

    // Of a description, on the stack: setting as many bytes to zero took a listing longer than reading them.
    std::array<char, first_read_of_description> first;
    std::string more;
    std::span<char> into(first.data(), static_cast<std::size_t>(std::min<std::uint64_t>(first.size(), file_bytes)));
    if (how == extent::whole) {
        more.resize(static_cast<std::size_t>(std::min(first_read_of_entry, file_bytes)));
        into = more;
    }
    std::size_t filled = 0;
    if (const int error = read_fully(opened.file, into, filled); error != 0)
        return described(file_state::failed, error_text(error));
    std::string_view bytes(into.data(), filled);
    std::uint64_t payload_bytes = 0;
    if (bytes.size() >= preamble_bytes && check_header(bytes) == entry_state::good) {
        // Only lengths that add up to the file's own size may decide how much memory is taken.
        std::string why;
        const std::uint64_t description = description_bytes(bytes, file_bytes, why);
        if (description == 0) return described(file_state::broken, std::move(why));
        if (file_bytes > largest_entry_bytes) return described(file_state::broken, "it is larger than any entry");
        payload_bytes = payload_bytes_of(bytes);
        const std::uint64_t needed = how == extent::whole ? file_bytes : description;
        if (needed > bytes.size()) {
            const std::size_t before = bytes.size();
            try {
                if (more.empty()) more.assign(bytes);
                more.resize(static_cast<std::size_t>(needed));
            } catch (const std::bad_alloc&) {
                return described(file_state::failed, error_text(ENOMEM));
            }
            if (const int error = read_fully(opened.file, std::span(more).subspan(before), filled); error != 0)
                return described(file_state::failed, error_text(error));
            bytes = std::string_view(more).substr(0, before + filled);
        }
    }
    unpacked checked = how == extent::whole ? unpack_entry(bytes) : unpack_description(bytes, file_bytes);
    file_reading result = described(state_of(checked.state), std::move(checked.why));
    if (wanted == access::inspect) result.ignored_because = distrust(opened.status, access::read_only);
    result.content = std::move(checked.content);
    result.payload_bytes = payload_bytes;
    return result;
}

}  // namespace

file_reading read_entry(const file_descriptor& shard, const std::string& name, access wanted) {
    return read_file(shard, name, wanted, extent::whole);
}

file_reading read_description(const file_descriptor& shard, const std::string& name, access wanted) {
    return read_file(shard, name, wanted, extent::description);
}

file_reading inspect_entry(const file_descriptor& root, const std::string& name) {
    const opened_folder shard = open_shard(root, std::string_view(name).substr(0, 2), access::inspect);
    if (!shard.folder)
        return shard.error == ENOENT ? reading(file_state::absent, {}) : reading(file_state::failed, shard.trouble);
    return held_to_name(read_entry(shard.folder, name, access::inspect), name);
}

file_reading held_to_name(file_reading found, const std::string& name) {
    if (found.state != file_state::good) return found;
    const hash128 right = found.content.stored_key.name();
    if (right == name_of(name)) return found;
    return reading(file_state::broken, "it holds the entry of another key, " + to_hex(right));
}

file_fault fault_of(file_state state) {
    switch (state) {
        case file_state::broken: return file_fault::damaged;
        case file_state::foreign: return file_fault::foreign;
        case file_state::good:
        case file_state::absent:
        case file_state::newer:
        case file_state::untrusted:
        case file_state::failed: break;
    }
    return file_fault::unreadable;
}

void touch_entry(const file_descriptor& shard, const std::string& name) {
    const ::timespec now_and_now[2] = {{.tv_sec = 0, .tv_nsec = UTIME_NOW}, {.tv_sec = 0, .tv_nsec = UTIME_NOW}};
    [[maybe_unused]] const int ignored = ::utimensat(shard.get(), name.c_str(), now_and_now, AT_SYMLINK_NOFOLLOW);
}

probed_entry probe_entry(const file_descriptor& shard, const std::string& name) {
    const opened_file opened = open_entry(shard, name);
    if (!opened.file) return {.state = opened.problem.state, .status = opened.status};
    std::array<char, header_bytes> bytes;
    std::size_t filled = 0;
    if (read_fully(opened.file, bytes, filled) != 0) return {.state = file_state::failed, .status = opened.status};
    return {.state = state_of(check_header({bytes.data(), filled})), .status = opened.status};
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
        const write_signals_held_back held_back;
        error = write_fully(file, bytes);
    }
    // No fsync, which takes longer than compiling: after a crash the name may stand before a torn file, and the checksum
    // makes that a miss.
    if (!file.close() && error == 0) error = errno;
    if (error == 0) error = rename_into_place(shard, temporary, name);
    if (error == 0) return {};
    ::unlinkat(shard.get(), temporary.c_str(), 0);
    return {.error = error, .trouble = error_text(error)};
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

}  // namespace jit_cache
