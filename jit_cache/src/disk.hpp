// jit_cache/disk: one store's folders: find, publish, and the warnings about both. Nothing here throws for what a disk
// can do.
// in: keys and artifacts   out: artifacts, reasons, warnings   knows nothing of: the memory table, who waits for whom
#pragma once

#include "directory.hpp"
#include "entry_file.hpp"
#include "statistics.hpp"
#include "sweep_schedule.hpp"

#include <jit_cache/store.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace jit_cache {

/// Says each distinct trouble once, in printable text. Thread-safe; calls the sink outside its lock, and swallows what the
/// sink throws.
class warner {
public:
    explicit warner(std::function<void(std::string_view)> sink) : sink_(std::move(sink)) {}
    void operator()(const std::string& message);

private:
    std::function<void(std::string_view)> sink_;
    std::mutex mutex_;
    std::unordered_set<std::string> said_;
};

/// What a look-up brought.
struct looked_up {
    std::shared_ptr<const artifact> value;      // nullptr: a miss
    miss missed;                                // why
    std::vector<field_difference> differences;  // of a relative that was taken
    std::filesystem::path file;                 // of the entry that was found
};

/// Thread-safe; publish() is for one thread at a time.
class disk {
public:
    /// `configuration` and `warn` must outlive this. Touches no file before the first call of another member.
    disk(const settings& configuration, warner& warn);

    [[nodiscard]] bool is_off() const {
        return configuration_.directory.empty() && configuration_.read_only_directories.empty();
    }

    enum class manner : std::uint8_t { use, peek };  // peek: no warning, last use stays, nothing is counted

    /// The artifact of exactly this key.
    [[nodiscard]] looked_up find(const key& wanted, hash128 name, manner how);
    /// The first artifact of a key that differs in `free_field` alone.
    [[nodiscard]] looked_up find_relative(const key& wanted, hash128 name, std::string_view free_field, manner how);

    void publish(const key& wanted, hash128 name, const artifact& value);

    /// Empty when the disk is off, or the folder cannot be trusted or opened.
    [[nodiscard]] std::filesystem::path file_of(hash128 name);

    /// Warns that the caller could not use what was found.
    void say_rejected(const looked_up& found);
    void count_miss(miss_reason why) { counted_.count_miss(why); }
    /// Counts go to the folder now and then; the rest when this is called.
    void write_statistics();

private:
    struct place {
        std::filesystem::path folder;
        access how;
    };

    [[nodiscard]] std::filesystem::path root_path();
    [[nodiscard]] std::filesystem::path path_in(const std::filesystem::path& folder, hash128 name);
    /// What one look-up has open of a place.
    struct visit {
        const place& where;
        opened_folder folder;
    };

    [[nodiscard]] const std::vector<place>& places();
    [[nodiscard]] looked_up look_up_in(const visit& at, const key& wanted, hash128 hash, manner how);
    [[nodiscard]] static miss explain(const std::vector<visit>& without, const key& wanted, hash128 hash);
    [[nodiscard]] static std::vector<field_difference> differences_in(const place& where,
                                                                      const std::vector<std::string>& relatives,
                                                                      const key& wanted);
    [[nodiscard]] hash128 name_of_stored(const key& stored) const;
    /// Something may be there that could not be read: nothing is known against it, so publish() does not replace it.
    void keep(hash128 name, const std::filesystem::path& unread, const std::string& why);
    void count_hit(const artifact& value, manner how);
    void say_memory_only(const std::filesystem::path& folder, const std::string& why);
    struct attempt {
        int error = 0;  // errno; 0: on disk, or rightly left alone
        bool written = false;
        std::filesystem::path folder;
        std::string trouble;
    };
    [[nodiscard]] attempt try_publish(const key& wanted, hash128 hash, const artifact& value);
    void keep_within_bounds(std::uint64_t bytes_published);

    const settings& configuration_;
    warner& warn_;
    std::mutex mutex_;                      // guards the two below
    std::vector<place> places_;             // read-only ones first, absolute; filled once, then never changed
    std::unordered_set<std::string> kept_;  // unreadable entries: not to be replaced
    tally counted_;

    sweep_schedule sweeps_;  // the publishing thread's
};

}  // namespace jit_cache
