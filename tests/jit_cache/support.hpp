// tests/jit_cache/support: temporary folders, keys with known answers, collected warnings, child processes.
// in: numbers   out: keys, artifacts, folders that go away again   knows nothing of: doctest
#pragma once

#include <jit_cache/folder.hpp>
#include <jit_cache/key.hpp>
#include <jit_cache/store.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace support {

namespace fs = std::filesystem;

/// A folder of its own (0700), deleted with all that is in it at the end. In memory where the system has such a volume:
/// on a busy disk the hundreds of fsync() calls of these tests take a minute.
class temporary_folder {
public:
    temporary_folder();
    explicit temporary_folder(const fs::path& parent);
    ~temporary_folder();
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    [[nodiscard]] const fs::path& path() const { return path_; }
    /// A folder inside that does not exist yet: the cache's root in most tests.
    [[nodiscard]] fs::path cache() const { return path_ / "cache"; }

private:
    fs::path path_;
};

class warnings {
public:
    [[nodiscard]] std::function<void(std::string_view)> sink();
    [[nodiscard]] std::vector<std::string> all() const;
    [[nodiscard]] std::size_t count() const { return all().size(); }
    [[nodiscard]] bool name(std::string_view part) const;  // whether one of them holds it

private:
    mutable std::mutex mutex_;
    std::vector<std::string> messages_;
};

/// The number-th key and the only right answer to it.
[[nodiscard]] jit_cache::key key_of(int number);
[[nodiscard]] jit_cache::artifact artifact_of(int number);

[[nodiscard]] jit_cache::settings settings_for(const fs::path& directory, warnings& said);

/// How one look-up went.
struct outcome {
    jit_cache::origin from = jit_cache::origin::memory;
    int makes = 0;
    bool right = false;
};

/// Asks a store for the number-th key, publishes what had to be made, and waits for the disk.
outcome ask(jit_cache::store& asked, int number);
/// The same in a store that is made for this one question, as a new process would.
outcome ask_anew(const fs::path& directory, warnings& said, int number);

/// Entries 0 to count, exclusive, as one process publishes them; throws where anything is warned about.
void fill(const fs::path& directory, int count);
/// The name of the number-th key.
[[nodiscard]] jit_cache::hash128 name_of(int number);

/// Where a store's entries are.
[[nodiscard]] fs::path root_of(const fs::path& directory);
[[nodiscard]] fs::path file_of(const fs::path& directory, int number);
/// Deletes all entries; how many there were.
std::uint64_t clear(const fs::path& directory);
[[nodiscard]] std::string contents(const fs::path& file);
void overwrite(const fs::path& file, std::string_view bytes);
/// Files whose name begins with ".tmp-", in all of the folder.
[[nodiscard]] std::size_t temporaries_in(const fs::path& directory);

/// Sets an entry's last use.
void set_last_use(const fs::path& file, std::int64_t unix_s);
[[nodiscard]] std::int64_t now_s();

/// A process number that no process has.
[[nodiscard]] int dead_process();
/// The name of a temporary of that process, made on this machine or on another.
[[nodiscard]] std::string temporary_of(int process, int serial, bool here = true);
/// The file of an entry of a later format.
[[nodiscard]] std::string newer_entry();

/// Runs `body` in a child process, which ends without destructors. What body returns (empty: well) comes back, and so
/// does a word about a child that crashed or was still running after 20 seconds.
[[nodiscard]] std::string in_child(const std::function<std::string()>& body);
/// As in_child, with the rights of `uid`. The caller must be root.
[[nodiscard]] std::string in_child_as(unsigned uid, const std::function<std::string()>& body);
[[nodiscard]] bool is_root();

inline constexpr unsigned nobody = 65534;

/// Starts a program without a shell, reads its standard output and error, waits.
struct finished {
    int exit_code = -1;  // 128 + signal when it was killed
    std::string output;
    std::string errors;
};
[[nodiscard]] finished run(const std::vector<std::string>& command, const std::vector<std::string>& environment = {});

}  // namespace support
