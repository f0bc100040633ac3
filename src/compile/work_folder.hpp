// kiln/compile/work_folder: a private folder for one compile, where there is room, gone afterwards.
//
//     /tmp/kiln-1000/                 the user's, 0700, there while one of the folders in it is
//     /tmp/kiln-1000/4711-3/          process 4711's third; locked (flock) as long as it is in use
//     /tmp/kiln-1000/4711-3/kernel.cpp
//
// What a process that was killed has left is swept by the next one that makes a folder.
// in: the environment's folders   out: a path, files read and written   knows nothing of: compilers
#pragma once

#include <compile/descriptor.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln::compile {

/// Where folders are made: TMPDIR, /tmp, XDG_RUNTIME_DIR, /dev/shm, /var/tmp, XDG_CACHE_HOME, HOME/.cache; the absolute
/// ones among them, each once.
std::vector<std::string> temporary_folders();

class work_folder {
public:
    struct trouble {
        std::string why;          // what was wrong with each
        bool is_for_now = false;  // one had descriptors or memory run out
    };

    /// In the first of temporary_folders() that takes one, beginning with the one that did last. `path()` is empty where
    /// none does.
    explicit work_folder(trouble& met) : work_folder(met, 0) {}
    /// Another one, in a later folder than `full`'s, which is passed over from now on.
    work_folder(trouble& met, const work_folder& full) : work_folder(met, full.place_ + 1) {}
    work_folder(work_folder&& other) noexcept;
    work_folder& operator=(work_folder&& other) noexcept;
    ~work_folder() { remove(); }

    /// "/tmp/kiln-1000/4711-3"
    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] std::string path_of(const char* name) const { return path_ + '/' + name; }

    /// A new file. False: errno says why (EFBIG beyond RLIMIT_FSIZE, whose signal is not raised).
    [[nodiscard]] bool write(const char* name, const std::string& bytes) const;

    enum class reading : std::uint8_t { done, missing, too_large, failed };
    /// The regular file of that name, at most `most_bytes` long.
    [[nodiscard]] reading read(const char* name, std::size_t most_bytes, std::string& bytes) const;

    /// Whether the file system has so little room left that a compile may have failed for it.
    [[nodiscard]] bool is_full() const;

private:
    work_folder(trouble& met, std::size_t first_place);
    bool make_in(const std::string& parent, trouble& met);
    void remove() noexcept;

    std::string path_;
    descriptor lock_;  // the folder, opened and locked
    std::size_t place_ = 0;
};

}  // namespace kiln::compile
